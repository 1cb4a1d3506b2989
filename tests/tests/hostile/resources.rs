//! Those that take time, memory, tables or the stack.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::raw::Raw;
use super::scene::{Scene, failed};

#[tokio::test]
async fn an_endless_loop_is_ended_at_its_deadline_while_others_are_served() {
    let scene = Scene::with(&["--deadline", "1s"], &["spinner"]).await;
    let start = Instant::now();
    let (spun, ()) = tokio::join!(scene.call("spin", Value::Null), async {
        scene.host.wait_for_log("spinning").await;
        scene.serves().await;
        assert!(start.elapsed() < Duration::from_secs(1), "served only once the loop was over");
    });
    failed(&spun, "ran out of time");
    assert!(start.elapsed() >= Duration::from_secs(1));
    scene.host.wait_for_log("ran longer than 1s").await;
    scene.serves().await;
}

#[tokio::test]
async fn endless_recursion_ends_the_call_and_not_the_host() {
    let scene = Scene::with(&[], &["recursion"]).await;
    scene.fails("recurse", Value::Null, "failed", "call stack exhausted").await;
}

#[tokio::test]
async fn who_takes_memory_for_ever_is_ended_at_the_limit() {
    let scene = Scene::with(&["--memory", "32MiB"], &["memory-bomb"]).await;
    scene.fails("hoard", Value::Null, "ran out of memory", "wanted more than 33554432 bytes of memory").await;
}

#[tokio::test]
async fn who_takes_table_elements_for_ever_is_ended_at_the_limit() {
    let mut raw = Raw::new();
    raw.fields.push_str("(table $t 1 funcref)");
    raw.call.push_str("(loop $more (drop (table.grow $t (ref.null func) (i32.const 1000))) (br $more))");
    let scene = Scene::with_component(&[], raw.component()).await;
    scene.fails("raw", json!({}), "ran out of memory", "wanted more than 100000 table elements").await;
}

#[tokio::test]
async fn a_gibibyte_is_not_returned_be_it_there_or_only_claimed() {
    let scene = Scene::with(&[], &["giant-result"]).await;
    scene.fails("have-a-gibibyte", Value::Null, "ran out of memory", "wanted more than 134217728 bytes").await;
    let before = peak(&scene);
    scene.fails("claim-a-gibibyte", Value::Null, "failed", "handler failed").await;
    // Lifted in full it would stand in the host's memory at least once.
    assert!(peak(&scene) - before < 256 << 10, "the host took {} KiB more", peak(&scene) - before);
}

/// The most memory that the host has had so far, in KiB.
fn peak(scene: &Scene) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", scene.host.pid())).expect("the host runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the kernel counts memory");
    line.trim().trim_end_matches(" kB").parse().expect("the peak is a number")
}
