//! Deprecated inputs as the contract has them, and what the host's responses become.

use serde_json::{Value, json};

use crate::bindings::dacapo::handler::{elicitation, inputs as wit};
use crate::deprecated::{Inputs, ListRoots, Root, Sampling};
use crate::prelude::*;

#[derive(Form, Debug, PartialEq)]
struct Name {
    name: String,
}

#[test]
fn inputs_of_all_kinds_go_in_one_request() {
    let inputs = (
        Ask::<Name>::form("Who?").key("who"),
        Sampling::new(100).system_prompt("Be brief.").user("Hi").assistant("Hello").key("said"),
        ListRoots::new(),
    );
    let mut sent = Vec::new();
    let (name, said, roots) = inputs.request(|requests| {
        sent = requests.to_vec();
        let content = json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": "Paris" } });
        vec![
            wit::InputResponse::Elicited(elicitation::Reply::Decline),
            wit::InputResponse::Sampled(content.to_string()),
            wit::InputResponse::Roots(vec![wit::Root { uri: "file:///a".to_owned(), name: None }]),
        ]
    });
    assert_eq!(name, Reply::Decline);
    let said = said.unwrap();
    assert_eq!((said.text().as_str(), said.model.as_str(), said.stop_reason), ("Paris", "m", None));
    assert_eq!(roots, [Root { uri: "file:///a".to_owned(), name: None }]);

    let keys: Vec<_> = sent.iter().map(|request| request.key.as_deref()).collect();
    assert_eq!(keys, [Some("who"), Some("said"), None]);
    let wit::InputRequest::Sample(params) = &sent[1].request else { panic!("expected a request for a message") };
    let expected = json!({
        "messages": [
            { "role": "user", "content": { "type": "text", "text": "Hi" } },
            { "role": "assistant", "content": { "type": "text", "text": "Hello" } },
        ],
        "systemPrompt": "Be brief.",
        "maxTokens": 100,
    });
    assert_eq!(serde_json::from_str::<Value>(params).unwrap(), expected);
    assert_eq!(sent[2].request, wit::InputRequest::ListRoots);
}

#[test]
fn a_list_of_blocks_is_read_as_its_texts() {
    let content = json!([{ "type": "text", "text": "a" }, { "type": "image" }, { "type": "text", "text": "b" }]);
    let message = json!({ "role": "assistant", "model": "m", "content": content, "stopReason": "endTurn" });
    let (said,) = (Sampling::new(1),).request(|_| vec![wit::InputResponse::Sampled(message.to_string())]);
    let said = said.unwrap();
    assert_eq!((said.text().as_str(), said.stop_reason.as_deref()), ("a\nb", Some("endTurn")));
}

#[test]
fn what_is_no_message_is_an_error() {
    let (said,) = (Sampling::new(1),).request(|_| vec![wit::InputResponse::Sampled("{}".to_owned())]);
    let text = said.unwrap_err().to_string();
    assert!(text.starts_with("what the client sent is no message of a model: missing field"), "{text}");
}

#[test]
#[should_panic(expected = "the host gave no response to a request for roots")]
fn a_response_of_another_kind_traps() {
    let _ = (ListRoots::new(),).request(|_| vec![wit::InputResponse::Sampled("{}".to_owned())]);
}
