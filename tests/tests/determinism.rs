//! A handler does the same on every run of a conversation, whatever it does.

use std::path::Path;
use std::time::{Duration, Instant};

use dacapo_tests::{Answer, Client, Host, Verified, filling, guests};
use reqwest::{Method, StatusCode};
use serde_json::{Map, Value, json};

/// What is not driven: the guest, what it is called for (anything where that is empty), and why.
const NOT_DRIVEN: [(&str, &str, &str); 5] = [
    ("glutton", "recurse", "it overflows its stack by design"),
    ("glutton", "spin", "it never ends"),
    ("pacer", "spin", "it never ends"),
    ("spinner", "spin", "it never ends"),
    ("wanderer", "", "it does something else on every run by design; that it is found out is tested with `verify`"),
];

/// Whether a guest is one of the hostile ones, which fail by design and have tests of their own.
fn is_hostile(guest: &str) -> bool {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("hostile").join(guest).is_dir()
}

/// Whether a guest brings an interpreter, whose compilation takes many seconds for every verification. The tests of other
/// languages hold them to the same.
fn is_interpreted(guest: &str) -> bool {
    guest.starts_with("js-") || guest.starts_with("python-")
}

/// Arguments where none can be made up.
fn arguments(guest: &str, target: &str) -> Option<Value> {
    match (guest, target) {
        ("schemas", "send") => Some(json!({"address": {"zip": "12345"}, "items": [{"count": 2}]})),
        ("everything", "json_schema_2020_12_tool") => {
            Some(json!({"name": "Ada", "contactMethod": "email", "email": "ada@example.org"}))
        }
        _ => None,
    }
}

/// What can be called: the option of `dacapo verify` that calls it, its name, and its arguments.
fn targets(guest: &str, uploaded: &Value) -> Vec<(&'static str, String, Value)> {
    let list = |name: &str| uploaded[name].as_array().cloned().unwrap_or_default();
    let text = |item: &Value, member: &str| item[member].as_str().expect("a text").to_owned();
    let tools = list("tools").into_iter().map(|tool| {
        let (name, schema) = (text(&tool, "name"), &tool["inputSchema"]);
        let arguments = arguments(guest, &name).unwrap_or_else(|| filling::value(schema, schema));
        ("--tool", name, arguments)
    });
    let prompts = list("prompts").into_iter().map(|prompt| {
        let arguments = prompt["arguments"].as_array().cloned().unwrap_or_default();
        let arguments = arguments.iter().map(|argument| (text(argument, "name"), json!("x")));
        ("--prompt", text(&prompt, "name"), arguments.collect::<Map<_, _>>().into())
    });
    let resources = list("resources").into_iter().map(|resource| ("--resource", text(&resource, "uri"), json!({})));
    tools.chain(prompts).chain(resources).collect()
}

/// Verifies a handler, with answers that are made up as it asks.
async fn verify(guest: &str, target: &(&str, String, Value)) -> Value {
    let (option, name, arguments) = target;
    let arguments = arguments.to_string();
    let mut answers = json!({});
    loop {
        let verified =
            Verified::with_answers(&guests::path(guest), &[option, name, "--args", &arguments], &answers).await;
        let mut told = verified.json();
        let missing = told["missing"].take();
        match missing["key"].as_str() {
            Some(key) if verified.code == 2 => answers[key] = filling::answer(&missing["request"]),
            _ => {
                assert_eq!(verified.code == 0, told["faithful"] == true, "{guest} {name}: {told}");
                return told;
            }
        }
    }
}

#[tokio::test]
async fn every_handler_returns_the_same_to_the_byte_straight_through_replayed_and_replayed_again() {
    let host = Host::start().await;
    let (mut driven, mut unfaithful, mut asked) = (Vec::new(), Vec::new(), 0);
    let driven_here = |guest: &String| !is_hostile(guest) && !is_interpreted(guest);
    for guest in guests::names().into_iter().filter(driven_here) {
        let uploaded = host.upload(&guest, guests::bytes(&guest)).await;
        // Some are there to be refused.
        if uploaded.status == StatusCode::UNPROCESSABLE_ENTITY {
            continue;
        }
        for target in targets(&guest, &uploaded.body) {
            if NOT_DRIVEN.iter().any(|(not, what, _)| *not == guest && (what.is_empty() || *what == target.1)) {
                continue;
            }
            let told = verify(&guest, &target).await;
            if told["faithful"] != true {
                unfaithful.push(format!("{guest} {}: {told}", target.1));
            }
            asked += told["questions"].as_array().map_or(0, Vec::len);
            driven.push(format!("{guest} {}", target.1));
        }
        // Two guests may offer the same name.
        Answer::to(host.request(Method::DELETE, &format!("/v1/handlers/{guest}"))).await;
    }
    for name in
        ["hello hello", "onboard onboard", "upgrade-plan upgrade-plan", "visitor visitor://card", "observer observe"]
    {
        assert!(driven.iter().any(|driven| driven == name), "{name} is not among {driven:?}");
    }
    assert!(driven.len() > 40 && asked > 20, "{asked} questions by {driven:?}");
}

