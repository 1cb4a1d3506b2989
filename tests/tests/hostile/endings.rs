//! Those that end in another way than by returning.

use serde_json::Value;

use super::scene::{Scene, failed};

#[tokio::test]
async fn a_trap_ends_the_call_alone() {
    let scene = Scene::with(&[], &["trapper"]).await;
    scene.fails("trap", Value::Null, "failed", "unreachable").await;
}

#[tokio::test]
async fn who_exits_ends_the_call_and_not_the_host() {
    let scene = Scene::with(&[], &["quitter"]).await;
    scene.fails("quit", Value::Null, "failed", "it exited with status").await;
    scene.fails("quit_well", Value::Null, "failed", "it exited with status 0").await;
}

#[tokio::test]
async fn what_was_written_before_a_panic_is_logged_and_the_client_hears_nothing_of_it() {
    let scene = Scene::with(&[], &["panicker"]).await;
    let answer = scene.call("panic", Value::Null).await;
    failed(&answer, "failed");
    for secret in ["a whole line", "half a line", "enough of this", "unreachable"] {
        assert!(!answer.body.to_string().contains(secret), "{}", answer.body);
    }
    for line in ["a whole line", "half a line", "enough of this", "unreachable"] {
        scene.host.wait_for_log(line).await;
    }
    scene.serves().await;
}

#[tokio::test]
async fn output_without_an_end_is_cut_off_and_can_not_forge_lines_of_the_log() {
    let scene = Scene::with(&["--deadline", "1s"], &["panicker"]).await;
    scene.exceeds("babble", Value::Null, "deadline").await;
    scene.host.wait_for_log("its output reached the limit").await;
    let log = scene.host.log();
    let babble: Vec<&str> = log.lines().filter(|line| line.contains("bla bla")).collect();
    assert!(!babble.is_empty() && babble.len() < 10, "{} lines", babble.len());
    assert!(babble.iter().all(|line| line.contains("panicker") && !line.contains('\u{1b}')), "{babble:?}");
}
