//! What holds the messages of all other tests against the protocol's schema does see what breaks it.

use std::panic::catch_unwind;

use dacapo_tests::schema::{check_notification, check_request, check_response};
use serde_json::{Value, json};

fn breaks(check: fn(&Value), message: Value) -> bool {
    catch_unwind(|| check(&message)).is_err()
}

fn request(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

fn result(result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "result": result})
}

fn error(code: i32, data: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": "no", "data": data}})
}

#[test]
fn requests_are_held_against_the_definition_for_their_method() {
    check_request(&request("tools/call", json!({"name": "hello"})));
    check_request(&request("resources/read", json!({"uri": "test://a"})));
    assert!(breaks(check_request, request("tools/call", json!({}))));
    assert!(breaks(check_request, request("tools/call", json!({"name": "hello", "arguments": []}))));
    assert!(breaks(check_request, request("resources/read", json!({"uri": "no uri"}))));
    assert!(breaks(check_request, request("initialize", json!({}))));
    assert!(breaks(check_request, json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}})));
    let mut without_id = request("tools/list", json!({}));
    without_id["id"] = Value::Null;
    assert!(breaks(check_request, without_id));
}

#[test]
fn results_are_held_against_the_definition_for_the_method_that_was_called() {
    let called = |message: &Value| check_response(Some("tools/call"), message);
    let listed = |message: &Value| check_response(Some("tools/list"), message);
    let asks = result(json!({"resultType": "input_required", "requestState": "x"}));
    called(&result(json!({"resultType": "complete", "content": [{"type": "text", "text": "hello"}]})));
    called(&asks);
    listed(&result(json!({"resultType": "complete", "tools": [], "ttlMs": 0, "cacheScope": "public"})));
    assert!(breaks(called, result(json!({"resultType": "complete", "content": [{"type": "text"}]}))));
    assert!(breaks(called, result(json!({"resultType": "complete"}))));
    assert!(breaks(listed, result(json!({"resultType": "complete", "tools": []}))));
    assert!(breaks(listed, asks));
    assert!(breaks(|message| check_response(None, message), result(json!({"resultType": "complete"}))));
}

#[test]
fn errors_are_held_against_the_definition_for_their_code() {
    let check = |message: &Value| check_response(Some("tools/call"), message);
    check(&error(-32602, json!({"anything": "goes"})));
    check(&error(-32022, json!({"supported": ["2026-07-28"], "requested": "1"})));
    assert!(breaks(check, error(-32022, json!({"supported": ["2026-07-28"]}))));
    assert!(breaks(check, error(-32021, Value::Null)));
    assert!(breaks(check, json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602}})));
    assert!(breaks(check, json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32602, "message": "no"}})));
    assert!(breaks(check, json!({"message": "no"})));
}

#[test]
fn notifications_are_held_against_the_definition_for_their_method() {
    let progress = |params: Value| json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
    check_notification(&progress(json!({"progressToken": "t", "progress": 0.5, "total": 1})));
    assert!(breaks(check_notification, progress(json!({"progress": 0.5}))));
    assert!(breaks(check_notification, json!({"jsonrpc": "2.0", "method": "notifications/initialized"})));
}
