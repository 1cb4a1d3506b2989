//! The endpoint's rules: headers, metadata, errors and their status, in the order in which clients rely on.

use dacapo_tests::{Answer, Client, Host};
use reqwest::header::HeaderMap;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// Sends a call of `hello` after `change` has had its way with it.
async fn changed(client: &Client, change: impl FnOnce(&mut HeaderMap, &mut Value)) -> Answer {
    let mut body = client.body("tools/call", json!({"name": "hello", "arguments": {"name": "Ada"}}));
    let mut headers = client.headers(&body);
    change(&mut headers, &mut body);
    client.raw(headers, body.to_string()).await
}

fn failed(answer: &Answer) -> (u16, i64) {
    assert!(answer.error()["message"].as_str().is_some_and(|message| !message.is_empty()));
    (answer.status.as_u16(), answer.error_code())
}

async fn host() -> Host {
    let host = Host::start().await;
    host.upload_guest("hello").await;
    host
}

fn set(headers: &mut HeaderMap, name: &'static str, value: &str) {
    headers.insert(name, value.parse().expect("a header's value"));
}

#[tokio::test]
async fn discovery_says_what_the_server_speaks_and_can() {
    let host = host().await;
    let answer = host.client().call("server/discover", Value::Null).await;
    let result = answer.complete();
    assert_eq!(result["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(
        result["capabilities"],
        json!({
            "tools": {"listChanged": true},
            "prompts": {"listChanged": true},
            "resources": {"listChanged": true, "subscribe": true},
            "completions": {}
        })
    );
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(0), &json!("private")));
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "dacapo");
    assert_eq!(answer.headers["content-type"], "application/json");
}

#[tokio::test]
async fn tools_are_listed_with_their_schemas_and_how_long_the_list_is_good() {
    let host = host().await;
    let answer = host.client().call("tools/list", Value::Null).await;
    let result = answer.complete();
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(0), &json!("private")));
    let tool = &result["tools"][0];
    assert_eq!(tool["name"], "hello");
    assert!(tool["description"].as_str().is_some_and(|text| !text.is_empty()));
    assert_eq!(tool["inputSchema"]["properties"]["name"]["type"], "string");
    let bad = host.client().call("tools/list", json!({"cursor": "made-up"})).await;
    assert_eq!(failed(&bad), (400, -32602));
}

#[tokio::test]
async fn the_first_rule_that_is_broken_is_the_one_that_is_told() {
    let host = host().await;
    let client = host.client();
    let meta = |body: &mut Value| body["params"]["_meta"].as_object_mut().expect("_meta").clone();
    let no_version_header = changed(&client, |headers, _| drop(headers.remove("mcp-protocol-version"))).await;
    assert_eq!(failed(&no_version_header), (400, -32020));
    for missing in ["_meta", VERSION, CAPABILITIES] {
        let answer = changed(&client, |_, body| {
            let mut left = meta(body);
            left.remove(missing);
            body["params"]["_meta"] = left.into();
            if missing == "_meta" {
                body["params"].as_object_mut().expect("params").remove("_meta");
            }
        })
        .await;
        assert_eq!(failed(&answer), (400, -32602), "{missing}");
        assert!(answer.error()["message"].as_str().is_some_and(|message| message.contains(missing)), "{missing}");
    }
    let other_version = changed(&client, |_, body| body["params"]["_meta"][VERSION] = "v999.0.0".into()).await;
    assert_eq!(failed(&other_version), (400, -32020));
    let unsupported = changed(&client, |headers, body| {
        set(headers, "mcp-protocol-version", "v999.0.0");
        body["params"]["_meta"][VERSION] = "v999.0.0".into();
    })
    .await;
    assert_eq!(failed(&unsupported), (400, -32022));
    assert_eq!(unsupported.error()["data"], json!({"supported": ["2026-07-28"], "requested": "v999.0.0"}));
    for name in ["mcp-method", "mcp-name"] {
        let missing = changed(&client, |headers, _| drop(headers.remove(name))).await;
        assert_eq!(failed(&missing), (400, -32020), "{name}");
        for wrong in ["Hello", "HELLO", "tools/Call", "x"] {
            let wrong = changed(&client, |headers, _| set(headers, name, wrong)).await;
            assert_eq!(failed(&wrong), (400, -32020), "{name}");
        }
    }
    let unknown = client.unchecked().call("tools/frobnicate", json!({})).await;
    assert_eq!(failed(&unknown), (404, -32601));
}

