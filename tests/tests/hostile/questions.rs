//! Those that ask and ask, or try to ask differently on each run.

use serde_json::{Value, json};

use super::scene::{Scene, accept, exceeded};

#[tokio::test]
async fn who_asks_without_an_end_is_ended_at_the_limit() {
    let scene = Scene::with(&[], &["elicit-storm"]).await;
    let client = scene.client();
    let mut answer = client.call_tool("nag", Value::Null).await;
    let mut rounds = 0;
    while answer.body["result"]["resultType"] == "input_required" {
        rounds += 1;
        let key = format!("elicit-{rounds}");
        assert!(answer.input_requests().get(&key).is_some(), "{}", answer.body);
        let state = answer.request_state().to_owned();
        answer = client.retry("nag", Value::Null, &state, json!({key: accept()})).await;
    }
    assert_eq!(rounds, 64);
    exceeded(&answer, "max-questions");
    scene.host.wait_for_log("limit=\"max-questions\"").await;
    scene.serves().await;
}

#[tokio::test]
async fn ever_so_many_questions_at_once_are_not_passed_on() {
    let scene = Scene::with(&[], &["elicit-storm"]).await;
    // Many; ever so many; and few that are long.
    scene.exceeds("storm", json!({"questions": 65, "bytes": 10}), "max-questions").await;
    scene.exceeds("storm", json!({"questions": 50_000, "bytes": 400}), "max-transfer").await;
    scene.exceeds("storm", json!({"questions": 60, "bytes": 1_000_000}), "max-transfer").await;
}

#[tokio::test]
async fn nothing_that_a_program_can_look_at_differs_from_run_to_run() {
    let scene = Scene::with(&[], &["fickle"]).await;
    let client = scene.client();
    let sources = [
        "time",
        "haste",
        "nap",
        "race",
        "random",
        "hash-seed",
        "hash-order",
        "addresses",
        "statics",
        "leftovers",
        "room",
        "thread",
    ];
    for source in sources {
        let arguments = json!({"source": source});
        let mut answer = client.call_tool("differ", arguments.clone()).await;
        for round in 1..=3 {
            let state = answer.request_state().to_owned();
            let key = format!("elicit-{round}");
            // Once more without an answer: the handler sees what it saw.
            let again = client.retry("differ", arguments.clone(), &state, json!({})).await;
            assert_eq!(again.input_requests(), answer.input_requests(), "{source}");
            // And with one, it gets past its earlier questions, which say what it saw then.
            answer = client.retry("differ", arguments.clone(), &state, json!({key: accept()})).await;
        }
        let text = answer.complete()["content"][0]["text"].as_str().expect("a text");
        assert!(!text.is_empty(), "{source}");
    }
    scene.serves().await;
}

#[tokio::test]
async fn conversations_do_not_see_each_others_randomness_or_memory() {
    let scene = Scene::with(&[], &["fickle"]).await;
    let client = scene.client();
    let ask = async |source: &str| {
        client.call_tool("differ", json!({"source": source})).await.input_requests()["elicit-1"].clone()
    };
    for source in ["random", "hash-seed", "hash-order"] {
        assert_ne!(ask(source).await, ask(source).await, "{source}");
    }
    // New memory holds nothing but what this run has written.
    for source in ["statics", "leftovers"] {
        assert_eq!(ask(source).await, ask(source).await, "{source}");
    }
}
