//! Handlers in other languages than Rust keep the same promises, against the same host.
//!
//! Each example is compiled once, which takes a while, and is then asked for everything.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use dacapo_tests::{Answer, Client, Host, Script};
use serde_json::{Value, json};

/// An example, which asks two questions under the name of its guest.
struct Example {
    name: &'static str,
    arguments: Value,
    input_schema: Value,
    /// The properties of the form that it asks first.
    first_form: Value,
    first_answer: Value,
    /// How the second question starts, which depends on the first answer.
    second_question: &'static str,
    second_answer: Value,
    /// What it ends with, but for what is random.
    outcome: Value,
    /// Where in its result are: an id, a random number, the time.
    random: [&'static str; 3],
    /// How many of its time's units make a second.
    per_second: f64,
    /// Arguments with which it fails, and what it says then.
    failure: (Value, &'static str),
    /// A first answer that its author did not think of, and what the log says of it.
    fault: (Value, &'static str),
}

fn python() -> Example {
    let wishes = json!({
        "email": "ada@example.org", "departure": "2026-12-24", "travellers": 2, "travel_class": "business",
        "extras": ["meal", "quiet"], "budget": 500, "insurance": true,
    });
    let mut unforeseen = wishes.clone();
    unforeseen["budget"] = json!(0);
    Example {
        name: "python-trip",
        arguments: json!({"destination": "Paris", "nights": 2}),
        input_schema: json!({
            "type": "object",
            "properties": {
                "destination": {"type": "string", "description": "Where to", "minLength": 1},
                "nights": {"type": "integer", "default": 1},
            },
            "required": ["destination"],
        }),
        first_form: json!({
            "email": {
                "type": "string", "title": "Email address", "description": "Where the ticket goes", "format": "email",
            },
            "departure": {"type": "string", "description": "The day of departure", "format": "date"},
            "travellers": {"type": "integer", "description": "How many people travel", "minimum": 1, "maximum": 9},
            "travel_class": {
                "type": "string", "description": "The class", "default": "economy",
                "oneOf": [{"const": "economy", "title": "Economy"}, {"const": "business", "title": "Business"}],
            },
            "extras": {
                "type": "array", "description": "What else", "maxItems": 2,
                "items": {"type": "string", "enum": ["bicycle", "meal", "quiet"]},
            },
            "budget": {"type": "number", "description": "At most, in euros", "minimum": 0.0},
            "insurance": {"type": "boolean", "description": "Insure the trip", "default": false},
        }),
        first_answer: wishes.clone(),
        second_question: "Book Business for 400.00 euros (reference ",
        second_answer: json!({"sure": true}),
        outcome: json!({"status": "booked", "destination": "Paris", "price": 400.0, "wishes": wishes}),
        random: ["reference", "lucky_number", "quoted_at"],
        per_second: 1.0,
        failure: (json!({"destination": "Atlantis"}), "no train goes to Atlantis"),
        fault: (unforeseen, "ZeroDivisionError"),
    }
}

fn javascript() -> Example {
    let preferences = json!({
        "kind": "soup", "portions": 3, "email": "ada@example.org", "extras": ["bread"], "tip": 2, "note": "not%20hot",
        "cutlery": true,
    });
    let mut unforeseen = preferences.clone();
    unforeseen["note"] = json!("100 %");
    Example {
        name: "js-lunch",
        arguments: json!({"office": "the attic"}),
        input_schema: json!({
            "type": "object",
            "properties": {"office": {"type": "string", "description": "Where to bring it", "minLength": 1}},
            "required": ["office"],
        }),
        first_form: json!({
            "kind": {"type": "string", "description": "What kind of dish", "enum": ["pasta", "soup"]},
            "portions": {
                "type": "integer", "description": "How many portions", "minimum": 1, "maximum": 20, "default": 1,
            },
            "email": {
                "type": "string", "title": "Email address", "description": "Where the receipt goes", "format": "email",
            },
            "extras": {
                "type": "array", "description": "What else",
                "items": {"anyOf": [{"const": "bread", "title": "Bread"}, {"const": "water", "title": "Water"}]},
            },
            "tip": {"type": "number", "description": "A tip, in euros", "minimum": 0.0},
            "note": {"type": "string", "description": "A word to the kitchen", "maxLength": 80},
            "cutlery": {"type": "boolean", "description": "With cutlery", "default": false},
        }),
        first_answer: preferences.clone(),
        second_question: "Which soup, for order ",
        second_answer: json!({"dish": "lentil"}),
        outcome: json!({"status": "ordered", "dish": "lentil", "preferences": preferences}),
        random: ["reference", "luckyNumber", "openedAt"],
        per_second: 1000.0,
        failure: (json!({"office": "the moon"}), "nobody delivers to the moon"),
        fault: (unforeseen, "URIError"),
    }
}

#[tokio::test]
async fn a_handler_in_python_keeps_the_promises_of_one_in_rust() {
    keeps_the_promises(&python()).await;
}

#[tokio::test]
async fn a_handler_in_javascript_keeps_the_promises_of_one_in_rust() {
    keeps_the_promises(&javascript()).await;
}

async fn keeps_the_promises(example: &Example) {
    let host = Host::start().await;
    host.upload_guest(example.name).await;
    let client = host.client();
    shows_its_schemas(&client, example).await;
    for script in [Script::TypeScript, Script::Python] {
        converses_to_the_end(&host, script, example).await;
    }
    reports_progress_in_each_round(&host.client().meta("progressToken", 1), example).await;
    hears_no(&client, example).await;
    fails_where_the_model_sees_it(&client, example).await;
    draws_anew_in_each_conversation_and_the_same_in_each_round(&client, example).await;
    keeps_its_faults_to_the_log(&host, &client, example).await;
}

async fn shows_its_schemas(client: &Client, example: &Example) {
    let answer = client.call("tools/list", Value::Null).await;
    let tool = &answer.result()["tools"][0];
    assert_eq!(tool["name"], example.name);
    assert_eq!(tool["inputSchema"], example.input_schema);
    assert_eq!(tool["annotations"], json!({"destructiveHint": false}));
    let outcome = example.outcome.as_object().expect("an object");
    for member in outcome.keys() {
        assert!(tool["outputSchema"]["properties"][member].is_object(), "{member} is not in {tool}");
    }

    let question = ask(client, example).await;
    let form = &question.input_requests()["elicit-1"]["params"]["requestedSchema"];
    assert_eq!(form["properties"], example.first_form);
}

/// A client that others have written answers both questions.
async fn converses_to_the_end(host: &Host, script: Script, example: &Example) {
    let mut answers = example.first_answer.clone();
    answers.as_object_mut().expect("an object").extend(example.second_answer.as_object().expect("an object").clone());
    let ask = json!({"tool": example.name, "arguments": example.arguments});
    let conversation = script.converse(&json!({"url": host.mcp_url()}), &ask, &answers).await;

    let questions = conversation["questions"].as_array().expect("a list");
    assert_eq!(questions.len(), 2, "{conversation}");
    let second = questions.get(1).and_then(Value::as_str).unwrap_or_default();
    assert!(second.starts_with(example.second_question), "{conversation}");
    assert_outcome(&conversation["result"]["structuredContent"], example);
}

async fn reports_progress_in_each_round(client: &Client, example: &Example) {
    let steps = |answer: &Answer| -> Vec<Value> {
        answer.notifications.iter().map(|notification| notification["params"]["progress"].clone()).collect()
    };
    let first = ask(client, example).await;
    assert_eq!(steps(&first), [json!(1.0)]);
    let second = accept(client, example, &first, "elicit-1", &example.first_answer).await;
    assert_eq!(steps(&second), [json!(1.0), json!(2.0)]);
    let last = accept(client, example, &second, "elicit-2", &example.second_answer).await;
    assert_eq!(steps(&last), [json!(1.0), json!(2.0), json!(3.0)]);
    assert_outcome(&last.complete()["structuredContent"], example);
}

async fn hears_no(client: &Client, example: &Example) {
    for action in ["decline", "cancel"] {
        let asked = ask(client, example).await;
        let ended = reply(client, example, &asked, "elicit-1", json!({"action": action})).await;
        assert_eq!(ended.complete()["structuredContent"]["status"], "cancelled", "{action}");

        let asked = accept(client, example, &ask(client, example).await, "elicit-1", &example.first_answer).await;
        let ended = reply(client, example, &asked, "elicit-2", json!({"action": action})).await;
        assert_eq!(ended.complete()["structuredContent"]["status"], "cancelled", "{action}");
    }
}

async fn fails_where_the_model_sees_it(client: &Client, example: &Example) {
    let (arguments, message) = &example.failure;
    let failed = client.call_tool(example.name, arguments.clone()).await;
    assert_eq!(failed.complete()["isError"], true);
    assert_eq!(failed.complete()["content"], json!([{"type": "text", "text": message}]));
}

/// Randomness that a build had frozen would be the same for everyone.
async fn draws_anew_in_each_conversation_and_the_same_in_each_round(client: &Client, example: &Example) {
    let [reference, number, time] = example.random;
    let mut seen: Vec<Value> = Vec::new();
    for _ in 0..3 {
        let first = ask(client, example).await;
        let second = accept(client, example, &first, "elicit-1", &example.first_answer).await;
        let message = &second.input_requests()["elicit-2"]["params"]["message"];
        let last = accept(client, example, &second, "elicit-2", &example.second_answer).await;
        let result = &last.complete()["structuredContent"];
        // The question of the second run, and the result of the third.
        let drawn = result[reference].as_str().expect("a text");
        assert!(message.as_str().is_some_and(|message| message.contains(drawn)), "{message}: {result}");
        let again = accept(client, example, &second, "elicit-2", &example.second_answer).await;
        assert_eq!(&again.complete()["structuredContent"], result);

        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is after 1970").as_secs_f64();
        let told = result[time].as_f64().expect("a number") / example.per_second;
        assert!((now - told).abs() < 300.0, "it is {now}, and the handler thinks {told}");
        for drawn in [&result[reference], &result[number]] {
            assert!(!seen.contains(drawn), "{drawn} was drawn before: {seen:?}");
            seen.push(drawn.clone());
        }
    }
}

async fn keeps_its_faults_to_the_log(host: &Host, client: &Client, example: &Example) {
    let (answer, logged) = &example.fault;
    let asked = accept(client, example, &ask(client, example).await, "elicit-1", answer).await;
    let failed = accept(client, example, &asked, "elicit-2", &example.second_answer).await;
    assert_eq!(failed.error_code(), -32603);
    assert_eq!(failed.error()["message"], "the handler failed; the server's log says more");
    host.wait_for_log(logged).await;
}

async fn ask(client: &Client, example: &Example) -> Answer {
    client.call_tool(example.name, example.arguments.clone()).await
}

async fn accept(client: &Client, example: &Example, asked: &Answer, key: &str, content: &Value) -> Answer {
    reply(client, example, asked, key, json!({"action": "accept", "content": content})).await
}

async fn reply(client: &Client, example: &Example, asked: &Answer, key: &str, reply: Value) -> Answer {
    let arguments = example.arguments.clone();
    client.retry(example.name, arguments, asked.request_state(), json!({key: reply})).await
}

fn assert_outcome(result: &Value, example: &Example) {
    let mut result = result.clone();
    let members = result.as_object_mut().expect("an object");
    for random in example.random {
        assert!(members.remove(random).is_some(), "{random} is missing");
    }
    assert_eq!(whole(result), whole(example.outcome.clone()));
}

/// The same value with `400` for `400.0`, which not every language tells apart.
fn whole(value: Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            #[expect(clippy::cast_possible_truncation, reason = "it is whole, and small")]
            Some(float) if float.fract() == 0.0 && float.abs() < 1e9 => json!(float as i64),
            _ => Value::Number(number),
        },
        Value::Array(items) => items.into_iter().map(whole).collect(),
        Value::Object(members) => members.into_iter().map(|(name, value)| (name, whole(value))).collect(),
        other => other,
    }
}

#[test]
fn the_guide_shows_the_examples_own_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let guide = read("docs/other-languages.md");
    for (language, example) in [("python", "examples/python-trip/app.py"), ("js", "examples/js-lunch/app.js")] {
        let code = read(example);
        let shown: Vec<&str> = guide
            .split(&format!("```{language}\n"))
            .skip(1)
            .map(|rest| rest.split("```").next().unwrap_or_default())
            .collect();
        assert!(shown.len() >= 2, "the guide shows no {language}");
        for block in shown {
            assert!(code.contains(block), "this is not in {example}:\n{block}");
        }
    }
}
