//! Whatever a handler wants too much of, it is told so by name, and so are its client and its operator; and nobody else
//! waits for it.

use std::time::{Duration, Instant};

use dacapo_tests::{Answer, Client, Host};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::timeout;

/// Limits that are reached soon.
const TIGHT: [&str; 22] = [
    "--memory=16MiB",
    "--deadline=5s",
    "--max-questions=2",
    "--max-token=4KiB",
    "--max-once-values=2",
    "--max-once-bytes=1KiB",
    "--max-arguments=64KiB",
    "--max-result=256KiB",
    "--max-transfer=1MiB",
    "--max-progress-message=64",
    "--max-log=1KiB",
    "--max-log-lines=5",
    "--stack=256KiB",
    "--concurrency=2",
    "--queue=1",
    "--max-attempts=8",
    "--table-elements=1000",
    "--body-timeout=2s",
    "--max-connections=100",
    "--max-upload=8MiB",
    "--max-request=1MiB",
    "--ttl=1m",
];

const MIB: usize = 1 << 20;

async fn host(arguments: &[&str], guests: &[&str]) -> Host {
    let host = Host::builder().args(arguments).start().await;
    for guest in guests {
        host.upload_guest(guest).await;
    }
    host
}

fn text(answer: &Answer) -> &str {
    answer.complete()["content"][0]["text"].as_str().expect("a text")
}

/// Holds an answer against the limit that it must name.
fn check_named(answer: &Answer, code: i64, limit: &str, value: usize, unit: &str) {
    assert_eq!(answer.error_code(), code, "{}", answer.body);
    let expected = json!({"reason": "limit", "limit": limit, "value": value, "unit": unit});
    assert_eq!(answer.error()["data"], expected, "{}", answer.body);
}

#[tokio::test]
async fn every_limit_of_a_run_is_named_to_the_client_and_to_the_operator() {
    let host = host(&TIGHT, &["glutton", "hello"]).await;
    let client = host.client();
    let long = "x".repeat(8 << 10);
    for (tool, arguments, limit, value, unit) in [
        ("hoard", json!({"amount": 64 * MIB}), "memory", 16 * MIB, "bytes"),
        ("recurse", json!({}), "stack", 256 << 10, "bytes"),
        ("spin", json!({}), "deadline", 5000, "ms"),
        ("pester", json!({}), "max-questions", 2, "count"),
        ("say", json!({"amount": 300 << 10}), "max-result", 256 << 10, "bytes"),
        ("complain", json!({"amount": 300 << 10}), "max-result", 256 << 10, "bytes"),
        ("plead", json!({"amount": 300 << 10}), "max-result", 256 << 10, "bytes"),
        ("say", json!({"amount": 2 * MIB}), "max-transfer", MIB, "bytes"),
        ("keep", json!({"amount": MIB}), "max-transfer", MIB, "bytes"),
        ("carry", json!({"text": long}), "max-token", 4 << 10, "bytes"),
    ] {
        let answer = client.call_tool(tool, arguments).await;
        check_named(&answer, -32603, limit, value, unit);
        let message = answer.error()["message"].as_str().expect("a message");
        assert!(message.contains(&format!("\"{limit}\"")), "{message}");
        assert!(!message.contains("--"), "what sets it is the operator's: {message}");
        let line = host.wait_for_log(&format!("limit=\"{limit}\"")).await;
        for word in ["handler=glutton", &format!("set_by=\"--{limit}\"")] {
            assert!(line.contains(word), "{word}: {line}");
        }
        client.call_tool("hello", json!({"name": "Ada"})).await.complete();
    }
}

#[tokio::test]
async fn parameters_are_bounded() {
    let host = host(&TIGHT, &["glutton"]).await;
    let answer = host.client().call_tool("carry", json!({"text": "x".repeat(65 << 10)})).await;
    check_named(&answer, -32602, "max-arguments", 64 << 10, "bytes");
    assert_eq!(answer.status, 400);
}

#[tokio::test]
async fn what_a_handler_can_go_on_without_is_an_error_to_it() {
    let host = host(&TIGHT, &["glutton"]).await;
    let client = host.client();
    for (tool, amount, told) in [
        ("keep", 900, "kept 900"),
        ("keep", 1100, "at most 1024 bytes"),
        ("collect", 2, "kept 2"),
        ("collect", 3, "at most 2 in a conversation"),
        ("boast", 64, "kept 0"),
        ("boast", 65, "at most 64 bytes"),
    ] {
        let answer = client.call_tool(tool, json!({"amount": amount})).await;
        assert!(text(&answer).contains(told), "{tool} {amount}: {}", answer.body);
    }
}

