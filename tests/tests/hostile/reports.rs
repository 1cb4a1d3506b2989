//! Those that report and report.

use std::time::Duration;

use dacapo_tests::Client;
use serde_json::{Value, json};

use super::scene::Scene;

#[tokio::test]
async fn a_million_reports_that_nobody_asked_for_cost_little_and_are_not_sent() {
    let scene = Scene::with(&[], &["progress-flood"]).await;
    let answer = scene.call("flood", json!({"reports": 1_000_000, "bytes": 10})).await;
    assert_eq!(answer.complete()["content"][0]["text"], "made 1000000 reports");
    assert_eq!(answer.notifications, Vec::<Value>::new());
    scene.serves().await;
}

#[tokio::test]
async fn a_flood_of_reports_waits_for_a_client_that_reads_slowly_at_its_own_cost() {
    let scene = Scene::with(&["--deadline", "2s"], &["progress-flood"]).await;
    let before = resident(&scene);
    let client: Client = scene.client().meta("progressToken", "t");
    let arguments = json!({"reports": 1_000_000, "bytes": 1000});
    // The client reads one report, and no more for as long as the call may take.
    let mut stream = client.open("tools/call", json!({"name": "flood", "arguments": arguments})).await;
    assert_eq!(stream.next().await.expect("a report")["method"], "notifications/progress");
    for _ in 0..4 {
        scene.serves().await;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    scene.host.wait_for_log("limit=\"deadline\"").await;
    assert!(resident(&scene) < before + (64 << 20), "the reports pile up in the host");
    drop(stream);
    scene.serves().await;
}

#[tokio::test]
async fn a_report_longer_than_the_limit_is_refused_to_the_handler() {
    let scene = Scene::with(&[], &["progress-flood"]).await;
    let answer = scene.call("flood", json!({"reports": 1, "bytes": 100_000})).await;
    assert_eq!(answer.complete()["isError"], true);
    let text = answer.complete()["content"][0]["text"].as_str().expect("a text");
    assert!(text.contains("the host takes at most 1024 bytes"), "{text}");
}

/// The memory that the host has now, in bytes.
fn resident(scene: &Scene) -> u64 {
    super::crowd::resident(scene.host.pid())
}
