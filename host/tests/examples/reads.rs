//! What clients send is read.

use std::collections::BTreeMap;

use dacapo::protocol::cancelled::{CANCELLED, Cancelled};
use dacapo::protocol::check::check;
use dacapo::protocol::completion::{CompleteParams, Reference};
use dacapo::protocol::jsonrpc::{Message, Request, RequestId, notification};
use dacapo::protocol::meta::{ClientCapabilities, ProgressToken, RequestMeta};
use dacapo::protocol::params::CallParams;
use dacapo::protocol::subscription::SubscriptionFilter;
use dacapo_replay::reply::{ResponseKind, Root};
use dacapo_replay::{Askable, ElicitResult, InputResponse};
use serde_json::{Value, json};

use crate::same::{assert_kept, assert_text, assert_written, text_id};

fn params(mut own: Value) -> Value {
    own["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
    own["_meta"]["io.modelcontextprotocol/clientInfo"] = json!({"name": "ExampleClient", "version": "1.0.0"});
    own["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    own
}

fn read(id: &str, method: &str, own: Value) -> Request {
    let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params(own)});
    match Message::read(message.to_string().as_bytes()) {
        Ok(Message::Request(request)) => request,
        other => panic!("no request: {other:?}"),
    }
}

#[test]
fn requests_are_read() {
    let weather = json!({"name": "get_weather", "arguments": {"location": "New York"}});
    let review = json!({"name": "code_review", "arguments": {"code": "def hello():\n    print('world')"}});
    let language = json!({"ref": {"type": "ref/prompt", "name": "code_review"},
        "argument": {"name": "language", "value": "py"}});
    let filter = json!({"toolsListChanged": true, "resourceSubscriptions": ["file:///project/config.json"]});
    let examples = [
        ("call-tool-example", "tools/call", weather),
        ("completion-example", "completion/complete", language),
        ("discover-1", "server/discover", json!({})),
        ("get-prompt-example", "prompts/get", review),
        ("list-prompts-example", "prompts/list", json!({})),
        ("list-prompts-example", "prompts/list", json!({"cursor": "eyJwYWdlIjogMn0="})),
        ("list-resource-templates-example", "resources/templates/list", json!({})),
        ("list-resources-example", "resources/list", json!({})),
        ("list-tools-example", "tools/list", json!({})),
        ("listen-1", "subscriptions/listen", json!({"notifications": filter})),
        ("read-resource-example", "resources/read", json!({"uri": "file:///project/src/main.rs"})),
    ];
    for (id, method, own) in examples {
        let request = read(id, method, own.clone());
        let (known, meta) = check(&request).unwrap();
        assert_eq!((request.id, known.name()), (text_id(id), method));
        assert_eq!((meta.protocol_version.as_str(), meta.capabilities.askable()), ("2026-07-28", Askable::default()));
        assert_eq!(meta.progress_token, None);
        let call = CallParams::read(request.params).unwrap();
        assert_written(&call.original, own.clone());
        if let Some(target) = known.target() {
            assert_eq!(json!(call.original.text(target).unwrap()), own[target]);
        }
    }
    let request = read("listen-1", "subscriptions/listen", json!({"notifications": filter}));
    assert_written(&SubscriptionFilter::read(&request.params).unwrap(), filter);
}

#[test]
fn a_progress_token_is_read_and_comes_back() {
    let own = json!({"name": "build_simulation", "arguments": {"city": "Micropolis"},
        "_meta": {"progressToken": "oivaizmir"}});
    let meta = RequestMeta::read(&read("1", "tools/call", own).params).unwrap();
    assert_eq!(meta.progress_token, Some(ProgressToken::Text("oivaizmir".into())));
    let report = |token: Value| {
        json!({"progressToken": token, "progress": 50, "total": 100,
        "message": "Reticulating splines..."})
    };
    let method = "notifications/progress";
    assert_text(
        &notification(method, &report(json!(meta.progress_token))),
        json!({"jsonrpc": "2.0", "method": method, "params": report("oivaizmir".into())}),
    );
    assert_kept::<RequestId>(json!("call-tool-example"));
    assert_kept::<RequestId>(json!(1));
}

