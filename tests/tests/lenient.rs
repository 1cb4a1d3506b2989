//! The lenient policy, row by row beside what `retries` promises of the strict one: what it forgives, what it does not, and
//! what both policies do with partial answers.

use std::time::Duration;

use dacapo_tests::{Answer, Client, Host};
use serde_json::{Value, json};
use sha2::Digest as _;

const GREET: &str = "test_input_required_result_elicitation";
const TWO_STEPS: &str = "test_input_required_result_multi_round";
const THREE_AT_ONCE: &str = "test_input_required_result_multiple_inputs";
const PROMPT: &str = "test_input_required_result_prompt";

fn accept(content: Value) -> Value {
    json!({"action": "accept", "content": content})
}

fn name(name: &str) -> Value {
    accept(json!({"name": name}))
}

async fn host(policy: &str, guests: &[&str]) -> Host {
    let host = Host::builder().args(["--retry-policy", policy]).start().await;
    for guest in guests {
        host.upload_guest(guest).await;
    }
    host
}

async fn lenient() -> Host {
    host("lenient", &["everything"]).await
}

async fn greet(client: &Client, state: &str, responses: Value) -> Answer {
    client.retry(GREET, json!({}), state, responses).await
}

/// Calls a tool with responses and no state.
async fn at_once(client: &Client, tool: &str, responses: Value) -> Answer {
    client.call("tools/call", json!({"name": tool, "arguments": {}, "inputResponses": responses})).await
}

fn rejected(answer: &Answer, reason: &str) {
    assert_eq!((answer.status.as_u16(), answer.error_code()), (400, -32602), "{}", answer.body);
    assert_eq!(answer.error()["data"]["reason"], reason, "{}", answer.body);
}

fn says(answer: &Answer, text: &str) {
    assert_eq!(answer.complete()["content"][0]["text"], text, "{}", answer.body);
    assert_ne!(answer.complete()["isError"], true, "{}", answer.body);
}

fn keys(answer: &Answer) -> Vec<&str> {
    answer.input_requests().as_object().expect("an object").keys().map(String::as_str).collect()
}

#[tokio::test]
async fn a_state_that_was_changed_or_is_foreign_is_rejected_all_the_same() {
    let host = lenient().await;
    let client = host.client();
    let asked = client.call_tool(GREET, json!({})).await;
    let state = asked.request_state();
    let answer = || json!({"user_name": name("Ada")});
    for changed in [&state[1..], &state[..state.len() - 4], &format!("{state}AAAA"), "", "AAAA", "not base64url!"] {
        rejected(&greet(&client, changed, answer()).await, "invalid-state");
    }
    let foreign = lenient().await;
    let foreign = foreign.client().call_tool(GREET, json!({})).await;
    rejected(&greet(&client, foreign.request_state(), answer()).await, "invalid-state");
    says(&greet(&client, state, answer()).await, "Hello, Ada!");
}

#[tokio::test]
async fn a_state_that_has_expired_is_rejected_all_the_same() {
    let host = Host::builder().args(["--retry-policy", "lenient", "--ttl", "1s"]).start().await;
    host.upload_guest("everything").await;
    let client = host.client();
    let asked = client.call_tool(GREET, json!({})).await;
    tokio::time::sleep(Duration::from_millis(1100)).await;
    rejected(&greet(&client, asked.request_state(), json!({"user_name": name("Ada")})).await, "expired-state");
}

#[tokio::test]
async fn a_state_is_good_for_its_own_method_target_and_arguments_only_all_the_same() {
    let host = lenient().await;
    let client = host.client();
    let asked = client.call_tool(GREET, json!({})).await;
    let state = asked.request_state();
    let responses = json!({"user_name": name("Ada"), "user_context": accept(json!({"context": "tea"}))});
    for (method, target) in
        [("prompts/get", json!({"name": PROMPT})), ("resources/read", json!({"uri": "test://static-text"}))]
    {
        let mut params = target;
        params["requestState"] = state.into();
        params["inputResponses"] = responses.clone();
        rejected(&client.call(method, params).await, "other-method");
    }
    rejected(&client.retry(TWO_STEPS, json!({}), state, responses.clone()).await, "other-params");
    for arguments in [json!({"more": 1}), Value::Null] {
        rejected(&client.retry(GREET, arguments, state, responses.clone()).await, "other-params");
    }
    says(&greet(&client, state, responses).await, "Hello, Ada!");
}

