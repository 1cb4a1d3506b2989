//! `dacapo verify` tells a handler that is the same suspended and replayed from one that is not.

use dacapo_tests::{Verified, guests};
use serde_json::{Value, json};

fn accept(content: Value) -> Value {
    json!({"action": "accept", "content": content})
}

fn go_on() -> Value {
    let yes = accept(json!({"go_on": true}));
    json!({"elicit-1": yes, "elicit-2": yes})
}

async fn verify(guest: &str, arguments: &[&str], answers: &Value) -> Verified {
    Verified::with_answers(&guests::path(guest), arguments, answers).await
}

#[tokio::test]
async fn the_examples_are_faithful_and_it_is_told_how_often_they_asked_and_ran() {
    let user = r#"{"user": "ada"}"#;
    let upgrade = json!({"elicit-1": accept(json!({"plan": "team"})), "elicit-2": accept(json!({"confirmed": true}))});
    let details = json!({"elicit-1": accept(json!({"name": "Ada", "email": "ada@example.org"}))});
    let cases = [
        ("hello", vec!["--tool", "hello", "--args", r#"{"name": "Ada"}"#], json!({}), 0),
        ("onboard", vec!["--tool", "onboard"], details, 1),
        ("upgrade-plan", vec!["--tool", "upgrade-plan", "--args", user], upgrade, 2),
        ("upgrade-plan", vec!["--tool", "upgrade-plan", "--args", user], json!({"elicit-1": {"action": "decline"}}), 1),
        ("visitor", vec!["--resource", "visitor://card"], json!({"name": accept(json!({"name": "Ada"}))}), 1),
        ("everything", vec!["--prompt", "test_simple_prompt"], json!({}), 0),
    ];
    for (guest, arguments, answers, questions) in cases {
        let verified = verify(guest, &arguments, &answers).await;
        let told = verified.json();
        assert_eq!((verified.code, &told["faithful"]), (0, &json!(true)), "{guest}: {told}");
        assert_eq!(told["questions"].as_array().map(Vec::len), Some(questions), "{guest}: {told}");
        assert_eq!(told["rounds"], questions + 1, "{guest}: {told}");
        assert!(told["outcome"]["result"].is_object(), "{guest}: {told}");
    }
}

#[tokio::test]
async fn without_json_it_is_told_in_words() {
    let hello = guests::path("hello");
    let verified = Verified::run(&hello, &["--tool", "hello", "--args", r#"{"name": "Ada"}"#]).await;
    assert_eq!(verified.code, 0);
    assert_eq!(
        verified.out.trim(),
        "faithful: 0 questions, 1 round, 0 values kept; straight through and replayed are the same"
    );
    assert_eq!(verified.errors, "");
}

#[tokio::test]
async fn a_handler_that_is_not_faithful_is_found_out_and_the_first_difference_shown() {
    let cases = [
        (
            "wander",
            "unlike",
            "position 1, key \"elicit-1\", it asked something else than what was answered: message: recorded \
             \"This is the first run. Go on?\", asked \"This is a later run. Go on?\"",
        ),
        ("fall_silent", "unlike", "it ended without asking what was answered"),
        (
            "waver",
            "differs",
            "questions[1].asked.params.message: straight through \"This is the first run. Go on?\", replayed \
             \"This is a later run. Go on?\"",
        ),
        (
            "drift",
            "differs",
            "result.result.content[0].text: straight through \"this was the first run\", replayed \"this was a later run\"",
        ),
        ("pile", "differs", "once[\"run 2\"]: straight through nothing, replayed \"null\""),
    ];
    for (tool, reason, what) in cases {
        let verified = verify("wanderer", &["--tool", tool], &go_on()).await;
        let told = verified.json();
        assert_eq!((verified.code, &told["faithful"], &told["reason"]), (1, &json!(false), &json!(reason)), "{told}");
        assert!(told["message"].as_str().is_some_and(|message| message.contains(what)), "{tool}: {told}");
    }
}

#[tokio::test]
async fn a_handler_that_fails_is_neither_and_the_exit_code_says_so() {
    let nap = r#"{"before_ms": 1, "after_ms": 1}"#;
    let unfit = json!({"elicit-1": accept(json!({"go_on": "perhaps"}))});
    let verified = verify("observer", &["--tool", "nap", "--args", nap], &unfit).await;
    assert_eq!((verified.code, &verified.json()["reason"]), (1, &json!("failed")), "{}", verified.out);
    assert!(verified.out.contains("\\\"go_on\\\" must be true or false"), "{}", verified.out);
}

#[tokio::test]
async fn a_wrong_command_line_is_told_from_an_unfaithful_handler() {
    let onboard = guests::path("onboard");
    let nothing = "/nowhere/answers.json";
    let cases: [(&[&str], &str); 8] = [
        (&[], "--tool"),
        (&["--tool", "a", "--prompt", "b"], "cannot be used with"),
        (&["--tool", "onboard", "--args", "[]"], "not a JSON object"),
        (&["--tool", "onboard", "--args", "{"], "not JSON"),
        (&["--tool", "onboard", "--answers", nothing], "can't read it"),
        (&["--tool", "stranger"], "the component has no tool \"stranger\"; it has onboard"),
        (&["--resource", "x://y", "--tool", "onboard"], "cannot be used with"),
        (&["--tool", "onboard"], "--answers has nothing for \"elicit-1\", which the handler asks: {"),
    ];
    for (arguments, reason) in cases {
        let verified = Verified::run(&onboard, arguments).await;
        assert_eq!(verified.code, 2, "{arguments:?}: {}{}", verified.out, verified.errors);
        assert!(verified.errors.contains(reason), "{arguments:?}: {}", verified.errors);
    }
    let arguments = ["--tool", "hello", "--args", r#"{"name": 1}"#];
    let unfit = Verified::run(&guests::path("hello"), &arguments).await;
    assert_eq!(unfit.code, 2);
    assert!(unfit.errors.contains("at \"/name\""), "{}", unfit.errors);
    let unreadable = Verified::run(std::path::Path::new("/nowhere.wasm"), &["--tool", "x"]).await;
    assert_eq!(unreadable.code, 1);
    assert!(unreadable.errors.contains("/nowhere.wasm"), "{}", unreadable.errors);
}

#[tokio::test]
async fn answers_to_what_was_never_asked_are_pointed_out() {
    let answers = json!({"elicit-1": {"action": "decline"}, "elicit-l": {"action": "cancel"}});
    let told = verify("onboard", &["--tool", "onboard"], &answers).await.json();
    assert_eq!((&told["faithful"], &told["unused"]), (&json!(true), &json!(["elicit-l"])), "{told}");
}
