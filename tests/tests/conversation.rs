//! A call that asks its user something, from the first answer to the last, over HTTP against the real binary.

use dacapo_tests::{Answer, Host};
use serde_json::{Value, json};

const ACCOUNT: fn() -> Value = || json!({"user": "ada"});

fn accept(content: Value) -> Value {
    json!({"action": "accept", "content": content})
}

/// The question of an answer that asks one, and its key.
fn question(answer: &Answer) -> (&str, &Value) {
    let requests = answer.input_requests().as_object().expect("inputRequests is an object");
    assert_eq!(requests.len(), 1, "one question at a time: {requests:?}");
    let (key, request) = requests.iter().next().expect("there is one");
    assert_eq!(request["method"], "elicitation/create");
    (key, &request["params"])
}

async fn host(guests: &[&str]) -> Host {
    let host = Host::start().await;
    for guest in guests {
        host.upload_guest(guest).await;
    }
    host
}

#[tokio::test]
async fn a_question_is_asked_and_its_answer_finishes_the_call() {
    let host = host(&["onboard"]).await;
    let client = host.client();

    let asked = client.call_tool("onboard", json!({})).await;
    assert_eq!(asked.status, 200);
    let (key, params) = question(&asked);
    assert_eq!(key, "elicit-1");
    assert_eq!(params["mode"], "form");
    assert_eq!(params["message"], "Please enter your details");
    let schema = &params["requestedSchema"];
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["required"], json!(["name", "email"]));
    assert_eq!(schema["properties"]["name"]["description"], "Your name");
    assert_eq!(schema["properties"]["email"]["format"], "email");

    let details = accept(json!({"name": "Ada", "email": "ada@example.org"}));
    let done = client.retry("onboard", json!({}), asked.request_state(), json!({ key: details })).await;
    let result = done.complete();
    assert_eq!(result["structuredContent"]["user"], json!({"name": "Ada", "email": "ada@example.org"}));
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "dacapo");
    let text = result["content"][0]["text"].as_str().expect("the same as text");
    assert_eq!(serde_json::from_str::<Value>(text).expect("JSON"), result["structuredContent"]);
}