#[tokio::test]
async fn a_state_is_good_for_its_own_caller_only_all_the_same() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("dacapo.toml");
    let principal = |name: &str| {
        let digest = hex::encode(sha2::Sha256::digest(format!("{name}-token")));
        format!("[[principals]]\nname = \"{name}\"\ntoken-sha256 = \"{digest}\"\n")
    };
    let text = format!("retry-policy = \"lenient\"\n{}{}", principal("ada"), principal("bob"));
    std::fs::write(&file, text).expect("writable");
    let host = Host::builder().arg("--config").arg(file).start().await;
    host.upload_guest("everything").await;
    let (ada, bob) = (host.client().bearer("ada-token"), host.client().bearer("bob-token"));
    let asked = ada.call_tool(GREET, json!({})).await;
    let answer = json!({"user_name": name("Ada")});
    rejected(&greet(&bob, asked.request_state(), answer.clone()).await, "invalid-state");
    says(&greet(&ada, asked.request_state(), answer).await, "Hello, Ada!");
}

#[tokio::test]
async fn answers_without_a_state_are_matched_by_key() {
    let host = lenient().await;
    let client = host.client();
    says(&at_once(&client, GREET, json!({"user_name": name("Ada")})).await, "Hello, Ada!");
    let both = json!({"step1": name("Ada"), "step2": accept(json!({"color": "blue"}))});
    says(&at_once(&client, TWO_STEPS, both).await, "Ada likes blue.");

    // What was not answered beforehand is asked, and the answer that was there is kept with the state.
    let second = at_once(&client, TWO_STEPS, json!({"step1": name("Ada"), "step3": name("Eve")})).await;
    assert_eq!(keys(&second), ["step2"]);
    let blue = json!({"step2": accept(json!({"color": "blue"}))});
    says(&client.retry(TWO_STEPS, json!({}), second.request_state(), blue).await, "Ada likes blue.");
}

#[tokio::test]
async fn answers_without_a_state_are_matched_by_key_for_prompts_too() {
    let host = lenient().await;
    let responses = json!({"user_context": accept(json!({"context": "tea"}))});
    let answer = host.client().call("prompts/get", json!({"name": PROMPT, "inputResponses": responses})).await;
    assert_eq!(answer.complete()["messages"][0]["content"]["text"], "Please write about tea.");
}

#[tokio::test]
async fn unknown_keys_are_ignored() {
    let host = lenient().await;
    let client = host.client();
    let asked = client.call_tool(GREET, json!({})).await;
    let strays = json!({"elicit-1": name("Eve"), "": name("Eve"), "User_name": {"action": "decline"}});
    let again = greet(&client, asked.request_state(), strays.clone()).await;
    assert_eq!(again.input_requests(), asked.input_requests());
    let mut answers = strays.clone();
    answers["user_name"] = name("Ada");
    says(&greet(&client, again.request_state(), answers).await, "Hello, Ada!");
    assert_eq!(keys(&at_once(&client, GREET, strays).await), ["user_name"]);
}

#[tokio::test]
async fn a_key_that_was_answered_is_ignored_and_its_first_answer_stays() {
    let host = lenient().await;
    let client = host.client();
    let asked = client.call_tool(TWO_STEPS, json!({})).await;
    let second = client.retry(TWO_STEPS, json!({}), asked.request_state(), json!({"step1": name("Ada")})).await;
    let repeated = client.retry(TWO_STEPS, json!({}), second.request_state(), json!({"step1": name("Eve")})).await;
    assert_eq!(repeated.input_requests(), second.input_requests());
    let both = json!({"step1": {"action": "decline"}, "step2": accept(json!({"color": "blue"}))});
    says(&client.retry(TWO_STEPS, json!({}), repeated.request_state(), both).await, "Ada likes blue.");
}

#[tokio::test]
async fn a_malformed_answer_to_a_known_key_is_rejected_and_can_be_mended() {
    let host = lenient().await;
    let client = host.client().unchecked();
    let asked = client.call_tool(GREET, json!({})).await;
    let malformed = [
        json!(1),
        Value::Null,
        json!([]),
        json!("accept"),
        json!({}),
        json!({"action": "perhaps"}),
        json!({"roots": []}),
    ];
    for response in malformed {
        let responses = json!({"user_name": response});
        rejected(&greet(&client, asked.request_state(), responses.clone()).await, "not-an-answer");
        rejected(&at_once(&client, GREET, responses).await, "not-an-answer");
    }
    for content in [json!({}), json!({"name": 7}), json!({"name": null}), json!({"Name": "Ada"})] {
        let responses = json!({"user_name": accept(content)});
        rejected(&greet(&client, asked.request_state(), responses.clone()).await, "invalid-answer");
        rejected(&at_once(&client, GREET, responses).await, "invalid-answer");
    }
    says(&greet(&client, asked.request_state(), json!({"user_name": name("Ada")})).await, "Hello, Ada!");
}

