//! Those that are refused when they are uploaded.

use std::time::{Duration, Instant};

use dacapo_tests::guests;
use serde_json::json;

use super::raw::Raw;
use super::scene::Scene;

#[tokio::test]
async fn a_start_function_that_loops_is_refused_at_the_deadline_while_others_are_served() {
    let mut raw = Raw::new();
    raw.fields.push_str("(func $spin (loop $on (br $on))) (start $spin)");
    let scene = Scene::with(&["--deadline", "2s"], &[]).await;
    let start = Instant::now();
    let refused = scene.refuses(raw.component(), "descriptors-failed", &["longer than 2s"]);
    let served = async {
        let mut calls = 0;
        while start.elapsed() < Duration::from_millis(1500) {
            scene.serves().await;
            calls += 1;
        }
        assert!(calls > 10, "{calls} calls were served meanwhile");
    };
    tokio::join!(refused, served);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_list_of_tools_that_does_not_end_is_refused_at_the_deadline() {
    let mut raw = Raw::new();
    raw.list.push_str("(loop $on (br $on))");
    let scene = Scene::with(&["--deadline", "1s"], &[]).await;
    scene.refuses(raw.component(), "descriptors-failed", &["longer than 1s"]).await;
}

#[tokio::test]
async fn a_component_of_ten_thousand_functions_is_served() {
    let scene = Scene::with_component(&[], Raw::new().functions(10_000).component()).await;
    assert_eq!(scene.call("raw", json!({})).await.complete()["content"][0]["text"], "done");
    scene.serves().await;
}

#[tokio::test]
async fn two_tools_of_one_name_are_refused_by_that_name() {
    let scene = Scene::with(&[], &[]).await;
    scene.refuses(guests::bytes("two-names"), "bad-descriptor", &["\"twin\"", "two of this name"]).await;
}

#[tokio::test]
async fn a_schema_of_ten_mebibytes_is_refused() {
    let scene = Scene::with(&[], &[]).await;
    scene.refuses(guests::bytes("big-schema"), "bad-descriptor", &["\"big\""]).await;
}

#[tokio::test]
async fn a_description_that_is_no_text_is_refused() {
    let scene = Scene::with(&[], &[]).await;
    scene.refuses(guests::bytes("garbled-descriptor"), "descriptors-failed", &["utf-8"]).await;
}

#[tokio::test]
async fn a_list_that_points_outside_of_memory_is_refused() {
    for list in [
        // The list itself, and the name of its tool.
        "(i32.store (i32.const 16) (i32.const -8))",
        "(i32.store (i32.const 32) (i32.const -8))",
        "(i32.store (i32.const 36) (i32.const 0x7fffffff))",
    ] {
        let mut raw = Raw::new();
        raw.list.push_str(list);
        let scene = Scene::with(&[], &[]).await;
        scene.refuses(raw.component(), "descriptors-failed", &["bounds"]).await;
    }
}