async fn observer(host: &Host) -> Client {
    host.upload_guest("observer").await;
    host.client()
}

fn go_on(key: &str) -> Value {
    json!({key: {"action": "accept", "content": {"go_on": true}}})
}

/// What the observer saw, as its question says it.
fn seen(answer: &Answer, key: &str) -> Value {
    let message = answer.input_requests()[key]["params"]["message"].as_str();
    let message = message.unwrap_or_else(|| panic!("no question \"{key}\": {}", answer.body));
    serde_json::from_str(message).expect("JSON")
}

#[tokio::test]
async fn what_a_handler_sees_before_a_question_is_the_same_on_every_run_and_later_after_it() {
    let host = Host::start().await;
    let client = observer(&host).await;
    let first = client.call_tool("observe", json!({})).await;
    let before = seen(&first, "elicit-1");
    let again = client.retry("observe", json!({}), first.request_state(), json!({})).await;
    assert_eq!(seen(&again, "elicit-1"), before, "a round without an answer");
    let second = client.retry("observe", json!({}), first.request_state(), go_on("elicit-1")).await;
    let after = seen(&second, "elicit-2");
    let done = client.retry("observe", json!({}), second.request_state(), go_on("elicit-2")).await;
    // Keys have the order of the struct in both.
    assert_eq!(done.complete()["structuredContent"], json!({"before": before, "after": after}));

    let time = |seen: &Value| seen["wall_ns"].as_u64().expect("nanoseconds");
    assert!(time(&after) > time(&before), "{before} {after}");
    for once in ["uuid", "kept"] {
        assert_ne!(after[once], before[once], "drawn anew after the question");
    }
    let slept = before["slept_ns"].as_u64().expect("nanoseconds");
    assert!((2_000_000..2_100_000).contains(&slept), "a sleep takes what it takes, to the tick: {slept}");
    for (at, nan) in [(0, "7ff8000000000000"), (1, "7ff8000000000000"), (3, "7ff8000000000000"), (6, "7fc00000")] {
        assert_eq!(before["nan_bits"][at], nan, "{before}");
    }
    assert_eq!(before["environment"], r#"{} [] Ok(0) "" Err(NotFound) Ok("/") [false, false]"#);

    let other = seen(&client.call_tool("observe", json!({})).await, "elicit-1");
    for own in ["uuid", "kept", "hash", "wall_ns"] {
        assert_ne!(other[own], before[own], "another conversation has its own {own}");
    }
}

#[tokio::test]
async fn a_sleep_before_a_question_is_slept_once() {
    // Three sleeps of 4 seconds in a conversation; no run can sleep two of them before its deadline.
    let host = Host::builder().args(["--deadline", "7s"]).start().await;
    let client = observer(&host).await;
    let naps = || json!({"before_ms": 4000, "after_ms": 4000});
    let start = Instant::now();
    let asked = client.call_tool("nap", naps()).await;
    assert!(start.elapsed() >= Duration::from_secs(4), "the first run sleeps: {:?}", start.elapsed());
    let start = Instant::now();
    let again = client.retry("nap", naps(), asked.request_state(), json!({})).await;
    assert!(start.elapsed() < Duration::from_secs(3), "no other run does: {:?}", start.elapsed());
    let start = Instant::now();
    let done = client.retry("nap", naps(), again.request_state(), go_on("elicit-1")).await;
    assert_eq!(done.complete()["content"][0]["text"], "awake");
    assert!(start.elapsed() >= Duration::from_secs(4), "after its answer it sleeps anew: {:?}", start.elapsed());
}

#[tokio::test]
async fn a_sleep_ends_at_the_deadline() {
    let host = Host::builder().args(["--deadline", "1s"]).start().await;
    let client = observer(&host).await;
    let start = Instant::now();
    let answer = client.call_tool("nap", json!({"before_ms": 3_600_000, "after_ms": 0})).await;
    assert_eq!(answer.error_code(), -32603, "{}", answer.body);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[tokio::test]
async fn what_comes_first_of_several_things_is_decided_by_the_conversations_clock() {
    let host = Host::start().await;
    let client = observer(&host).await;
    let asked = client.call_tool("wait", json!({})).await;
    let done = client.retry("wait", json!({}), asked.request_state(), go_on("elicit-1")).await;
    let waited = &done.complete()["structuredContent"];
    let expected = json!({
        "moments": [4],
        "rest": [4, 3, 2, 1, 0],
        "streams": [0, 1, 3, 4],
        "passed": [0, 2],
        "twice": [0, 2],
        "turns": waited[0]["turns"],
        "took_ns": waited[0]["took_ns"],
    });
    assert_eq!(*waited, json!([expected, expected]));
}

#[tokio::test]
async fn once_over_its_bounds_is_an_error_to_the_handler_and_the_conversation_goes_on() {
    let host = Host::start().await;
    let client = observer(&host).await;
    let asked = client.call_tool("hoard", json!({})).await;
    let message = &asked.input_requests()["elicit-1"]["params"]["message"];
    let text = message.as_str().expect("a text");
    assert!(text.starts_with("true, Err(TooLarge") && text.contains("one value too many"), "{text}");
    let done = client.retry("hoard", json!({}), asked.request_state(), go_on("elicit-1")).await;
    assert_eq!(done.complete()["content"][0]["text"], *message);
}

#[tokio::test]
async fn a_divergence_is_told_field_by_field_with_the_revision_to_the_client_and_in_the_log() {
    let host = Host::start().await;
    host.upload_guest("wanderer").await;
    let client = host.client();
    let cases = [
        (
            "wander",
            "message: recorded \"This is the first run. Go on?\", asked \"This is a later run. Go on?\" (it ran as revision 1)",
        ),
        ("fall_silent", "it ended without asking what was answered: {"),
    ];
    for (tool, what) in cases {
        let asked = client.call_tool(tool, json!({})).await;
        let answer = client.retry(tool, json!({}), asked.request_state(), go_on("elicit-1")).await;
        assert_eq!((answer.status.as_u16(), answer.error_code()), (400, -32602), "{}", answer.body);
        let message = answer.error()["message"].as_str().expect("a message");
        assert!(message.contains("at position 1, key \"elicit-1\", it "), "{message}");
        assert!(message.contains(what), "{message}");
        assert_eq!(answer.error()["data"]["reason"], "diverged");
        let line = host.wait_for_log(&format!("target=\"{tool}\"")).await;
        for part in ["position 1", "revision=1", "recorded sha256:", "idempotency contract"] {
            assert!(line.contains(part), "{part}: {line}");
        }
    }
}

#[tokio::test]
async fn what_can_not_be_the_same_on_every_run_is_refused_by_name() {
    let host = Host::start().await;
    let interfaces = [
        ("wasi:http/outgoing-handler@0.2.6", "handle"),
        ("wasi:http/types@0.2.6", "http-error-code"),
        ("wasi:keyvalue/store@0.2.0", "open"),
        ("wasi:clocks/timezone@0.2.6", "display"),
        ("wasi:clocks/monotonic-clock@0.3.0", "now"),
    ];
    for (interface, function) in interfaces {
        let component = wat::parse_str(format!(
            r#"(component
                (import "{interface}" (instance (export "{function}" (func))))
                (instance $tools) (export "dacapo:handler/tools@0.1.0" (instance $tools)))"#,
        ));
        let refused = host.upload("fickle", component.expect("a component")).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{interface}: {}", refused.body);
        assert_eq!(refused.body["error"]["code"], "unsatisfied-imports", "{interface}: {}", refused.body);
        let message = refused.body["error"]["message"].as_str().expect("a message");
        assert!(message.contains(interface.split('@').next().expect("a name")), "{interface}: {message}");
    }
    // Threads, shared memory, and the component model's own concurrency.
    let modules = [
        ("threads", "(core module (memory 1 1 shared))"),
        ("threads", "(core module (memory 1) (func (drop (i32.atomic.load (i32.const 0)))))"),
        ("async", "(type $f (func async))"),
    ];
    for (what, part) in modules {
        let component = wat::parse_str(format!(
            r#"(component {part} (instance $tools) (export "dacapo:handler/tools@0.1.0" (instance $tools)))"#,
        ));
        let refused = host.upload("threads", component.expect("a component")).await;
        assert_eq!(refused.body["error"]["code"], "invalid-component", "{part}: {}", refused.body);
        assert!(
            refused.body["error"]["message"].as_str().is_some_and(|message| message.contains(what)),
            "{}",
            refused.body
        );
    }
}
