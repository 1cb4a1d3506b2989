//! Those that pass bytes off as text.

use serde_json::json;

use super::scene::Scene;

#[tokio::test]
async fn bytes_that_are_no_text_end_the_call_wherever_they_are_put() {
    let scene = Scene::with(&[], &["garbled"]).await;
    for place in ["result", "question", "progress", "kept-name", "kept-value", "announcement"] {
        scene.fails("garble", json!({"place": place}), "failed", "utf-8").await;
    }
}

#[tokio::test]
async fn output_may_be_any_bytes() {
    let scene = Scene::with(&[], &["garbled"]).await;
    let answer = scene.call("garble", json!({"place": "output"})).await;
    assert_eq!(answer.complete()["content"][0]["text"], "nobody minded");
    scene.host.wait_for_log("garbled: \u{fffd}").await;
}
