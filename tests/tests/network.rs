//! Handlers have no network, and those that look for one learn so.

use std::time::Duration;

use dacapo_tests::Host;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::time::timeout;

#[tokio::test]
async fn a_handler_that_opens_a_socket_is_told_that_it_may_not_and_reaches_nobody() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
    let port = listener.local_addr().expect("it has an address").port();
    let host = Host::start().await;
    host.upload_guest("dialer").await;
    let answer = host.client().call_tool("dial", json!({"port": port})).await;
    let attempts = answer.complete()["structuredContent"].as_object().expect("an object");
    assert_eq!(attempts.len(), 4);
    for (attempt, ending) in attempts {
        assert!(ending.as_str().is_some_and(|ending| ending.starts_with("PermissionDenied")), "{attempt}: {ending}");
    }
    let caller = timeout(Duration::from_millis(200), listener.accept()).await;
    assert!(caller.is_err(), "somebody called: {caller:?}");
}
