//! Those that take time, memory, tables or the stack.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::raw::Raw;
use super::scene::{Scene, exceeded};

#[tokio::test]
async fn an_endless_loop_is_ended_at_its_deadline_while_others_are_served() {
    let scene = Scene::with(&["--deadline", "2s"], &["spinner"]).await;
    let client = scene.client();
    let start = Instant::now();
    let spinning = tokio::spawn(async move { client.call_tool("spin", Value::Null).await });
    scene.host.wait_for_log("spinning").await;
    scene.serves().await;
    assert!(!spinning.is_finished(), "others are served only once the loop is over");
    exceeded(&spinning.await.expect("the call is answered"), "deadline");
    assert!(start.elapsed() >= Duration::from_secs(2), "{:?}", start.elapsed());
    scene.host.wait_for_log("limit=\"deadline\"").await;
    scene.serves().await;
}

#[tokio::test]
async fn endless_recursion_ends_the_call_and_not_the_host() {
    let scene = Scene::with(&[], &["recursion"]).await;
    scene.exceeds("recurse", Value::Null, "stack").await;
}

#[tokio::test]
async fn who_takes_memory_for_ever_is_ended_at_the_limit() {
    let scene = Scene::with(&["--memory", "32MiB"], &["memory-bomb"]).await;
    scene.exceeds("hoard", Value::Null, "memory").await;
}

#[tokio::test]
async fn who_takes_table_elements_for_ever_is_ended_at_the_limit() {
    let mut raw = Raw::new();
    raw.fields.push_str("(table $t 1 funcref)");
    raw.call.push_str("(loop $more (drop (table.grow $t (ref.null func) (i32.const 1000))) (br $more))");
    let scene = Scene::with_component(&[], raw.component()).await;
    scene.exceeds("raw", json!({}), "table-elements").await;
}

#[tokio::test]
async fn a_gibibyte_is_not_returned_be_it_there_or_only_claimed() {
    let scene = Scene::with(&[], &["giant-result"]).await;
    scene.exceeds("have-a-gibibyte", Value::Null, "memory").await;
    let before = peak(&scene);
    scene.exceeds("claim-a-gibibyte", Value::Null, "max-transfer").await;
    // Lifted in full it would stand in the host's memory at least once.
    assert!(peak(&scene) - before < 256 << 10, "the host took {} KiB more", peak(&scene) - before);
}

/// The most memory that the host has had so far, in KiB.
fn peak(scene: &Scene) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", scene.host.pid())).expect("the host runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the kernel counts memory");
    line.trim().trim_end_matches(" kB").parse().expect("the peak is a number")
}
