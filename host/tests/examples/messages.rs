//! Notifications, errors, and the parts of results that have no thing of their own.

use dacapo::protocol::completion::Completion;
use dacapo::protocol::error::RpcError;
use dacapo::protocol::jsonrpc::{RequestId, response};
use dacapo::protocol::meta::ClientCapabilities;
use dacapo::protocol::result::{CacheScope, Caching, ResultType};
use dacapo::protocol::subscription::{SubscriptionFilter, tag, tagged};
use dacapo_replay::Askable;
use serde_json::{Value, json};

use crate::same::{assert_text, assert_written, result, text_id};

#[test]
fn completions_are_written() {
    let values = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    assert_written(
        &Completion { values: values(&["python", "pytorch", "pyside"]), total: Some(10), has_more: Some(true) },
        json!({"values": ["python", "pytorch", "pyside"], "total": 10, "hasMore": true}),
    );
    assert_written(
        &Completion { values: values(&["flask"]), total: Some(1), has_more: Some(false) },
        json!({"values": ["flask"], "total": 1, "hasMore": false}),
    );
}

#[test]
fn how_long_and_for_whom_results_are_good_is_written() {
    for (ttl_ms, cache_scope, scope) in [
        (300_000, CacheScope::Public, "public"),
        (3_600_000, CacheScope::Public, "public"),
        (60_000, CacheScope::Private, "private"),
    ] {
        assert_written(&Caching { ttl_ms, cache_scope }, json!({"ttlMs": ttl_ms, "cacheScope": scope}));
    }
}

#[test]
fn what_listeners_hear_is_written() {
    let id = text_id("listen-1");
    let meta = json!({"io.modelcontextprotocol/subscriptionId": "listen-1"});
    let filter = json!({"toolsListChanged": true, "resourceSubscriptions": ["file:///project/config.json"]});
    let read: SubscriptionFilter = serde_json::from_value(filter.clone()).unwrap();
    let method = "notifications/subscriptions/acknowledged";
    assert_text(
        &tagged(&id, method, &json!({"notifications": read})),
        json!({"jsonrpc": "2.0", "method": method, "params": {"_meta": meta, "notifications": filter}}),
    );
    for list in ["tools", "prompts", "resources"] {
        let method = format!("notifications/{list}/list_changed");
        assert_text(
            &tagged(&id, &method, &json!({})),
            json!({"jsonrpc": "2.0", "method": method, "params": {"_meta": meta}}),
        );
    }
    let (method, uri) = ("notifications/resources/updated", "file:///project/src/main.rs");
    assert_text(
        &tagged(&id, method, &json!({"uri": uri})),
        json!({"jsonrpc": "2.0", "method": method, "params": {"_meta": meta, "uri": uri}}),
    );
    let closed = result(ResultType::Complete, Some(tag(&id)), &json!({}));
    assert_text(
        &response(Some(&id), &Ok(closed)),
        json!({"jsonrpc": "2.0", "id": "listen-1", "result": {"resultType": "complete", "_meta": meta}}),
    );
}

#[test]
fn errors_are_written() {
    let said = "Header mismatch: Mcp-Name header value 'foo' does not match body value 'bar'";
    assert_text(
        &response(Some(&RequestId::Number(1)), &Err(RpcError::header_mismatch(said))),
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32020, "message": said}}),
    );
    for said in [
        "Invalid cursor",
        "Invalid arguments for tool calculate: Missing required property 'expression'",
        "Unknown prompt: invalid_prompt_name",
        "Unknown tool: invalid_tool_name",
    ] {
        assert_written(&RpcError::invalid_params(said), json!({"code": -32602, "message": said}));
    }
    let said = "Parse error: Invalid JSON";
    assert_written(&RpcError::parse(said), json!({"code": -32700, "message": said}));
    assert_written(&RpcError::internal("Internal error"), json!({"code": -32603, "message": "Internal error"}));
}

/// An error with another message, where the words are the server's own.
fn saying(message: &str, error: RpcError) -> RpcError {
    RpcError { message: message.into(), ..error }
}

#[test]
fn errors_with_words_of_the_host_are_written_with_the_same_facts() {
    let unknown = saying("Prompts not supported", RpcError::method_not_found("prompts/list"));
    assert_written(&unknown, json!({"code": -32601, "message": "Prompts not supported"}));

    // This host speaks one revision where the example speaks two.
    let said = "Unsupported protocol version";
    let unsupported = saying(said, RpcError::unsupported_version("1900-01-01"));
    assert_written(
        &unsupported,
        json!({"code": -32022, "message": said,
            "data": {"supported": ["2026-07-28"], "requested": "1900-01-01"}}),
    );

    // The host names the mode that it needs. The example leaves it out, which means forms.
    let lacking = Askable { form: true, ..Askable::default() };
    let error = RpcError::missing_capabilities(lacking);
    let required = |data: Value| {
        let required: ClientCapabilities = serde_json::from_value(data["requiredCapabilities"].clone()).unwrap();
        required.askable()
    };
    let example = json!({"requiredCapabilities": {"elicitation": {}}});
    assert_eq!((error.code, required(error.data.unwrap())), (-32021, required(example)));
}
