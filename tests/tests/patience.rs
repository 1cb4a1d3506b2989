//! A client that is slow, or has nothing to say, does not keep its place for ever.

use std::time::Duration;

use dacapo_tests::Host;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How long to wait for what must come soon. Much, for machines that do other things besides.
const SOON: Duration = Duration::from_secs(20);

async fn connect(host: &Host) -> TcpStream {
    let address = host.url().strip_prefix("http://").expect("an address");
    TcpStream::connect(address).await.expect("a connection")
}

/// What the host sends until it closes the connection.
async fn read(mut stream: TcpStream) -> String {
    let mut text = String::new();
    let read = timeout(SOON, stream.read_to_string(&mut text)).await;
    read.expect("the host closes the connection").expect("UTF-8");
    text
}

#[tokio::test]
async fn a_body_that_does_not_come_is_waited_for_no_longer_than_allowed() {
    let host = Host::builder().args(["--body-timeout", "500ms"]).start().await;
    for length in [100, 1 << 20] {
        for (request, word) in [
            ("POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nAccept: */*", "\"code\":-32600"),
            ("PUT /v1/handlers/a HTTP/1.1\r\nContent-Type: application/wasm", "too-slow"),
        ] {
            let mut stream = connect(&host).await;
            let head = format!("{request}\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{{");
            stream.write_all(head.as_bytes()).await.expect("writable");
            let answer = read(stream).await;
            assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
            assert!(answer.contains(word), "{answer}");
        }
    }
}

#[tokio::test]
async fn a_connection_that_asks_for_nothing_is_closed() {
    let host = Host::builder().args(["--body-timeout", "500ms"]).start().await;
    for beginning in ["", "POST /mcp HT", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n"] {
        let mut stream = connect(&host).await;
        stream.write_all(beginning.as_bytes()).await.expect("writable");
        let answer = read(stream).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408 "), "{beginning:?}: {answer}");
    }
}

#[tokio::test]
async fn connections_beyond_the_limit_wait_until_others_end() {
    let host = Host::builder().args(["--max-connections", "2", "--body-timeout", "1h"]).start().await;
    let (first, second) = (connect(&host).await, connect(&host).await);
    let client = host.client();
    let mut call = Box::pin(client.call("server/discover", json!({})));
    let waits = timeout(Duration::from_secs(1), &mut call).await;
    assert!(waits.is_err(), "a third connection was served");
    drop(first);
    timeout(SOON, call).await.expect("there is room now").complete();
    drop(second);
}
