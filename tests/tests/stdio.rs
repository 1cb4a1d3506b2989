//! A client that has started the host itself, and speaks to it over standard input and output.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use dacapo_tests::{PROTOCOL_VERSION, Pipe};
use serde_json::{Value, json};

const ID: &str = "io.modelcontextprotocol/subscriptionId";
const QUIET: Duration = Duration::from_millis(500);
const SOON: Duration = Duration::from_secs(5);

fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": PROTOCOL_VERSION,
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
    })
}

fn request(id: impl Into<Value>, method: &str, mut params: Value) -> Value {
    if params.get("_meta").is_none() {
        params["_meta"] = meta();
    }
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

fn cancel(id: impl Into<Value>) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id.into()}})
}

/// A call of the tool that never returns, with progress to say that it runs.
fn spin(id: impl Into<Value>) -> Value {
    let mut meta = meta();
    meta["progressToken"] = "spinning".into();
    request(id, "tools/call", json!({"name": "spin", "_meta": meta}))
}

/// The next message, which must be the response to `id`.
async fn response(pipe: &mut Pipe, id: impl Into<Value>) -> Value {
    let message = pipe.next().await.expect("a response");
    assert_eq!(message["id"], id.into(), "{message}");
    message
}

/// The processor time that a process has used, in clock ticks.
fn ticks(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process runs");
    // After the name, which ends with the last parenthesis, user and system time are fields 12 and 13.
    let fields: Vec<&str> = stat.rsplit_once(')').expect("a name").1.split_whitespace().collect();
    fields[11..=12].iter().map(|field| field.parse::<u64>().expect("a number")).sum()
}

#[tokio::test]
async fn a_whole_conversation_goes_over_pipes() {
    let mut pipe = Pipe::start(&["upgrade-plan", "hello"]);
    pipe.send(&request("a", "server/discover", json!({}))).await;
    let discovered = response(&mut pipe, "a").await;
    assert_eq!(discovered["result"]["supportedVersions"], json!([PROTOCOL_VERSION]));
    pipe.send(&request(2, "tools/list", json!({}))).await;
    let tools = response(&mut pipe, 2).await["result"]["tools"].clone();
    let names: Vec<&str> = tools.as_array().expect("a list").iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["hello", "upgrade-plan"]);

    let mut params = json!({"name": "upgrade-plan", "arguments": {"user": "ada"}});
    pipe.send(&request(3, "tools/call", params.clone())).await;
    let mut asked = response(&mut pipe, 3).await;
    for (id, key, content) in [(4, "elicit-1", json!({"plan": "team"})), (5, "elicit-2", json!({"confirmed": true}))] {
        assert_eq!(asked["result"]["resultType"], "input_required");
        assert!(asked["result"]["inputRequests"][key].is_object(), "{asked}");
        params["requestState"] = asked["result"]["requestState"].clone();
        params["inputResponses"] = json!({ key: {"action": "accept", "content": content} });
        pipe.send(&request(id, "tools/call", params.clone())).await;
        asked = response(&mut pipe, id).await;
    }
    let outcome = json!({"status": "upgraded", "user": "ada", "plan": "team"});
    assert_eq!(asked["result"]["structuredContent"], outcome);
    // What handlers print goes to the log, for nothing but messages goes to standard output.
    pipe.wait_for_log("charged ada for team").await;
    pipe.close();
    assert_eq!(pipe.next().await, None);
    assert!(pipe.ended(SOON).await.success());
}

