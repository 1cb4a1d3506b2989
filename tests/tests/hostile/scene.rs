//! A host with a well-behaved handler and a hostile one.

use dacapo_tests::{Answer, Client, Host};
use serde_json::{Value, json};

/// A host that serves `hello` and hostile handlers.
pub(crate) struct Scene {
    pub(crate) host: Host,
}

impl Scene {
    /// A host with these options and these guests.
    pub(crate) async fn with(arguments: &[&str], guests: &[&str]) -> Self {
        let host = Host::builder().args(arguments).start().await;
        host.upload_guest("hello").await;
        for guest in guests {
            host.upload_guest(guest).await;
        }
        Self { host }
    }

    /// A host with a component that a test has made, as the handler `raw`.
    pub(crate) async fn with_component(arguments: &[&str], component: Vec<u8>) -> Self {
        let scene = Self::with(arguments, &[]).await;
        let answer = scene.host.upload("raw", component).await;
        assert_eq!(answer.status.as_u16(), 201, "{}", answer.body);
        scene
    }

    pub(crate) fn client(&self) -> Client {
        self.host.client()
    }

    /// Calls a tool.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Answer {
        self.client().call_tool(tool, arguments).await
    }

    /// Calls a tool that must fail: the client learns `told`, the operator `logged`, and others are served on.
    pub(crate) async fn fails(&self, tool: &str, arguments: Value, told: &str, logged: &str) {
        let answer = self.call(tool, arguments).await;
        failed(&answer, told);
        self.host.wait_for_log(logged).await;
        self.serves().await;
    }

    /// Calls a tool that must run into a limit: the client learns which, and the operator too; others are served on.
    pub(crate) async fn exceeds(&self, tool: &str, arguments: Value, limit: &str) {
        let answer = self.call(tool, arguments).await;
        exceeded(&answer, limit);
        self.host.wait_for_log(&format!("limit=\"{limit}\"")).await;
        self.serves().await;
    }

    /// Checks that the host serves `hello`.
    pub(crate) async fn serves(&self) {
        greets(&self.client()).await;
    }

    /// Uploads a component that must be refused, with this code and these words; others are served on, and it is not there.
    pub(crate) async fn refuses(&self, component: Vec<u8>, code: &str, words: &[&str]) {
        let answer = self.host.upload("refused", component).await;
        let error = &answer.body["error"];
        assert_eq!((answer.status.as_u16(), &error["code"]), (422, &json!(code)), "{}", answer.body);
        let message = error["message"].as_str().expect("an error has a message");
        for word in words {
            assert!(message.contains(word), "no `{word}` in: {message}");
        }
        let shown = Answer::to(self.host.request(reqwest::Method::GET, "/v1/handlers/refused")).await;
        assert_eq!(shown.status.as_u16(), 404, "{}", shown.body);
        self.serves().await;
    }
}

/// Checks that a call failed by the handler's fault, and that the client is told so.
pub(crate) fn failed(answer: &Answer, told: &str) {
    assert_eq!(answer.error_code(), -32603, "{}", answer.body);
    let message = answer.error()["message"].as_str().expect("an error has a message");
    assert!(message.contains(told), "no `{told}` in: {message}");
}

/// Checks that a call was ended by a limit of this name.
pub(crate) fn exceeded(answer: &Answer, limit: &str) {
    failed(answer, &format!("exceeded its limit \"{limit}\""));
    let data = &answer.error()["data"];
    assert_eq!((&data["reason"], &data["limit"]), (&json!("limit"), &json!(limit)), "{}", answer.body);
}

/// Checks that `hello` is served.
pub(crate) async fn greets(client: &Client) {
    let greeted = client.call_tool("hello", json!({"name": "Ada"})).await;
    assert_eq!(greeted.complete()["content"][0]["text"], "Hello, Ada!");
}

/// An answer that accepts.
pub(crate) fn accept() -> Value {
    json!({"action": "accept", "content": {"go_on": true}})
}