#[tokio::test]
async fn methods_of_earlier_revisions_are_not_found_and_their_handshake_learns_the_version() {
    let host = host().await;
    let client = host.client().unchecked();
    for method in ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"] {
        let answer = client.call(method, json!({})).await;
        assert_eq!(failed(&answer), (404, -32601), "{method}");
        assert!(!answer.body["id"].is_null(), "{method}");
    }
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "old", "version": "1"}}});
    let mut headers = HeaderMap::new();
    set(&mut headers, "content-type", "application/json");
    set(&mut headers, "accept", "application/json, text/event-stream");
    let answer = client.raw(headers, body.to_string()).await;
    assert_eq!(failed(&answer), (400, -32022));
    assert_eq!(answer.error()["data"], json!({"supported": ["2026-07-28"], "requested": "2025-06-18"}));
}

#[tokio::test]
async fn header_names_come_in_any_case_and_values_may_be_padded_or_encoded() {
    let host = host().await;
    let client = host.client();
    for value in ["hello", "  hello\t", "=?base64?aGVsbG8=?="] {
        let answer = changed(&client, |headers, _| set(headers, "mcp-name", value)).await;
        answer.complete();
    }
    for value in
        ["=?base64?aGVsbG8?=", "=?base64?aGVs!!!bG8=?=", "=?base64?aGVsbG8=", "aGVsbG8=?=", "=?BASE64?aGVsbG8=?="]
    {
        let answer = changed(&client, |headers, _| set(headers, "mcp-name", value)).await;
        assert_eq!(failed(&answer), (400, -32020), "{value}");
    }
}

