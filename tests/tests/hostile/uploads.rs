//! Those that are refused when they are uploaded.

use std::cell::Cell;

use dacapo_tests::guests;
use serde_json::json;

use super::raw::Raw;
use super::scene::Scene;

#[tokio::test]
async fn a_start_function_that_loops_is_refused_at_the_deadline_while_others_are_served() {
    let mut raw = Raw::new();
    raw.fields.push_str("(func $spin (loop $on (br $on))) (start $spin)");
    let scene = Scene::with(&["--deadline", "2s"], &[]).await;
    let is_refused = Cell::new(false);
    let uploading = async {
        scene.refuses(raw.component(), "descriptors-failed", &["\"deadline\"", "2s"]).await;
        is_refused.set(true);
    };
    let serving = async {
        let mut calls = 0;
        while !is_refused.get() {
            scene.serves().await;
            calls += 1;
        }
        calls
    };
    let ((), calls) = tokio::join!(uploading, serving);
    assert!(calls > 3, "{calls} calls were served meanwhile");
}

#[tokio::test]
async fn a_list_of_tools_that_does_not_end_is_refused_at_the_deadline() {
    let mut raw = Raw::new();
    raw.list.push_str("(loop $on (br $on))");
    let scene = Scene::with(&["--deadline", "1s"], &[]).await;
    scene.refuses(raw.component(), "descriptors-failed", &["\"deadline\"", "1s"]).await;
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
    scene.refuses(guests::bytes("big-schema"), "bad-schema", &["\"big\"", "262144"]).await;
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
