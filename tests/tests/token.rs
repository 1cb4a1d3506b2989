//! `dacapo token`: what a conversation's state holds, and the conversation once more.

use dacapo_tests::command::{dacapo, dacapo_with};
use dacapo_tests::{Host, guests};
use serde_json::json;

const KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const OTHER_KEY: &str = "//////////////////////////////////////////8=";

async fn host(guest: &str) -> Host {
    let host = Host::builder().env("DACAPO_SECRET", KEY).start().await;
    host.upload_guest(guest).await;
    host
}

fn data_dir(host: &Host) -> String {
    host.data_dir().to_str().expect("UTF-8").to_owned()
}

#[tokio::test]
async fn a_token_tells_the_conversation_to_who_has_its_key() {
    let host = host("everything").await;
    let client = host.client();
    let tool = "test_input_required_result_multi_round";
    let first = client.call_tool(tool, json!({})).await;
    let answer = json!({"step1": {"action": "accept", "content": {"name": "Ada"}}});
    let second = client.retry(tool, json!({}), first.request_state(), answer).await;
    let state = second.request_state();

    let shown = dacapo(&["token", state, "--secret", KEY, "--json"]);
    assert_eq!(shown.code, 0, "{shown:?}");
    let shown = shown.json();
    assert_eq!((&shown["method"], &shown["params"]["name"]), (&json!("tools/call"), &json!(tool)));
    assert_eq!((&shown["principal"], &shown["handler"]), (&json!(null), &json!("everything")));
    assert!(shown["component"].as_str().is_some_and(|digest| digest.starts_with("sha256:")), "{shown}");
    assert_eq!(shown["questions"][0]["key"], "step1");
    assert_eq!(shown["questions"][0]["asked"]["params"]["message"], "Step 1: What is your name?");
    assert_eq!(shown["questions"][0]["answer"], json!({"action": "accept", "content": {"name": "Ada"}}));
    assert_eq!((&shown["questions"][1]["key"], &shown["questions"][1]["answer"]), (&json!("step2"), &json!(null)));
    assert!(!shown.to_string().contains("seed"), "{shown}");

    // From standard input, by an earlier key, for people.
    let shown = dacapo_with(&["token", "-", "--secret", OTHER_KEY, "--previous-secrets", KEY], &format!("{state}\n"));
    assert_eq!(shown.code, 0, "{shown:?}");
    assert!(["step1", "Ada", "(open)", "not told apart"].iter().all(|part| shown.out.contains(part)), "{shown:?}");
    assert!(!shown.out.contains(KEY) && !shown.err.contains(KEY));

    let replayed = dacapo(&["token", state, "--secret", KEY, "--replay", "--data-dir", &data_dir(&host), "--json"]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    let replay = replayed.json()["replay"].clone();
    assert_eq!(replay["ended"], "stopped", "{replay}");
    assert_eq!(replay["questions"][0]["request"]["params"]["message"], "Step 2: What is your favourite colour, Ada?");
}

#[tokio::test]
async fn a_replay_shows_where_a_handler_fails_and_what_it_wrote() {
    let host = host("fields").await;
    let client = host.client();
    let first = client.call_tool("fail", json!({})).await;
    let state = first.request_state();
    let data = data_dir(&host);
    let waits = dacapo(&["token", state, "--secret", KEY, "--replay", "--data-dir", &data]);
    assert_eq!(waits.code, 0, "{waits:?}");
    for part in ["receipt", "r-17", "waits for an answer", "Shall it fail?", "kept r-17", "wasm backtrace", "stands at"]
    {
        assert!(waits.out.contains(part), "no {part}: {}", waits.out);
    }
    // With an answer it goes on, and fails.
    let answers = tempfile::NamedTempFile::new().expect("a temporary file can be made");
    std::fs::write(answers.path(), r#"{"elicit-1": {"action": "decline"}}"#).expect("writable");
    let answers = answers.path().to_str().expect("UTF-8");
    let fails = dacapo(&["token", state, "--secret", KEY, "--replay", "--data-dir", &data, "--answers", answers]);
    for part in ["the handler failed: it trapped: ", "it fails, as it was told", "wasm backtrace"] {
        assert!(fails.out.contains(part), "no {part}: {}", fails.out);
    }
    // The component from its file, and another one.
    let file = guests::path("fields");
    let file = file.to_str().expect("UTF-8");
    let ran = dacapo(&["token", state, "--secret", KEY, "--replay", "--handler", file, "--json"]).json();
    assert_eq!(ran["replay"]["otherComponent"], json!(null));
    let hello = guests::path("hello");
    let hello = hello.to_str().expect("UTF-8");
    let ran = dacapo(&["token", state, "--secret", KEY, "--replay", "--handler", hello, "--json"]).json();
    assert!(ran["replay"]["otherComponent"].is_string(), "{ran}");
    // Where neither is there.
    let empty = tempfile::tempdir().expect("a directory");
    let empty = empty.path().to_str().expect("UTF-8");
    let ran = dacapo(&["token", state, "--secret", KEY, "--replay", "--data-dir", empty]);
    assert!(ran.code == 1 && ran.err.contains(empty), "{ran:?}");
}

#[tokio::test]
async fn what_is_no_token_of_this_key_says_nothing() {
    let host = host("onboard").await;
    let asked = host.client().call_tool("onboard", json!({})).await;
    let state = asked.request_state();
    for (arguments, code, word) in [
        (vec!["token", state], 2, "--secret"),
        (vec!["token", state, "--secret", OTHER_KEY], 1, "not in the ring"),
        (vec!["token", "nonsense", "--secret", KEY], 1, "form"),
        (vec!["token", state, "--secret", "short"], 2, "32 bytes"),
    ] {
        let ran = dacapo(&arguments);
        assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{ran:?}");
        assert!(ran.err.contains(word), "{word}: {ran:?}");
    }
}