#[tokio::test]
async fn output_beyond_its_limits_is_dropped_with_a_word_in_the_log() {
    let host = host(&TIGHT, &["glutton"]).await;
    let client = host.client();
    client.call_tool("babble", json!({"amount": 5000})).await.complete();
    let line = host.wait_for_log("limit=\"max-log-lines\"").await;
    assert!(line.contains("set_by=\"--max-log-lines\"") && line.contains("value=5"), "{line}");
    assert!(host.log().contains("line 4") && !host.log().contains("line 5"), "{}", host.log());
    client.call_tool("drone", json!({"amount": 5000})).await.complete();
    let line = host.wait_for_log("limit=\"max-log\"").await;
    assert!(line.contains("value=1 KiB"), "{line}");
    assert!(!host.log().contains(&"x".repeat(1025)));
}

#[tokio::test]
async fn a_handler_has_limits_of_its_own() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("dacapo.toml");
    let limits = "[handlers.glutton]\nmemory = \"4 MiB\"\nmax-questions = 1\n[handlers.hungry]\ntable-elements = 1\n";
    std::fs::write(&file, limits).expect("writable");
    let host = Host::builder().arg("--config").arg(&file).start().await;
    host.upload_guest("glutton").await;
    let client = host.client();
    for (tool, limit, value, unit) in [("hoard", "memory", 4 * MIB, "bytes"), ("pester", "max-questions", 1, "count")] {
        let arguments = if tool == "hoard" { json!({"amount": 8 * MIB}) } else { json!({}) };
        check_named(&client.call_tool(tool, arguments).await, -32603, limit, value, unit);
        let set_by = format!("set_by=\"handlers.glutton.{limit} in {}\"", file.display());
        host.wait_for_log(&set_by).await;
    }
    let refused = host.upload("hungry", dacapo_tests::guests::bytes("hello")).await;
    assert_eq!(refused.status, 422, "{}", refused.body);
    let message = refused.error()["message"].as_str().expect("a message");
    assert!(message.contains("gives a run 1;") && message.contains("\"table-elements\""), "{message}");
    // Elsewhere more is allowed.
    host.request(reqwest::Method::DELETE, "/v1/handlers/glutton").send().await.expect("an answer");
    assert!(host.upload("other", dacapo_tests::guests::bytes("glutton")).await.status.is_success());
    client.call_tool("hoard", json!({"amount": 8 * MIB})).await.complete();
}

/// A call that sleeps, on a task of its own: aborting it closes its connection.
fn nap(host: &Host, calls: &mut JoinSet<Answer>, ms: u64) {
    let client: Client = host.client();
    calls.spawn(async move { client.call_tool("nap", json!({"ms": ms})).await });
}

#[tokio::test]
async fn calls_of_one_handler_wait_their_turn_and_are_refused_beyond_that() {
    let host = host(&["--concurrency=2", "--queue=1", "--deadline=60s"], &["pacer", "hello"]).await;
    // Two run, one waits, and one is too many.
    let mut calls = JoinSet::new();
    for _ in 0..4 {
        nap(&host, &mut calls, 50_000);
    }
    let refused = timeout(Duration::from_secs(30), calls.join_next()).await.expect("one is refused at once");
    let refused = refused.expect("a call").expect("an answer");
    assert_eq!(refused.status, 429, "{}", refused.body);
    assert_eq!(refused.headers["retry-after"], "1");
    assert_eq!(refused.error_code(), -32603);
    let data = json!({"reason": "busy", "limit": "queue", "value": 1, "unit": "count"});
    assert_eq!(refused.error()["data"], data);
    let line = host.wait_for_log("limit=\"queue\"").await;
    assert!(line.contains("set_by=\"--queue\"") && line.contains("handler=pacer"), "{line}");
    // Nobody else waits for them.
    let start = Instant::now();
    host.client().call_tool("hello", json!({"name": "Ada"})).await.complete();
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert!(calls.try_join_next().is_none(), "the others still run or wait");
    // Clients that go away leave their places, in the queue too.
    calls.shutdown().await;
    let mut next = JoinSet::new();
    let served = async {
        // Until the host has noticed, a call may be one too many.
        while host.client().call_tool("nap", json!({"ms": 1})).await.status == 429 {}
        for _ in 0..3 {
            nap(&host, &mut next, 300);
        }
        while let Some(answer) = next.join_next().await {
            answer.expect("an answer").complete();
        }
    };
    timeout(Duration::from_secs(30), served).await.expect("two run, and one waits for its turn");
}

#[tokio::test]
async fn all_handlers_together_have_so_many_runs() {
    let host = host(&["--max-attempts=1", "--deadline=2s"], &["pacer", "hello"]).await;
    let mut calls = JoinSet::new();
    nap(&host, &mut calls, 50_000);
    nap(&host, &mut calls, 50_000);
    let mut named: Vec<Value> = Vec::new();
    while let Some(answer) = calls.join_next().await {
        named.push(answer.expect("an answer").error()["data"]["limit"].clone());
    }
    // One ran until its deadline. The other got its turn just then, or was told that none had come.
    assert!(named.contains(&json!("deadline")), "{named:?}");
    assert!(named.iter().all(|limit| limit == "deadline" || limit == "max-attempts"), "{named:?}");
    host.client().call_tool("hello", json!({"name": "Ada"})).await.complete();
}
