//! Requests that no good client sends: each has an answer that is defined, and the host goes on.

use std::time::{Duration, Instant};

use dacapo_tests::{Answer, Client, Host};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How long an answer may take. Much, for machines that do other things besides.
const LIMIT: Duration = Duration::from_secs(20);

async fn host() -> Host {
    let host = Host::start().await;
    host.upload_guest("hello").await;
    host
}

fn failed(answer: &Answer) -> (u16, i64) {
    assert!(answer.error()["message"].as_str().is_some_and(|message| !message.is_empty()));
    (answer.status.as_u16(), answer.error_code())
}

async fn goes_on(host: &Host) {
    let answer = timeout(LIMIT, host.client().call_tool("hello", json!({"name": "Ada"}))).await;
    answer.unwrap_or_else(|_| panic!("the host hangs; its log:\n{}", host.log())).complete();
}

/// The body of a call of `hello`.
fn hello(client: &Client) -> Value {
    client.body("tools/call", json!({"name": "hello", "arguments": {"name": "Ada"}}))
}

/// Sends a call of `hello` in whose text `from`, which must be there, has been replaced.
async fn rewritten(client: &Client, from: &str, to: &str) -> Answer {
    let body = hello(client);
    let text = body.to_string();
    assert!(text.contains(from), "{text}");
    client.raw(client.headers(&body), text.replacen(from, to, 1)).await
}

/// A connection on which every byte is the test's own.
async fn connect(host: &Host) -> TcpStream {
    let address = host.url().strip_prefix("http://").expect("a host's address");
    TcpStream::connect(address).await.expect("the host listens")
}

/// A whole request, as it goes over the wire. `length` is what `Content-Length` says of the body.
fn request(client: &Client, version: &str, headers: &str, body: &Value, length: usize) -> Vec<u8> {
    let mut head = format!("POST /mcp {version}\r\nhost: localhost\r\ncontent-length: {length}\r\n{headers}");
    for (name, value) in &client.headers(body) {
        head.extend([name.as_str(), ": ", value.to_str().expect("text"), "\r\n"]);
    }
    format!("{head}\r\n{body}").into_bytes()
}

/// Sends bytes and reads all that comes until the host closes the connection.
async fn exchange(host: &Host, bytes: &[u8]) -> String {
    let mut connection = connect(host).await;
    connection.write_all(bytes).await.expect("the host reads");
    let mut answer = Vec::new();
    let read = timeout(LIMIT, connection.read_to_end(&mut answer)).await;
    read.expect("the host closes the connection").expect("the connection holds");
    String::from_utf8(answer).expect("the answer is text")
}

#[tokio::test]
async fn headers_of_64_kib_are_refused() {
    let host = host().await;
    for headers in [vec![64 << 10], vec![16 << 10; 4]] {
        let mut client = host.client();
        for (number, length) in headers.iter().enumerate() {
            client = client.header(&format!("x-large-{number}"), &"a".repeat(*length));
        }
        let body = hello(&client);
        let request = host.request(Method::POST, "/mcp").headers(client.headers(&body)).body(body.to_string());
        assert_eq!(Answer::to(request).await.status, 431, "{headers:?}");
        goes_on(&host).await;
    }
    let client = host.client().header("x-large", &"a".repeat(16 << 10));
    client.call_tool("hello", json!({"name": "Ada"})).await.complete();
}