#[tokio::test]
async fn what_is_no_request_is_told_so_with_the_id_where_there_is_one() {
    let host = host().await;
    let client = host.client();
    let good = client.body("tools/list", Value::Null);
    let headers = client.headers(&good);
    let bodies = [
        ("", -32700, Value::Null),
        ("{", -32700, Value::Null),
        ("\u{feff}{}", -32700, Value::Null),
        ("[]", -32600, Value::Null),
        (r#"["2.0", 1, "tools/list", {}]"#, -32600, Value::Null),
        ("1", -32600, Value::Null),
        (r#"{"id": 7, "method": "tools/list"}"#, -32600, json!(7)),
        (r#"{"jsonrpc": "1.0", "id": "x", "method": "tools/list"}"#, -32600, json!("x")),
        (r#"{"jsonrpc": "2.0", "id": 7, "result": {}}"#, -32600, json!(7)),
        (r#"{"jsonrpc": "2.0", "id": null, "method": "tools/list"}"#, -32600, Value::Null),
        (r#"{"jsonrpc": "2.0", "id": [], "method": "tools/list"}"#, -32600, Value::Null),
        (r#"{"jsonrpc": "2.0", "id": 7, "method": 8}"#, -32600, Value::Null),
    ];
    for (body, code, id) in bodies {
        let answer = client.raw(headers.clone(), body).await;
        assert_eq!(failed(&answer), (400, code), "{body}");
        assert_eq!(answer.body["id"], id, "{body}");
    }
    let deep = r#"{"a":"#.repeat(100_000);
    assert_eq!(failed(&client.raw(headers.clone(), deep).await), (400, -32700));
    let notification = client.raw(headers, r#"{"jsonrpc": "2.0", "method": "notifications/cancelled"}"#).await;
    assert_eq!((notification.status.as_u16(), &notification.body), (202, &Value::Null));
}

#[tokio::test]
async fn ids_come_back_as_they_were_sent() {
    let host = host().await;
    let client = host.client();
    for id in [json!(0), json!(-1), json!(9_007_199_254_740_993_i64), json!(""), json!("a\"b")] {
        let answer = changed(&client, |_, body| body["id"] = id.clone()).await;
        assert_eq!(answer.body["id"], id);
    }
}

#[tokio::test]
async fn only_posts_of_json_from_clients_that_take_both_forms_are_served() {
    let host = host().await;
    let client = host.client();
    for method in [Method::GET, Method::DELETE, Method::PUT] {
        let answer = Answer::to(host.request(method, "/mcp")).await;
        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(answer.headers["allow"], "POST");
    }
    for accept in ["application/json", "text/event-stream", "text/html", ""] {
        let answer = changed(&client, |headers, _| set(headers, "accept", accept)).await;
        assert_eq!(failed(&answer).0, 406, "{accept}");
    }
    for accept in ["*/*", "text/event-stream;q=0.5 , application/json; charset=utf-8", "application/*, text/*"] {
        changed(&client, |headers, _| set(headers, "accept", accept)).await.complete();
    }
    for content in ["text/plain", "application/json-seq", ""] {
        let answer = changed(&client, |headers, _| set(headers, "content-type", content)).await;
        assert_eq!(failed(&answer).0, 415, "{content}");
    }
    changed(&client, |headers, _| set(headers, "content-type", "application/json; charset=utf-8")).await.complete();
    let answer = changed(&client, |_, body| body["params"]["arguments"]["name"] = "x".repeat(5 << 20).into()).await;
    assert_eq!(failed(&answer).0, 413);
}

#[tokio::test]
async fn sessions_and_resumption_are_ignored() {
    let host = host().await;
    let client = host.client().header("mcp-session-id", "abc").header("last-event-id", "7");
    let answer = client.call_tool("hello", json!({"name": "Ada"})).await;
    answer.complete();
    assert!(!answer.headers.contains_key("mcp-session-id"));
}

#[tokio::test]
async fn pages_and_names_that_are_not_let_in_are_refused_at_every_door() {
    let host = Host::builder()
        .args(["--allowed-hosts", "mcp.example.org", "--allowed-origins", "https://app.example.org"])
        .start()
        .await;
    host.upload_guest("hello").await;
    let allowed = [
        ("localhost", None),
        ("127.0.0.1:1234", None),
        ("[::1]:80", None),
        ("mcp.example.org", Some("https://app.example.org")),
        ("MCP.example.org:443", Some("http://localhost:3000")),
        ("localhost", Some("http://127.0.0.1")),
    ];
    let refused = [
        ("evil.example.com", None),
        ("localhost.evil.example.com", None),
        ("evil.example.com", Some("http://evil.example.com")),
        ("localhost", Some("http://evil.example.com")),
        ("localhost", Some("http://localhost.evil.example.com")),
        ("localhost", Some("https://mcp.example.org")),
        ("localhost", Some("null")),
    ];
    let cases = allowed.map(|case| (case, true)).into_iter().chain(refused.map(|case| (case, false)));
    for ((name, origin), let_in) in cases {
        let mut client = host.client().header("host", name);
        if let Some(origin) = origin {
            client = client.header("origin", origin);
        }
        let answer = client.call_tool("hello", json!({"name": "Ada"})).await;
        assert_eq!(answer.status.as_u16(), if let_in { 200 } else { 403 }, "{name} {origin:?}");
        if !let_in {
            let mut request = host.request(Method::GET, "/v1/handlers").header("host", name);
            if let Some(origin) = origin {
                request = request.header("origin", origin);
            }
            assert_eq!(Answer::to(request).await.status, StatusCode::FORBIDDEN, "{name} {origin:?}");
        }
    }
}

#[tokio::test]
async fn calls_that_make_no_sense_are_invalid_params() {
    let host = host().await;
    let client = host.client().unchecked();
    let unknown = client.call_tool("no-such-tool", json!({})).await;
    assert_eq!(failed(&unknown), (400, -32602));
    assert!(unknown.error()["message"].as_str().is_some_and(|message| message.contains("no-such-tool")));
    for arguments in [json!([]), json!("x"), json!(1), json!(true)] {
        let answer = client.call_tool("hello", arguments.clone()).await;
        assert_eq!(failed(&answer), (400, -32602), "{arguments}");
    }
    let odd = |member: &str, value: Value| {
        let mut params = json!({"name": "hello", "arguments": {"name": "Ada"}});
        params[member] = value;
        client.call("tools/call", params)
    };
    assert_eq!(failed(&odd("requestState", json!(1)).await), (400, -32602));
    assert_eq!(failed(&odd("inputResponses", json!([])).await), (400, -32602));
    odd("requestState", Value::Null).await.complete();
}

#[tokio::test]
async fn arguments_that_the_tool_does_not_understand_are_a_result_that_says_where() {
    let host = host().await;
    for arguments in [json!({}), json!({"name": 1}), Value::Null] {
        let answer = host.client().call_tool("hello", arguments.clone()).await;
        let result = answer.complete();
        assert_eq!(result["isError"], true, "{arguments}");
        assert!(result["content"][0]["text"].as_str().is_some_and(|text| text.contains("name")), "{result}");
    }
}