#[tokio::test]
async fn no_responses_and_none_at_all_are_asked_again() {
    let host = lenient().await;
    let client = host.client().unchecked();
    let asked = client.call_tool(GREET, json!({})).await;
    for responses in [json!({}), Value::Null] {
        let again = greet(&client, asked.request_state(), responses.clone()).await;
        assert_eq!(again.input_requests(), asked.input_requests());
        assert_ne!(again.request_state(), asked.request_state());
        says(&greet(&client, again.request_state(), json!({"user_name": name("Ada")})).await, "Hello, Ada!");
        assert_eq!(at_once(&client, GREET, responses).await.input_requests(), asked.input_requests());
    }
    let params = json!({"name": GREET, "arguments": {}, "requestState": asked.request_state()});
    assert_eq!(client.call("tools/call", params).await.input_requests(), asked.input_requests());
}

#[tokio::test]
async fn a_handler_that_asks_something_else_on_replay_is_found_out_all_the_same() {
    let host = host("lenient", &["wanderer"]).await;
    let client = host.client();
    let asked = client.call_tool("wander", json!({})).await;
    let answer = json!({"elicit-1": accept(json!({"go_on": true}))});
    rejected(&client.retry("wander", json!({}), asked.request_state(), answer).await, "diverged");
}

#[tokio::test]
async fn partial_answers_are_kept_in_whichever_order_they_come_under_both_policies() {
    let responses = json!({
        "user_name": name("Ada"),
        "capital_question": {"role": "assistant", "content": {"type": "text", "text": "Paris"}, "model": "m"},
        "roots": {"roots": [{"uri": "file:///home/ada"}]},
    });
    let orders = [
        ["user_name", "capital_question", "roots"],
        ["user_name", "roots", "capital_question"],
        ["capital_question", "user_name", "roots"],
        ["capital_question", "roots", "user_name"],
        ["roots", "user_name", "capital_question"],
        ["roots", "capital_question", "user_name"],
    ];
    for policy in ["strict", "lenient"] {
        let host = host(policy, &["everything"]).await;
        let client = host.client().capabilities(json!({"elicitation": {}, "sampling": {}, "roots": {}}));
        let first = client.call_tool(THREE_AT_ONCE, json!({})).await;
        for order in orders {
            let mut state = first.request_state().to_owned();
            let mut requests = first.input_requests().clone();
            assert_eq!(requests.as_object().map(serde_json::Map::len), Some(3));
            for (round, key) in order.into_iter().enumerate() {
                let answer = client.retry(THREE_AT_ONCE, json!({}), &state, json!({key: responses[key]})).await;
                if round == 2 {
                    says(&answer, "Ada's model said: Paris; roots: file:///home/ada");
                } else {
                    // What is left is asked again as it was.
                    requests.as_object_mut().expect("an object").remove(key);
                    assert_eq!(answer.input_requests(), &requests, "{policy} {order:?}");
                    answer.request_state().clone_into(&mut state);
                }
            }
        }
    }
}

#[tokio::test]
async fn a_wrong_answer_among_good_ones_leaves_the_conversation_as_it_was_under_both_policies() {
    for policy in ["strict", "lenient"] {
        let host = host(policy, &["everything"]).await;
        let client = host.client().unchecked().capabilities(json!({"elicitation": {}, "sampling": {}, "roots": {}}));
        let asked = client.call_tool(THREE_AT_ONCE, json!({})).await;
        let retry = |responses| client.retry(THREE_AT_ONCE, json!({}), asked.request_state(), responses);
        let good = json!({"roots": []});
        rejected(&retry(json!({"user_name": name("Ada"), "roots": {"roots": 1}})).await, "not-an-answer");
        rejected(&retry(json!({"user_name": accept(json!({"name": 1})), "roots": good})).await, "invalid-answer");
        assert_eq!(keys(&retry(json!({"user_name": name("Ada"), "roots": good})).await), ["capital_question"]);
    }
}
