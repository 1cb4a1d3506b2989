//! A conversation goes on with the revision that began it, whatever is uploaded meanwhile.

use std::time::Duration;

use dacapo_tests::{Answer, Client, Host, guests};
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

const SECRET: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// Once what is awaited must have come about, however slow the machine.
const LIMIT: Duration = Duration::from_secs(30);

fn account() -> Value {
    json!({"user": "ada"})
}

async fn begin(client: &Client) -> String {
    client.call_tool("upgrade-plan", account()).await.request_state().to_owned()
}

async fn pick(client: &Client, state: &str) -> Answer {
    let plan = json!({"elicit-1": {"action": "accept", "content": {"plan": "team"}}});
    client.retry("upgrade-plan", account(), state, plan).await
}

async fn confirm(client: &Client, state: &str) -> Answer {
    let sure = json!({"elicit-2": {"action": "accept", "content": {"confirmed": true}}});
    client.retry("upgrade-plan", account(), state, sure).await
}

/// The conversation that `state` stands for goes to its end as the example ends it.
async fn goes_on(client: &Client, state: &str) {
    let second = pick(client, state).await;
    let last = confirm(client, second.request_state()).await;
    assert_eq!(last.complete()["structuredContent"], json!({"status": "upgraded", "user": "ada", "plan": "team"}));
}

/// The revisions of the handler `plans`: their numbers and states.
async fn revisions(host: &Host) -> Vec<(i64, String)> {
    let shown = Answer::to(host.request(Method::GET, "/v1/handlers/plans")).await.body;
    let revisions = shown["revisions"].as_array().unwrap_or_else(|| panic!("no revisions: {shown}"));
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    revisions.iter().map(|held| (held["revision"].as_i64().expect("a number"), text(&held["state"]))).collect()
}

async fn rollback(host: &Host, body: Option<Value>) -> Answer {
    let request = host.request(Method::POST, "/v1/handlers/plans/rollback");
    let request = match body {
        Some(body) => request.header(header::CONTENT_TYPE, "application/json").body(body.to_string()),
        None => request,
    };
    Answer::to(request).await
}

fn state(number: i64, state: &str) -> (i64, String) {
    (number, state.to_owned())
}

#[tokio::test]
async fn a_conversation_goes_on_with_the_revision_that_asked_after_an_upload_and_a_restart() {
    let mut host = Host::builder().env("DACAPO_SECRET", SECRET).start().await;
    host.upload("plans", guests::bytes("upgrade-plan")).await;
    let began = begin(&host.client()).await;
    assert_eq!(host.upload("plans", guests::bytes("renewed-plan")).await.body["revision"], 2);
    goes_on(&host.client(), &began).await;
    let second = pick(&host.client(), &began).await;

    // Not even the tool is there any more.
    assert_eq!(host.upload("plans", guests::bytes("hello")).await.body["revision"], 3);
    assert_eq!(host.client().call_tool("upgrade-plan", account()).await.error_code(), -32602);
    goes_on(&host.client(), &began).await;

    host.restart().await;
    goes_on(&host.client(), &began).await;
    confirm(&host.client(), second.request_state()).await.complete();
    assert_eq!(revisions(&host).await, [state(3, "serving"), state(2, "pinned"), state(1, "pinned")]);
}

#[tokio::test]
async fn a_prompt_and_a_resource_go_on_with_the_revision_that_asked() {
    let host = Host::start().await;
    host.upload("all", guests::bytes("everything")).await;
    let client = host.client();
    let calls = [
        ("prompts/get", json!({"name": "test_input_required_result_prompt"})),
        ("resources/read", json!({"uri": "test://topic-by-question"})),
    ];
    let mut retries = Vec::new();
    for (method, mut params) in calls {
        let asked = client.call(method, params.clone()).await;
        params["requestState"] = asked.request_state().into();
        params["inputResponses"] = json!({"user_context": {"action": "accept", "content": {"context": "pinned"}}});
        retries.push((method, params));
    }
    host.upload("all", guests::bytes("hello")).await;
    for (method, params) in retries {
        let ended = client.call(method, params).await;
        assert!(ended.complete().to_string().contains("pinned"), "{}", ended.body);
    }
}

#[tokio::test]
async fn a_revision_is_dropped_when_no_token_can_need_it() {
    let host = Host::builder().args(["--ttl", "500ms", "--keep-revisions", "1"]).start().await;
    for guest in ["upgrade-plan", "renewed-plan", "hello"] {
        host.upload("plans", guests::bytes(guest)).await;
    }
    let over = tokio::time::Instant::now() + LIMIT;
    let held = loop {
        let held = revisions(&host).await;
        if held == [state(3, "serving"), state(2, "kept")] || tokio::time::Instant::now() > over {
            break held;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(held, [state(3, "serving"), state(2, "kept")]);
}

#[tokio::test]
async fn the_conversations_of_a_removed_handler_end_with_a_reason() {
    let host = Host::builder().env("DACAPO_SECRET", SECRET).start().await;
    host.upload("plans", guests::bytes("upgrade-plan")).await;
    let began = begin(&host.client()).await;
    host.upload("plans", guests::bytes("hello")).await;
    let path = "/v1/handlers/plans";
    assert_eq!(Answer::to(host.request(Method::DELETE, path)).await.status, StatusCode::NO_CONTENT);
    let ended = pick(&host.client(), &began).await;
    assert_eq!(
        (ended.error_code(), &ended.error()["data"]["reason"]),
        (-32602, &json!("handler-removed")),
        "{}",
        ended.body
    );
    host.wait_for_log("held no longer").await;

    host.upload("plans", guests::bytes("renewed-plan")).await;
    let ended = pick(&host.client(), &began).await;
    assert_eq!(ended.error()["data"]["reason"], "handler-replaced", "{}", ended.body);
}

#[tokio::test]
async fn a_handler_goes_back_to_an_earlier_revision_and_conversations_of_the_later_one_go_on() {
    let host = Host::start().await;
    host.upload("plans", guests::bytes("hello")).await;
    host.upload("plans", guests::bytes("upgrade-plan")).await;
    let began = begin(&host.client()).await;
    let back = rollback(&host, None).await;
    assert_eq!((back.status, &back.body["revision"]), (StatusCode::OK, &json!(3)), "{}", back.body);
    assert_eq!(back.body["tools"][0]["name"], "hello");
    goes_on(&host.client(), &began).await;
    let forth = rollback(&host, Some(json!({"revision": 2}))).await;
    assert_eq!((&forth.body["revision"], &forth.body["tools"][0]["name"]), (&json!(4), &json!("upgrade-plan")));
    goes_on(&host.client(), &began).await;
}

#[tokio::test]
async fn there_is_no_going_back_to_what_is_not_there() {
    let host = Host::start().await;
    let code = |answer: &Answer| (answer.status.as_u16(), answer.body["error"]["code"].clone());
    assert_eq!(code(&rollback(&host, None).await), (404, json!("not-found")));
    host.upload("plans", guests::bytes("hello")).await;
    let none = rollback(&host, None).await;
    assert_eq!(code(&none), (404, json!("no-such-revision")));
    let unknown = rollback(&host, Some(json!({"revision": 7}))).await;
    assert_eq!(code(&unknown), (404, json!("no-such-revision")));
    assert!(unknown.body["error"]["message"].as_str().is_some_and(|message| message.contains("revision 7")));
    for bad in [json!({"to": 1}), json!({"revision": "one"}), json!([])] {
        assert_eq!(code(&rollback(&host, Some(bad)).await), (400, json!("bad-body")));
    }
    assert_eq!(revisions(&host).await, [state(1, "serving")]);
}