#[tokio::test]
async fn a_call_that_is_cancelled_stops_and_is_heard_of_no_more() {
    let mut pipe = Pipe::start(&["spinner", "hello"]);
    pipe.send(&spin(1)).await;
    let progress = pipe.next().await.expect("progress");
    assert_eq!(progress["method"], "notifications/progress");
    assert_eq!(progress["params"]["progressToken"], "spinning");
    // Those that are not under way, and what is no id at all, are ignored.
    for id in [json!(7), json!("1"), json!(null), json!([1])] {
        pipe.send(&cancel(id)).await;
    }
    // The host answers others while the handler spins.
    pipe.send(&request(2, "tools/call", json!({"name": "hello", "arguments": {"name": "Ada"}}))).await;
    response(&mut pipe, 2).await;
    pipe.send(&cancel(1)).await;
    pipe.wait_for_log("request cancelled").await;
    assert!(pipe.is_silent_for(QUIET).await);
    let before = ticks(pipe.pid());
    tokio::time::sleep(Duration::from_secs(1)).await;
    let used = ticks(pipe.pid()) - before;
    assert!(used < 50, "the handler still runs: {used} ticks in a second");
    // The id is free again.
    pipe.send(&request(1, "tools/list", json!({}))).await;
    response(&mut pipe, 1).await;
}

#[tokio::test]
async fn calls_run_side_by_side() {
    let mut pipe = Pipe::start(&["spinner", "upgrade-plan"]);
    pipe.send(&spin("endless")).await;
    assert_eq!(pipe.next().await.expect("progress")["method"], "notifications/progress");
    let mut missing: HashMap<i64, &str> = [(1, "ada"), (2, "bob")].into();
    for (id, user) in &missing {
        pipe.send(&request(*id, "tools/call", json!({"name": "upgrade-plan", "arguments": {"user": user}}))).await;
    }
    while !missing.is_empty() {
        let message = pipe.next().await.expect("a response");
        assert_eq!(message["result"]["resultType"], "input_required");
        assert!(missing.remove(&message["id"].as_i64().expect("a number")).is_some(), "{message}");
    }
    // An id that is under way can't be another's.
    pipe.send(&request("endless", "tools/list", json!({}))).await;
    let refused = pipe.next().await.expect("an error");
    assert_eq!((&refused["error"]["code"], refused.get("id")), (&json!(-32600), None));
}

#[tokio::test]
async fn what_breaks_a_rule_is_told_so_and_the_next_message_is_served() {
    let mut pipe = Pipe::start_with([
        "--max-request",
        "1KiB",
        "--handler",
        dacapo_tests::guests::path("hello").to_str().expect("UTF-8"),
    ]);
    let mut other_version = meta();
    other_version["io.modelcontextprotocol/protocolVersion"] = "v999.0.0".into();
    let handshake =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "old", "version": "1"}});
    let long = request(9, "tools/list", json!({"x": "x".repeat(100_000)})).to_string();
    let lines = [
        ("{".to_owned(), None, -32700),
        ("\u{0}".to_owned(), None, -32700),
        ("[]".to_owned(), None, -32600),
        (long, None, -32600),
        (json!({"jsonrpc": "2.0", "id": 1, "result": {}}).to_string(), Some(1), -32600),
        (json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}).to_string(), Some(2), -32602),
        (json!({"jsonrpc": "2.0", "id": 3, "method": "initialize", "params": handshake}).to_string(), Some(3), -32022),
        (request(4, "tools/list", json!({"_meta": other_version})).to_string(), Some(4), -32022),
        (request(5, "tools/frobnicate", json!({})).to_string(), Some(5), -32601),
        (request(6, "subscriptions/listen", json!({})).to_string(), Some(6), -32602),
        (request(7, "tools/call", json!({"name": "frobnicate"})).to_string(), Some(7), -32602),
    ];
    for (line, id, code) in lines {
        pipe.send_line(line.as_bytes()).await;
        let message = pipe.next().await.expect("an error");
        assert_eq!(message.get("id"), id.map(Value::from).as_ref(), "{line}");
        assert_eq!(message["error"]["code"], code, "{line}");
        if code == -32022 {
            assert_eq!(message["error"]["data"]["supported"], json!([PROTOCOL_VERSION]));
        }
    }
    pipe.send_line(&[0xff, 0xfe]).await;
    assert_eq!(pipe.next().await.expect("an error")["error"]["code"], -32700);
    pipe.send_line(b"").await;
    pipe.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    pipe.send(&request(8, "tools/list", json!({}))).await;
    assert_eq!(response(&mut pipe, 8).await["result"]["tools"][0]["name"], "hello");
}

