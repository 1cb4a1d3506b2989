//! Arguments that a tool wants repeated in headers: where both are, they must say the same.

use dacapo_tests::{Answer, Client, Host};
use serde_json::{Value, json};

async fn host() -> Host {
    let host = Host::start().await;
    host.upload_guest("schemas").await;
    host
}

fn with(host: &Host, headers: &[(&str, &str)]) -> Client {
    headers.iter().fold(host.client(), |client, (name, value)| client.header(name, value))
}

fn text(answer: &Answer) -> &str {
    answer.complete()["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {}", answer.body))
}

fn rejected(answer: &Answer, header: &str) {
    assert_eq!((answer.status.as_u16(), answer.error_code()), (400, -32020), "{}", answer.body);
    let message = answer.error()["message"].as_str().expect("a message");
    assert!(message.contains(header), "{message}");
}

#[tokio::test]
async fn clients_see_which_arguments_to_repeat() {
    let host = host().await;
    let listed = host.client().call("tools/list", Value::Null).await;
    let tools = listed.complete()["tools"].as_array().expect("a list");
    let route = tools.iter().find(|tool| tool["name"] == "route").expect("the tool is listed");
    let properties = &route["inputSchema"]["properties"];
    assert_eq!(properties["region"]["x-mcp-header"], "Region");
    assert_eq!(properties["options"]["properties"]["zone"]["x-mcp-header"], "Zone");
}

#[tokio::test]
async fn every_value_in_the_body_is_repeated_in_its_header() {
    let host = host().await;
    let arguments = json!({"region": "eu", "limit": 42, "dry_run": true, "options": {"zone": "Zürich"}});
    let all = [
        ("mcp-param-region", "eu"),
        ("mcp-param-limit", "42"),
        ("mcp-param-dry-run", "true"),
        ("mcp-param-zone", "=?base64?WsO8cmljaA==?="),
    ];
    assert_eq!(text(&with(&host, &all).call_tool("route", arguments.clone()).await), "eu, 42, true, Zürich");
    for (missing, _) in all {
        let rest: Vec<_> = all.into_iter().filter(|(name, _)| *name != missing).collect();
        let answer = with(&host, &rest).call_tool("route", arguments.clone()).await;
        rejected(&answer, "is missing");
    }
    for (at, other) in [(0, "us"), (1, "43"), (2, "false"), (3, "=?base64?WnVyaWNo?=")] {
        let mut changed = all;
        changed[at].1 = other;
        rejected(&with(&host, &changed).call_tool("route", arguments.clone()).await, "Mcp-Param-");
    }
}

#[tokio::test]
async fn a_header_is_not_expected_where_the_body_has_no_value() {
    let host = host().await;
    for arguments in [Value::Null, json!({}), json!({"options": {}})] {
        assert_eq!(text(&host.client().call_tool("route", arguments.clone()).await), ", 0, false, ", "{arguments}");
        let more = with(&host, &[("mcp-param-region", "eu"), ("mcp-param-unknown", "=?base64?!?=")]);
        assert_eq!(text(&more.call_tool("route", arguments.clone()).await), ", 0, false, ", "{arguments}");
    }
    // Null is no value to repeat; that it is no text either is for the schema to say.
    let null = host.client().call_tool("route", json!({"region": null})).await;
    assert_eq!(null.complete()["isError"], true);
    assert!(text(&null).contains("\"/region\""));
}

#[tokio::test]
async fn numbers_are_compared_as_numbers() {
    let host = host().await;
    for header in ["42", "42.0", "4.2e1"] {
        let client = with(&host, &[("mcp-param-limit", header)]);
        assert_eq!(text(&client.call_tool("route", json!({"limit": 42})).await), ", 42, false, ", "{header}");
    }
    for header in ["42.5", "042", "forty-two", ""] {
        let client = with(&host, &[("mcp-param-limit", header)]);
        rejected(&client.call_tool("route", json!({"limit": 42})).await, "Mcp-Param-Limit");
    }
}

#[tokio::test]
async fn malformed_base64_is_rejected_and_half_a_sentinel_is_literal() {
    let host = host().await;
    for header in ["=?base64?SGVsbG8?=", "=?base64?SGVs!!!bG8=?="] {
        let client = with(&host, &[("mcp-param-region", header)]);
        rejected(&client.call_tool("route", json!({"region": "Hello"})).await, "Base64");
    }
    for literal in ["=?base64?SGVsbG8=", "SGVsbG8=?="] {
        let client = with(&host, &[("mcp-param-region", literal)]);
        assert!(text(&client.call_tool("route", json!({"region": literal})).await).starts_with(literal));
    }
}

#[tokio::test]
async fn a_retry_repeats_its_arguments_like_the_first_call() {
    let host = host().await;
    let arguments = json!({"region": "eu"});
    let client = with(&host, &[("mcp-param-region", "eu")]);
    let state = client.call_tool("ask_there", arguments.clone()).await.request_state().to_owned();
    let answers = json!({"elicit-1": {"action": "accept", "content": {"go_on": true}}});
    let bare = host.client().retry("ask_there", arguments.clone(), &state, answers.clone()).await;
    rejected(&bare, "Mcp-Param-Region");
    assert_eq!(text(&client.retry("ask_there", arguments, &state, answers).await), "eu");
}
