//! What a retry must not do. Each is answered with -32602 and HTTP 400, and the conversation can still be finished.

use std::time::Duration;

use dacapo_tests::{Answer, Client, Host};
use serde_json::{Value, json};

const SECRET: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const OTHER_SECRET: &str = "HxwdHhsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=";

fn plan() -> Value {
    json!({"elicit-1": {"action": "accept", "content": {"plan": "team"}}})
}

fn account() -> Value {
    json!({"user": "ada"})
}

/// A host with `upgrade-plan`, and a conversation that waits for its first answer.
struct Asked {
    host: Host,
    client: Client,
    state: String,
}

impl Asked {
    async fn new() -> Self {
        let host = Host::builder().env("DACAPO_SECRET", SECRET).start().await;
        host.upload_guest("upgrade-plan").await;
        host.upload_guest("onboard").await;
        let client = host.client();
        let state = client.call_tool("upgrade-plan", account()).await.request_state().to_owned();
        Self { host, client, state }
    }

    async fn retry(&self, state: &str, responses: Value) -> Answer {
        self.client.retry("upgrade-plan", account(), state, responses).await
    }

    /// Checks that `answer` is a rejection for `reason`, that the log says why, and that the conversation goes on.
    async fn rejects(&self, answer: &Answer, reason: &str) {
        rejected(answer, reason);
        let on = self.retry(&self.state, plan()).await;
        assert!(on.input_requests().get("elicit-2").is_some(), "the conversation can be gone on with: {}", on.body);
    }
}

fn rejected(answer: &Answer, reason: &str) {
    assert_eq!((answer.status.as_u16(), answer.error_code()), (400, -32602), "{}", answer.body);
    assert_eq!(answer.error()["data"]["reason"], reason, "{}", answer.body);
    assert!(answer.error()["message"].as_str().is_some_and(|message| !message.is_empty()));
}

#[tokio::test]
async fn a_state_that_was_changed_is_rejected_wherever_it_was_changed() {
    let asked = Asked::new().await;
    let length = asked.state.len();
    for at in [0, 1, 4, 9, 20, 40, length / 2, length - 20, length - 2] {
        let mut bytes = asked.state.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        let state = String::from_utf8(bytes).expect("ASCII");
        rejected(&asked.retry(&state, plan()).await, "invalid-state");
    }
    for state in ["", "x", "not base64url!", "AAAA", &asked.state[..length / 2], &format!("{}-TAMPERED", asked.state)] {
        rejected(&asked.retry(state, plan()).await, "invalid-state");
    }
    let huge = "A".repeat(100_000);
    asked.rejects(&asked.retry(&huge, plan()).await, "invalid-state").await;
    asked.host.wait_for_log("it is not authentic").await;
}

#[tokio::test]
async fn a_state_sealed_with_a_foreign_key_is_rejected() {
    let asked = Asked::new().await;
    let foreign = Host::builder().env("DACAPO_SECRET", OTHER_SECRET).start().await;
    foreign.upload_guest("upgrade-plan").await;
    let stranger = foreign.client().call_tool("upgrade-plan", account()).await;
    asked.rejects(&asked.retry(stranger.request_state(), plan()).await, "invalid-state").await;
    asked.host.wait_for_log("which is not in the ring").await;
}

#[tokio::test]
async fn a_state_is_good_at_every_host_with_its_key_and_after_the_key_was_changed() {
    let asked = Asked::new().await;
    let other = Host::builder().env("DACAPO_SECRET", OTHER_SECRET).env("DACAPO_PREVIOUS_SECRETS", SECRET).start().await;
    other.upload_guest("upgrade-plan").await;
    let second = other.client().retry("upgrade-plan", account(), &asked.state, plan()).await;
    assert!(second.input_requests().get("elicit-2").is_some());
    rejected(&asked.retry(second.request_state(), json!({})).await, "invalid-state");
}

#[tokio::test]
async fn an_expired_state_is_rejected() {
    let host = Host::builder().arg("--ttl").arg("1s").start().await;
    host.upload_guest("upgrade-plan").await;
    let client = host.client();
    let asked = client.call_tool("upgrade-plan", account()).await;
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let answer = client.retry("upgrade-plan", account(), asked.request_state(), plan()).await;
    rejected(&answer, "expired-state");
    assert!(answer.error()["message"].as_str().is_some_and(|message| message.contains("1s")));
}

#[tokio::test]
async fn a_state_is_good_for_its_own_tool_only() {
    let asked = Asked::new().await;
    let answer = asked.client.retry("onboard", account(), &asked.state, plan()).await;
    asked.rejects(&answer, "other-params").await;
}

#[tokio::test]
async fn a_state_is_good_for_its_own_method_only() {
    let asked = Asked::new().await;
    asked.host.upload_guest("everything").await;
    for (method, member, target) in
        [("prompts/get", "name", "test_input_required_result_prompt"), ("resources/read", "uri", "test://static-text")]
    {
        let answer = asked.client.call(method, json!({member: target, "requestState": asked.state})).await;
        asked.rejects(&answer, "other-method").await;
        assert!(answer.error()["message"].as_str().is_some_and(|message| message.contains("\"tools/call\"")));
    }
}