#[tokio::test]
async fn deep_arguments_are_taken_or_refused_and_end_nothing() {
    let host = host().await;
    let client = host.client();
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        let nested = |depth: usize| {
            let inner = if open == "[" { "" } else { "1" };
            format!(r#"{{"deep":{}{inner}{},"#, open.repeat(depth), close.repeat(depth))
        };
        let arguments = r#"{"name":"Ada"}"#;
        let with = |depth| format!(r#"{}"name":"Ada"}}"#, nested(depth));
        rewritten(&client, arguments, &with(100)).await.complete();
        for depth in [120, 1000, 100_000] {
            let answer = rewritten(&client, arguments, &with(depth)).await;
            assert_eq!(answer.status, 200, "{open} {depth}");
            assert_eq!(answer.complete()["isError"] == true, depth > 128, "{open} {depth}: {}", answer.body);
        }
        // Nobody reads what is in there, however deep it is.
        for depth in [120, 100_000] {
            let meta = r#""_meta":{"#;
            let answer = rewritten(&client, meta, &format!("{meta}{}", &nested(depth)[1..])).await;
            answer.complete();
        }
        goes_on(&host).await;
    }
}

#[tokio::test]
async fn members_that_come_twice_are_refused_or_the_last_counts_for_header_and_handler_alike() {
    let host = host().await;
    host.upload_guest("onboard").await;
    let client = host.client();
    let refused = [
        (r#""jsonrpc":"2.0""#, r#""jsonrpc":"2.0","jsonrpc":"2.0""#, -32600),
        (r#""method":"tools/call""#, r#""method":"tools/list","method":"tools/call""#, -32600),
        (r#""id":"#, r#""id":7,"id":"#, -32600),
        (r#""params":"#, r#""params":{},"params":"#, -32600),
        (r#""name":"hello""#, r#""name":"hello","name":"onboard""#, -32020),
    ];
    for (from, to, code) in refused {
        assert_eq!(failed(&rewritten(&client, from, to).await), (400, code), "{to}");
    }
    let taken = [
        (r#""_meta":"#, r#""_meta":{},"_meta":"#),
        (r#""name":"hello""#, r#""name":"onboard","name":"hello""#),
        (r#""arguments":"#, r#""arguments":{"name":"Eve"},"arguments":"#),
        (r#"{"name":"Ada"}"#, r#"{"name":"Eve","name":"Ada"}"#),
    ];
    for (from, to) in taken {
        let answer = rewritten(&client, from, to).await;
        assert_eq!(answer.complete()["content"][0]["text"], "Hello, Ada!", "{to}");
    }
    goes_on(&host).await;
}

#[tokio::test]
async fn ids_are_strings_or_whole_numbers_of_64_bits() {
    let host = host().await;
    let client = host.client();
    let with = async |id: &str| {
        let mut body = hello(&client);
        body["id"] = json!("ID");
        client.raw(client.headers(&body), body.to_string().replacen(r#""ID""#, id, 1)).await
    };
    let legal =
        [r#""a""#, r#""""#, r#""1""#, r#""\u0000é😀""#, "0", "1", "-1", "9223372036854775807", "-9223372036854775808"];
    for id in legal {
        let answer = with(id).await;
        answer.complete();
        assert_eq!(answer.body["id"], serde_json::from_str::<Value>(id).expect("JSON"), "{id}");
    }
    let illegal = [
        "9223372036854775808",
        "-9223372036854775809",
        "1e400",
        "1.5",
        "1.0",
        "1e2",
        "true",
        "false",
        "{}",
        "[]",
        "[1]",
        "null",
    ];
    for id in illegal {
        let answer = with(id).await;
        assert_eq!(failed(&answer), (400, -32600), "{id}");
        assert_eq!(answer.body.get("id"), None, "{id}");
    }
}

#[tokio::test]
async fn a_foreign_page_is_kept_out_by_its_origin_alone_and_told_nothing_beforehand() {
    let host = host().await;
    for origin in ["https://evil.example.com", "http://localhost.evil.example.com", "null", "file://", ""] {
        let answer = host.client().header("origin", origin).call_tool("hello", json!({"name": "Ada"})).await;
        assert_eq!(answer.status, 403, "{origin}");
        assert!(!answer.headers.keys().any(|name| name.as_str().starts_with("access-control-")), "{origin}");
        let request = host.request(Method::OPTIONS, "/mcp").header("origin", origin);
        let before = Answer::to(request.header("access-control-request-method", "POST")).await;
        assert_eq!(before.status, 403, "{origin}");
    }
    goes_on(&host).await;
}

#[tokio::test]
async fn each_of_three_that_stream_at_once_gets_its_own_progress_only() {
    let host = Host::start().await;
    host.upload_guest("pacer").await;
    let stream = async |token: Value, steps: usize| {
        let client = host.client().meta("progressToken", token.clone());
        let start = Instant::now();
        let answer = client.call_tool("pace", json!({"steps": steps, "pause_ms": 20})).await;
        assert_eq!(answer.complete()["content"][0]["text"], format!("made {steps} steps"));
        assert_eq!(answer.notifications.len(), steps, "{token}");
        for (step, told) in (1..).zip(&answer.notifications) {
            assert_eq!(told["params"]["progressToken"], token);
            assert_eq!(told["params"]["message"], format!("step {step} of {steps}"));
        }
        (start, Instant::now())
    };
    // Tokens that look alike, and ids that are the same, for each client counts its own.
    let runs = tokio::join!(stream(json!("1"), 20), stream(json!(1), 25), stream(json!("2"), 30));
    let started = runs.0.0.max(runs.1.0).max(runs.2.0);
    let ended = runs.0.1.min(runs.1.1).min(runs.2.1);
    assert!(started < ended, "they do not stream at once");
}

#[tokio::test]
async fn clients_that_send_half_a_body_and_stop_hinder_no_others() {
    let host = host().await;
    let client = host.client();
    let body = hello(&client);
    let length = body.to_string().len();
    let half = request(&client, "HTTP/1.1", "", &body, 2 * length);
    let mut waiting = Vec::new();
    for _ in 0..100 {
        let mut connection = connect(&host).await;
        connection.write_all(&half).await.expect("the host reads");
        waiting.push(connection);
    }
    goes_on(&host).await;

    // One goes on after all: what follows is white space, and the body is whole.
    let mut late = waiting.pop().expect("there are many");
    late.write_all(" ".repeat(length).as_bytes()).await.expect("the host reads");
    let mut answer = [0; 15];
    timeout(LIMIT, late.read_exact(&mut answer)).await.expect("an answer").expect("the connection holds");
    assert_eq!(&answer, b"HTTP/1.1 200 OK");
    // One ends its half of the connection in the middle, and the others go away.
    let mut broken = waiting.pop().expect("there are many");
    broken.shutdown().await.expect("a connection can be ended");
    let mut answer = Vec::new();
    timeout(LIMIT, broken.read_to_end(&mut answer)).await.expect("an end").expect("the connection holds");
    let answer = String::from_utf8(answer).expect("text");
    assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("-32700"), "{answer}");
    drop(waiting);
    goes_on(&host).await;
}

#[tokio::test]
async fn requests_one_behind_the_other_are_answered_in_their_order() {
    let host = host().await;
    let client = host.client();
    let bodies: Vec<Value> = (0..3).map(|_| hello(&client)).collect();
    let mut bytes = Vec::new();
    for (number, body) in bodies.iter().enumerate() {
        let headers = if number + 1 == bodies.len() { "connection: close\r\n" } else { "" };
        bytes.extend(request(&client, "HTTP/1.1", headers, body, body.to_string().len()));
    }
    let answers = exchange(&host, &bytes).await;
    let places: Vec<_> = bodies.iter().map(|body| answers.find(&format!(r#""id":{},"#, body["id"]))).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}: {answers}");
    assert_eq!(answers.matches("HTTP/1.1 200 OK").count(), 3, "{answers}");
}

#[tokio::test]
async fn http_1_0_is_served_as_json_and_as_a_stream_that_ends_with_its_connection() {
    let host = host().await;
    host.upload_guest("pacer").await;
    let client = host.client();
    let body = hello(&client);
    let answer = exchange(&host, &request(&client, "HTTP/1.0", "", &body, body.to_string().len())).await;
    assert!(answer.starts_with("HTTP/1.0 200 OK\r\n") && answer.contains("Ada"), "{answer}");

    let client = client.meta("progressToken", "t");
    let body = client.body("tools/call", json!({"name": "pace", "arguments": {"steps": 2, "pause_ms": 1}}));
    let answer = exchange(&host, &request(&client, "HTTP/1.0", "", &body, body.to_string().len())).await;
    assert!(answer.contains("text/event-stream") && !answer.contains("chunked"), "{answer}");
    assert_eq!(answer.matches("notifications/progress").count(), 2, "{answer}");
    assert!(answer.contains("made 2 steps"), "{answer}");
}

#[tokio::test]
async fn numbers_beyond_all_bounds_do_not_fit_and_are_told_so() {
    let host = Host::start().await;
    host.upload_guest("pacer").await;
    let client = host.client();
    let beyond =
        ["1e400", "-1e400", "18446744073709551616", "-9223372036854775809", "-1", "1.5", "1e-400", &"9".repeat(5000)];
    for number in beyond {
        let body = client.body("tools/call", json!({"name": "pace", "arguments": {"steps": "N", "pause_ms": 0}}));
        let answer = client.raw(client.headers(&body), body.to_string().replacen(r#""N""#, number, 1)).await;
        let result = answer.complete();
        assert_eq!(result["isError"], true, "{number}");
        let text = result["content"][0]["text"].as_str().expect("a text");
        assert!(text.contains("fit") && text.len() < 500, "{number}: {text}");
    }
    client.call_tool("pace", json!({"steps": 0, "pause_ms": u64::MAX})).await.complete();
}

#[tokio::test]
async fn a_body_that_is_not_utf_8_or_begins_with_a_mark_is_no_json() {
    let host = host().await;
    let client = host.client();
    let body = hello(&client);
    let text = body.to_string();
    let (before, after) = text.split_once("Ada").expect("the name");
    for bad in [&b"\xff"[..], b"\xc3", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf5\x80\x80\x80"] {
        let bytes = [before.as_bytes(), bad, after.as_bytes()].concat();
        assert_eq!(failed(&client.raw(client.headers(&body), bytes).await), (400, -32700), "{bad:?}");
    }
    let utf_16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [[b"\xef\xbb\xbf", text.as_bytes()].concat(), [b"\xff\xfe", &utf_16[..]].concat(), utf_16] {
        assert_eq!(failed(&client.raw(client.headers(&body), bytes).await), (400, -32700));
    }
    for lone in [r"\ud800", r"\udc00\ud800"] {
        let answer = rewritten(&client, "Ada", lone).await;
        assert_eq!(answer.complete()["isError"], true, "{lone}: {}", answer.body);
    }
    goes_on(&host).await;
}
