//! Questions with a page to visit, and several questions in one round under the author's keys.

use dacapo_tests::{Answer, Client, Host};
use serde_json::{Value, json};

const PAGE: &str = "https://pay.example.org/checkout?order=42";

async fn host() -> Host {
    let host = Host::start().await;
    host.upload_guest("visitor").await;
    host
}

/// A client that takes pages and forms.
fn client(host: &Host) -> Client {
    host.client().capabilities(json!({"elicitation": {"form": {}, "url": {}}}))
}

fn says(answer: &Answer, text: &str) {
    assert_eq!(answer.complete()["content"][0]["text"], text, "{}", answer.body);
}

fn lacks(answer: &Answer, capabilities: Value) {
    assert_eq!((answer.status.as_u16(), answer.error_code()), (400, -32021), "{}", answer.body);
    assert_eq!(answer.error()["data"], json!({"requiredCapabilities": capabilities}));
}

#[tokio::test]
async fn a_page_is_named_on_the_wire_with_nothing_but_what_the_protocol_has() {
    let host = host().await;
    let asked = client(&host).call_tool("visit", json!({})).await;
    let params = json!({"mode": "url", "message": "Please pay for your order", "url": PAGE});
    assert_eq!(asked.input_requests(), &json!({"elicit-1": {"method": "elicitation/create", "params": params}}));
}

#[tokio::test]
async fn a_client_that_takes_no_pages_is_told_so() {
    let host = host().await;
    for capabilities in
        [json!({}), json!({"elicitation": {}}), json!({"elicitation": {"form": {}}}), json!({"roots": {}})]
    {
        let answer = host.client().capabilities(capabilities).call_tool("visit", json!({})).await;
        lacks(&answer, json!({"elicitation": {"url": {}}}));
    }
    let pages_alone = host.client().capabilities(json!({"elicitation": {"url": {}}}));
    assert!(pages_alone.call_tool("visit", json!({})).await.input_requests().get("elicit-1").is_some());
}

#[tokio::test]
async fn a_round_of_a_page_and_a_form_takes_a_client_that_takes_both() {
    let host = host().await;
    let cases = [
        (json!({"elicitation": {"form": {}}}), json!({"elicitation": {"url": {}}})),
        (json!({"elicitation": {"url": {}}}), json!({"elicitation": {"form": {}}})),
        (json!({}), json!({"elicitation": {"form": {}, "url": {}}})),
    ];
    for (has, lacking) in cases {
        lacks(&host.client().capabilities(has).call_tool("visit_and_tell", json!({})).await, lacking);
    }
    let client = client(&host);
    let asked = client.call_tool("visit_and_tell", json!({})).await;
    let requests = asked.input_requests();
    assert_eq!(
        (&requests["page"]["params"]["mode"], &requests["name"]["params"]["mode"]),
        (&json!("url"), &json!("form"))
    );
    let answers = json!({"page": {"action": "accept"}, "name": {"action": "accept", "content": {"name": "Ada"}}});
    says(&client.retry("visit_and_tell", json!({}), asked.request_state(), answers).await, "accepted, Ada");
}

#[tokio::test]
async fn what_the_user_did_with_a_page_comes_back_without_any_content() {
    let host = host().await;
    let client = client(&host);
    let answers = [
        (json!({"action": "accept"}), "accepted"),
        (json!({"action": "accept", "content": {}}), "accepted"),
        // The protocol has no content for a page: it is left out, and no reason to refuse what the user agreed to.
        (json!({"action": "accept", "content": {"card": "4111", "nested": 1}}), "accepted"),
        (json!({"action": "decline"}), "declined"),
        (json!({"action": "cancel"}), "cancelled"),
    ];
    for (answer, told) in answers {
        let asked = client.call_tool("visit", json!({})).await;
        let done = client.retry("visit", json!({}), asked.request_state(), json!({"elicit-1": answer})).await;
        says(&done, told);
    }
}

#[tokio::test]
async fn a_page_that_is_not_answered_is_asked_for_again() {
    let host = host().await;
    let client = client(&host);
    let asked = client.call_tool("visit", json!({})).await;
    let again = client.retry("visit", json!({}), asked.request_state(), json!({})).await;
    assert_eq!(again.input_requests(), asked.input_requests());
    let done = client.retry("visit", json!({}), again.request_state(), json!({"elicit-1": {"action": "accept"}})).await;
    says(&done, "accepted");
}

#[tokio::test]
async fn a_client_that_no_longer_takes_pages_can_answer_the_one_that_it_was_asked_for() {
    let host = host().await;
    let asked = client(&host).call_tool("visit", json!({})).await;
    let forms = host.client();
    lacks(
        &forms.retry("visit", json!({}), asked.request_state(), json!({})).await,
        json!({"elicitation": {"url": {}}}),
    );
    let answer = json!({"elicit-1": {"action": "decline"}});
    says(&forms.retry("visit", json!({}), asked.request_state(), answer).await, "declined");
}

#[tokio::test]
async fn several_questions_come_in_one_round_under_the_keys_of_their_author() {
    let host = host().await;
    let client = host.client();
    let accept = |field: &str, value: &str| json!({"action": "accept", "content": {field: value}});
    let asked = client.call_tool("survey", json!({})).await;
    let requests = asked.input_requests().as_object().expect("an object");
    assert_eq!(requests.keys().collect::<Vec<_>>(), ["color", "name"]);
    for (key, request) in requests {
        assert_eq!(request["params"]["mode"], "form");
        assert_eq!(request["params"]["requestedSchema"]["required"], json!([key]));
    }

    let retry = |state: String, responses| {
        let client = &client;
        async move { client.retry("survey", json!({}), &state, responses).await }
    };
    let state = asked.request_state();
    let both = json!({"name": accept("name", "Ada"), "color": accept("color", "blue")});
    says(&retry(state.to_owned(), both).await, "Ada, blue");
    let mixed = json!({"name": {"action": "decline"}, "color": {"action": "cancel"}});
    says(&retry(state.to_owned(), mixed).await, "declined, cancelled");
    for (first, second) in [("name", "color"), ("color", "name")] {
        let left = retry(state.to_owned(), json!({first: accept(first, "green")})).await;
        assert_eq!(left.input_requests(), &json!({second: requests[second]}));
        let done = retry(left.request_state().to_owned(), json!({second: {"action": "decline"}})).await;
        says(&done, if first == "name" { "green, declined" } else { "declined, green" });
    }
}