#[tokio::test]
async fn a_state_is_good_for_its_own_arguments_only() {
    let asked = Asked::new().await;
    for arguments in [json!({"user": "eve"}), json!({"user": "ada", "more": 1}), json!({}), Value::Null] {
        let answer = asked.client.retry("upgrade-plan", arguments, &asked.state, plan()).await;
        asked.rejects(&answer, "other-params").await;
    }
    let mut params = json!({"name": "upgrade-plan", "arguments": account(), "requestState": asked.state});
    params["inputResponses"] = plan();
    params["stranger"] = 1.into();
    asked.rejects(&asked.client.call("tools/call", params).await, "other-params").await;
}

#[tokio::test]
async fn arguments_may_be_spelled_otherwise_on_a_retry() {
    let asked = Asked::new().await;
    let mut body = asked
        .client
        .body("tools/call", json!({"name": "upgrade-plan", "requestState": asked.state, "inputResponses": plan()}));
    body["params"]["arguments"] = json!("ARGUMENTS");
    let headers = asked.client.headers(&body);
    let body = body.to_string().replace("\"ARGUMENTS\"", "{ \"us\\u0065r\" :\n\"\\u0061da\" }");
    let answer = asked.client.raw(headers, body).await;
    assert!(answer.input_requests().get("elicit-2").is_some(), "{}", answer.body);
}

#[tokio::test]
async fn answers_without_a_state_are_rejected() {
    let asked = Asked::new().await;
    let params = json!({"name": "upgrade-plan", "arguments": account(), "inputResponses": plan()});
    asked.rejects(&asked.client.call("tools/call", params).await, "no-state").await;
}

#[tokio::test]
async fn an_answer_to_what_was_never_asked_is_rejected() {
    let asked = Asked::new().await;
    for key in ["elicit-2", "elicit-0", "wrong", ""] {
        let answer = asked.retry(&asked.state, json!({key: {"action": "decline"}})).await;
        asked.rejects(&answer, "unknown-key").await;
    }
}

#[tokio::test]
async fn an_answer_to_what_was_answered_before_is_rejected() {
    let asked = Asked::new().await;
    let second = asked.retry(&asked.state, plan()).await;
    let answer = asked.retry(second.request_state(), plan()).await;
    asked.rejects(&answer, "already-answered").await;
}

#[tokio::test]
async fn an_answer_of_another_kind_is_rejected() {
    let mut asked = Asked::new().await;
    asked.client = asked.host.client().unchecked();
    let sampled = json!({"role": "assistant", "content": {"type": "text", "text": "team"}, "model": "m"});
    for response in [sampled, json!({"roots": []}), json!(12345), Value::Null, json!({"action": "perhaps"})] {
        let answer = asked.retry(&asked.state, json!({"elicit-1": response})).await;
        asked.rejects(&answer, "not-an-answer").await;
    }
}

#[tokio::test]
async fn accepted_content_that_does_not_fit_the_schema_is_rejected_and_can_be_mended() {
    let mut asked = Asked::new().await;
    asked.client = asked.host.client().unchecked();
    for content in [json!({"plan": "free"}), json!({"plan": 1}), json!({}), json!({"plan": null})] {
        let answer = json!({"elicit-1": {"action": "accept", "content": content}});
        let answer = asked.retry(&asked.state, answer).await;
        assert!(answer.error()["message"].as_str().is_some_and(|message| message.contains("\"plan\"")));
        asked.rejects(&answer, "invalid-answer").await;
    }
}

#[tokio::test]
async fn a_handler_that_asks_something_else_on_replay_is_found_out() {
    let host = Host::start().await;
    host.upload_guest("wanderer").await;
    let client = host.client();
    let asked = client.call_tool("wander", json!({})).await;
    let answer = json!({"elicit-1": {"action": "accept", "content": {"go_on": true}}});
    let answer = client.retry("wander", json!({}), asked.request_state(), answer).await;
    rejected(&answer, "diverged");
    assert!(answer.error()["message"].as_str().is_some_and(|message| message.contains("idempotency contract")));
    host.wait_for_log("position 1").await;
}

#[tokio::test]
async fn a_conversation_survives_a_restart() {
    let mut asked = Asked::new().await;
    asked.host.restart().await;
    asked.client = asked.host.client();
    let second = asked.retry(&asked.state, plan()).await;
    assert!(second.input_requests().get("elicit-2").is_some());
}

#[tokio::test]
async fn without_a_secret_a_restart_ends_conversations_and_the_log_warns_of_it() {
    let mut host = Host::start().await;
    host.upload_guest("upgrade-plan").await;
    host.wait_for_log("NO SECRET IS SET").await;
    let asked = host.client().call_tool("upgrade-plan", account()).await;
    host.restart().await;
    let answer = host.client().retry("upgrade-plan", account(), asked.request_state(), plan()).await;
    rejected(&answer, "invalid-state");
}