#[tokio::test]
async fn the_state_tells_the_client_nothing_and_is_another_each_time() {
    let host = host(&["upgrade-plan"]).await;
    let client = host.client();
    let one = client.call_tool("upgrade-plan", ACCOUNT()).await;
    let other = client.call_tool("upgrade-plan", ACCOUNT()).await;
    let (one, other) = (one.request_state(), other.request_state());
    assert_ne!(one, other);
    assert!(one.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')));
    for secret in ["upgrade-plan", "ada", "elicit"] {
        assert!(!one.contains(secret));
    }
}

#[tokio::test]
async fn two_questions_take_three_round_trips_and_charge_once() {
    let host = host(&["upgrade-plan"]).await;
    let client = host.client();
    let first = client.call_tool("upgrade-plan", ACCOUNT()).await;
    let (key, params) = question(&first);
    assert_eq!((key, params["message"].as_str()), ("elicit-1", Some("Pick a plan")));

    let answer = json!({ key: accept(json!({"plan": "team"})) });
    let second = client.retry("upgrade-plan", ACCOUNT(), first.request_state(), answer).await;
    let (key, params) = question(&second);
    assert_eq!((key, params["message"].as_str()), ("elicit-2", Some("Confirm upgrade to team?")));
    assert!(!host.log().contains("charged"), "nothing is charged before the last answer");

    let answer = json!({ key: accept(json!({"confirmed": true})) });
    let third = client.retry("upgrade-plan", ACCOUNT(), second.request_state(), answer).await;
    assert_eq!(third.complete()["structuredContent"], json!({"status": "upgraded", "user": "ada", "plan": "team"}));
    host.wait_for_log("charged ada for team").await;
    assert_eq!(host.log().matches("charged").count(), 1);
}

#[tokio::test]
async fn decline_and_cancel_are_ordinary_answers() {
    let host = host(&["onboard"]).await;
    let client = host.client();
    for action in ["decline", "cancel"] {
        let asked = client.call_tool("onboard", json!({})).await;
        let answer = json!({"elicit-1": {"action": action}});
        let done = client.retry("onboard", json!({}), asked.request_state(), answer).await;
        assert_eq!(done.complete()["structuredContent"]["cancelled"], true, "{action}");
    }
}

#[tokio::test]
async fn a_retry_that_answers_nothing_is_asked_the_same_with_a_new_state() {
    let host = host(&["onboard"]).await;
    let client = host.client().unchecked();
    let asked = client.call_tool("onboard", json!({})).await;
    for responses in [json!({}), Value::Null] {
        let again = client.retry("onboard", json!({}), asked.request_state(), responses).await;
        assert_eq!(again.input_requests(), asked.input_requests());
        assert_ne!(again.request_state(), asked.request_state());
        let details = accept(json!({"name": "Ada", "email": "ada@example.org"}));
        let done = client.retry("onboard", json!({}), again.request_state(), json!({"elicit-1": details})).await;
        done.complete();
    }
}

#[tokio::test]
async fn two_retries_of_one_state_are_served_each_for_itself() {
    let host = host(&["onboard"]).await;
    let client = host.client();
    let asked = client.call_tool("onboard", json!({})).await;
    let answer = |name: &str| json!({"elicit-1": accept(json!({"name": name, "email": "x@example.org"}))});
    let (ada, bob) = tokio::join!(
        client.retry("onboard", json!({}), asked.request_state(), answer("Ada")),
        client.retry("onboard", json!({}), asked.request_state(), answer("Bob")),
    );
    assert_eq!(ada.complete()["structuredContent"]["user"]["name"], "Ada");
    assert_eq!(bob.complete()["structuredContent"]["user"]["name"], "Bob");
}

#[tokio::test]
async fn every_run_has_memory_of_its_own() {
    let host = host(&["counter"]).await;
    let client = host.client();
    for _ in 0..3 {
        let asked = client.call_tool("count", json!({})).await;
        let answer = json!({"elicit-1": accept(json!({"go_on": true}))});
        let done = client.retry("count", json!({}), asked.request_state(), answer).await;
        assert_eq!(done.complete()["content"][0]["text"], "1");
    }
}

#[tokio::test]
async fn a_handler_can_not_catch_its_suspension() {
    let host = host(&["catcher"]).await;
    let client = host.client();
    let asked = client.call_tool("catch", json!({})).await;
    question(&asked);
    let answer = json!({"elicit-1": accept(json!({"go_on": true}))});
    let done = client.retry("catch", json!({}), asked.request_state(), answer).await;
    assert_eq!(done.complete()["content"][0]["text"], "answered true");
}

#[tokio::test]
async fn time_and_randomness_are_the_same_on_every_run_and_others_in_another_conversation() {
    let host = host(&["clock"]).await;
    let client = host.client();
    let asked = client.call_tool("clock", json!({})).await;
    let message = question(&asked).1["message"].clone();
    let again = client.retry("clock", json!({}), asked.request_state(), json!({})).await;
    assert_eq!(question(&again).1["message"], message);
    let answer = json!({"elicit-1": accept(json!({"go_on": true}))});
    let done = client.retry("clock", json!({}), again.request_state(), answer).await;
    let seen = &done.complete()["structuredContent"];
    for reading in ["random", "hash", "wall", "elapsed"] {
        let value = seen[reading].as_str().expect("a text");
        assert!(message.as_str().is_some_and(|message| message.contains(value)), "{reading}: {seen} {message}");
    }
    let elapsed: u64 = seen["elapsed"].as_str().and_then(|text| text.parse().ok()).expect("nanoseconds");
    assert!((10_000_000..20_000_000).contains(&elapsed), "who sleeps finds that time has passed: {elapsed}");
    let other = client.call_tool("clock", json!({})).await;
    let other = question(&other).1["message"].as_str().expect("a text");
    for reading in ["random", "hash", "wall"] {
        assert!(!other.contains(seen[reading].as_str().expect("a text")), "{reading}");
    }
}

#[tokio::test]
async fn a_client_that_takes_no_questions_is_told_which_capability_is_missing() {
    let host = host(&["onboard"]).await;
    for capabilities in [json!({}), json!({"elicitation": {"url": {}}}), json!({"sampling": {}})] {
        let answer = host.client().capabilities(capabilities.clone()).call_tool("onboard", json!({})).await;
        assert_eq!(answer.status, 400, "{capabilities}");
        assert_eq!(answer.error_code(), -32021, "{capabilities}");
        assert_eq!(answer.error()["data"], json!({"requiredCapabilities": {"elicitation": {"form": {}}}}));
    }
    for capabilities in [json!({"elicitation": {}}), json!({"elicitation": {"form": {}, "url": {}}})] {
        question(&host.client().capabilities(capabilities).call_tool("onboard", json!({})).await);
    }
}