#[test]
fn completions_are_read_with_what_is_filled_in_already() {
    let own = json!({"ref": {"type": "ref/prompt", "name": "code_review"},
        "argument": {"name": "framework", "value": "fla"}, "context": {"arguments": {"language": "python"}}});
    let read = CompleteParams::read(&read("1", "completion/complete", own).params).unwrap();
    assert!(matches!(&read.r#ref, Reference::Prompt { name } if name == "code_review"), "{read:?}");
    assert_eq!((read.argument.name.as_str(), read.argument.value.as_str()), ("framework", "fla"));
    assert_eq!(read.context.unwrap().arguments, BTreeMap::from([("language".into(), "python".into())]));
}

#[test]
fn capabilities_are_read() {
    let none = Askable::default();
    let examples = [
        (json!({"elicitation": {"form": {}, "url": {}}}), Askable { form: true, url: true, ..none }),
        (json!({"elicitation": {}}), Askable { form: true, ..none }),
        (json!({"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}), none),
        (json!({"roots": {}}), Askable { roots: true, ..none }),
        (json!({"sampling": {"context": {}}}), Askable { sampling: true, ..none }),
        (json!({"sampling": {}}), Askable { sampling: true, ..none }),
        (json!({"sampling": {"tools": {}}}), Askable { sampling: true, sampling_tools: true, ..none }),
    ];
    for (example, askable) in examples {
        let read: ClientCapabilities = serde_json::from_value(example.clone()).unwrap();
        assert_eq!(read.askable(), askable, "{example}");
    }
}

#[test]
fn responses_to_what_was_asked_are_read_and_kept() {
    for example in [
        json!({"action": "accept"}),
        json!({"action": "accept", "content": {"name": "octocat"}}),
        json!({"action": "accept", "content": {"name": "Monalisa Octocat", "email": "octocat@github.com", "age": 30}}),
    ] {
        let read = InputResponse::read(ResponseKind::Elicit, &example.to_string()).unwrap();
        assert_eq!(read, InputResponse::Elicit(serde_json::from_value(example.clone()).unwrap()));
        assert_kept::<ElicitResult>(example);
    }
    let used =
        |id: &str, city: &str| json!({"type": "tool_use", "id": id, "name": "get_weather", "input": {"city": city}});
    for (content, stop) in [
        (json!({"type": "text", "text": "The capital of France is Paris."}), "endTurn"),
        (json!([used("call_abc123", "Paris"), used("call_def456", "London")]), "toolUse"),
    ] {
        let example = json!({"role": "assistant", "content": content, "model": "a-model", "stopReason": stop});
        let read = InputResponse::read(ResponseKind::Sample, &example.to_string()).unwrap();
        assert_eq!(read, InputResponse::Sample(example.as_object().unwrap().clone()));
    }
    let root = |uri: &str, name: &str| json!({"uri": uri, "name": name});
    for roots in [
        vec![root("file:///home/user/projects/myproject", "My Project")],
        vec![
            root("file:///home/user/repos/frontend", "Frontend Repository"),
            root("file:///home/user/repos/backend", "Backend Repository"),
        ],
    ] {
        let read = InputResponse::read(ResponseKind::Roots, &json!({ "roots": roots }).to_string()).unwrap();
        let InputResponse::Roots(read) = read else { panic!("no roots: {read:?}") };
        assert_written(&read, json!({ "roots": roots }));
        roots.into_iter().for_each(assert_kept::<Root>);
    }
}

#[test]
fn a_cancellation_is_read_and_kept() {
    let own = json!({"requestId": "123", "reason": "User requested cancellation"});
    let example = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": own});
    let Ok(Message::Notification { method, params }) = Message::read(example.to_string().as_bytes()) else {
        panic!("no notification");
    };
    let cancelled = Cancelled::read(&params).unwrap();
    assert_eq!((method.as_str(), &cancelled.request_id), (CANCELLED, &text_id("123")));
    assert_text(&notification(CANCELLED, &cancelled), example);
}