#[tokio::test]
async fn listeners_share_the_pipe_and_are_told_apart_by_their_ids() {
    let mut pipe = Pipe::start(&["herald"]);
    for (id, filter) in
        [("a", json!({"toolsListChanged": true})), ("b", json!({"resourceSubscriptions": ["note://x"]}))]
    {
        pipe.send(&request(id, "subscriptions/listen", json!({ "notifications": filter }))).await;
        let first = pipe.next().await.expect("an acknowledgement");
        assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
        assert_eq!(first["params"], json!({"notifications": filter, "_meta": {ID: id}}));
    }
    let announce =
        |id: i64| request(id, "tools/call", json!({"name": "announce-list", "arguments": {"list": "tools"}}));
    pipe.send(&announce(1)).await;
    let mut seen = Vec::new();
    for _ in 0..2 {
        let message = pipe.next().await.expect("a message");
        if message["method"] == "notifications/tools/list_changed" {
            assert_eq!(message["params"]["_meta"][ID], "a");
        } else {
            assert_eq!(message["id"], 1);
        }
        seen.push(message);
    }
    assert_ne!(seen[0]["id"], seen[1]["id"]);
    // The client ends one; the server ends the other when its input ends.
    pipe.send(&cancel("a")).await;
    pipe.send(&announce(2)).await;
    response(&mut pipe, 2).await;
    assert!(pipe.is_silent_for(QUIET).await);
    pipe.close();
    let result = response(&mut pipe, "b").await;
    assert_eq!(result["result"]["resultType"], "complete");
    assert_eq!(result["result"]["_meta"][ID], "b");
    let cancelled = pipe.next().await.expect("the word that it is over");
    assert_eq!(
        (&cancelled["method"], &cancelled["params"]["requestId"]),
        (&json!("notifications/cancelled"), &json!("b"))
    );
    assert_eq!(pipe.next().await, None);
    assert!(pipe.ended(SOON).await.success());
}

#[tokio::test]
async fn the_end_of_the_input_ends_the_host_whatever_runs() {
    let mut pipe = Pipe::start(&["spinner"]);
    pipe.send(&spin(1)).await;
    assert_eq!(pipe.next().await.expect("progress")["method"], "notifications/progress");
    let closed = Instant::now();
    pipe.close();
    assert!(pipe.ended(SOON).await.success());
    assert!(closed.elapsed() < SOON);
}

#[tokio::test]
async fn calls_that_end_soon_are_answered_after_the_end_of_the_input() {
    let mut pipe = Pipe::start(&["hello"]);
    for id in 1..=5 {
        pipe.send(&request(id, "tools/call", json!({"name": "hello", "arguments": {"name": "Ada"}}))).await;
    }
    pipe.close();
    let mut answered = Vec::new();
    while let Some(message) = pipe.next().await {
        assert!(message["result"]["content"][0]["text"].as_str().is_some_and(|text| text.contains("Ada")), "{message}");
        answered.push(message["id"].as_i64().expect("a number"));
    }
    answered.sort_unstable();
    assert_eq!(answered, [1, 2, 3, 4, 5]);
    assert!(pipe.ended(SOON).await.success());
}

#[tokio::test]
async fn a_signal_ends_the_host_though_its_input_is_open() {
    let mut pipe = Pipe::start(&["hello"]);
    pipe.send(&request(1, "tools/list", json!({}))).await;
    response(&mut pipe, 1).await;
    let pid = pipe.pid().to_string();
    assert!(std::process::Command::new("kill").arg(pid).status().expect("kill starts").success());
    assert_eq!(pipe.next().await, None);
    assert!(pipe.ended(SOON).await.success());
}
