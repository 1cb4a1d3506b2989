//! Handlers come and go while the host serves.

use dacapo_tests::{Answer, Host, guests};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

async fn admin(host: &Host, method: Method, path: &str) -> Answer {
    Answer::to(host.request(method, path)).await
}

async fn tool_names(host: &Host) -> Vec<String> {
    let listed = host.client().call("tools/list", Value::Null).await;
    let tools = listed.complete()["tools"].as_array().expect("a list").clone();
    tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
}

/// A handler as the API shows it, without its revisions.
async fn shown(host: &Host, name: &str) -> Value {
    let mut handler = admin(host, Method::GET, &format!("/v1/handlers/{name}")).await.body;
    handler.as_object_mut().expect("an object").remove("revisions").expect("revisions are shown");
    handler
}

async fn greets(host: &Host) {
    let greeted = host.client().call_tool("hello", json!({"name": "Ada"})).await;
    let text = greeted.complete()["content"][0]["text"].as_str().expect("a text");
    assert!(text.contains("Ada"), "{text}");
}

/// The code and the message of a refusal.
fn refusal(answer: &Answer) -> (u16, &str, &str) {
    let error = &answer.body["error"];
    let text = |member: &str| error[member].as_str().unwrap_or_else(|| panic!("no {member}: {}", answer.body));
    (answer.status.as_u16(), text("code"), text("message"))
}

#[tokio::test]
async fn an_upload_is_live_at_once_and_described() {
    let host = Host::start().await;
    assert_eq!(tool_names(&host).await, Vec::<String>::new());
    let uploaded = host.upload("greeter", guests::bytes("hello")).await;
    assert_eq!(uploaded.status, StatusCode::CREATED);
    assert_eq!(uploaded.body["name"], "greeter");
    assert_eq!(uploaded.body["revision"], 1);
    assert!(uploaded.body["digest"].as_str().is_some_and(|digest| digest.starts_with("sha256:") && digest.len() == 71));
    assert_eq!(uploaded.body["tools"][0]["name"], "hello");
    greets(&host).await;
    assert_eq!(shown(&host, "greeter").await, uploaded.body);
    assert_eq!(admin(&host, Method::GET, "/v1/handlers").await.body, json!({"handlers": [uploaded.body]}));
}

#[tokio::test]
async fn a_new_revision_takes_the_place_of_the_old_one_and_the_same_again_changes_nothing() {
    let host = Host::start().await;
    host.upload("x", guests::bytes("hello")).await;
    let same = host.upload("x", guests::bytes("hello")).await;
    assert_eq!((same.status, &same.body["revision"]), (StatusCode::OK, &json!(1)));
    let other = host.upload("x", guests::bytes("onboard")).await;
    assert_eq!((other.status, &other.body["revision"]), (StatusCode::OK, &json!(2)));
    assert_eq!(tool_names(&host).await, ["onboard"]);
}

#[tokio::test]
async fn tools_are_listed_in_the_same_order_whatever_the_order_of_uploads() {
    let (one, other) = (Host::start().await, Host::start().await);
    for guest in ["hello", "upgrade-plan", "onboard"] {
        one.upload_guest(guest).await;
    }
    for guest in ["onboard", "hello", "upgrade-plan"] {
        other.upload_guest(guest).await;
    }
    assert_eq!(tool_names(&one).await, ["hello", "onboard", "upgrade-plan"]);
    assert_eq!(tool_names(&other).await, tool_names(&one).await);
}

#[tokio::test]
async fn what_is_removed_is_gone_and_can_not_be_removed_twice() {
    let host = Host::start().await;
    host.upload_guest("hello").await;
    let path = "/v1/handlers/hello";
    assert_eq!(admin(&host, Method::DELETE, path).await.status, StatusCode::NO_CONTENT);
    assert_eq!(tool_names(&host).await, Vec::<String>::new());
    assert_eq!(host.client().call_tool("hello", json!({"name": "Ada"})).await.error_code(), -32602);
    for method in [Method::DELETE, Method::GET] {
        assert_eq!(refusal(&admin(&host, method, path).await).1, "not-found");
    }
}

#[tokio::test]
async fn uploads_survive_a_restart_with_and_without_the_compiled_cache() {
    let mut host = Host::start().await;
    let uploaded = host.upload_guest("hello").await;
    host.upload_guest("onboard").await;
    host.restart().await;
    greets(&host).await;
    assert_eq!(shown(&host, "hello").await, uploaded.body);
    assert!(!host.log().contains("compiling anew"));

    // Code that this host did not write is never run: one byte is changed, one file is cut short.
    let compiled = host.data_dir().join("compiled");
    let mut files: Vec<_> = std::fs::read_dir(&compiled)
        .expect("the cache is there")
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cwasm"))
        .collect();
    files.sort();
    assert_eq!(files.len(), 2);
    let mut bytes = std::fs::read(&files[0]).expect("readable");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&files[0], bytes).expect("writable");
    std::fs::write(&files[1], b"short").expect("writable");
    host.restart().await;
    greets(&host).await;
    host.wait_for_log("compiling anew").await;

    std::fs::remove_dir_all(&compiled).expect("removable");
    host.restart().await;
    greets(&host).await;
}

#[tokio::test]
async fn a_tool_of_another_handler_is_not_taken_over() {
    let host = Host::start().await;
    host.upload_guest("hello").await;
    let answer = host.upload("impostor", guests::bytes("hello")).await;
    let (status, code, message) = refusal(&answer);
    assert_eq!((status, code), (409, "name-taken"));
    assert!(message.contains("\"hello\""), "{message}");
    assert_eq!(admin(&host, Method::GET, "/v1/handlers/impostor").await.status, 404);
    greets(&host).await;
}

/// An empty component: valid, and no handler.
const EMPTY_COMPONENT: [u8; 8] = [0, b'a', b's', b'm', 0x0d, 0, 1, 0];
/// An empty core module.
const CORE_MODULE: [u8; 8] = [0, b'a', b's', b'm', 1, 0, 0, 0];

#[tokio::test]
async fn what_is_no_handler_is_refused_with_a_reason_and_the_others_keep_serving() {
    let host = Host::builder().arg("--max-upload").arg("1MiB").start().await;
    host.upload_guest("hello").await;
    let hello = guests::bytes("hello");
    let http = wat::parse_str(
        r#"(component
            (import "wasi:http/outgoing-handler@0.2.6" (instance (export "handle" (func))))
            (instance $tools) (export "dacapo:handler/tools@0.1.0" (instance $tools)))"#,
    );
    let future =
        wat::parse_str(r#"(component (instance $tools) (export "dacapo:handler/tools@9.0.0" (instance $tools)))"#);
    let hollow =
        wat::parse_str(r#"(component (instance $tools) (export "dacapo:handler/tools@0.1.0" (instance $tools)))"#);
    let files: [(&str, Vec<u8>, u16, &str, &str); 9] = [
        ("an empty file", vec![], 422, "not-wasm", "expected a component"),
        ("a text file", b"Hello, world!\n".to_vec(), 422, "not-wasm", "Hello, w"),
        ("a core module", CORE_MODULE.to_vec(), 422, "core-module", "expected a component"),
        ("a truncated file", hello[..hello.len() / 2].to_vec(), 422, "cut-short", "cut short"),
        ("no handler", EMPTY_COMPONENT.to_vec(), 422, "not-a-handler", "dacapo:handler/tools"),
        ("another contract", future.expect("wat"), 422, "other-contract", "@9.0.0"),
        ("a hollow handler", hollow.expect("wat"), 422, "contract-mismatch", "list-tools"),
        (
            "one that wants to send requests",
            http.expect("wat"),
            422,
            "unsatisfied-imports",
            "wasi:http/outgoing-handler",
        ),
        ("one over the limit", vec![0; (1 << 20) + 1], 413, "too-large", "1048576"),
    ];
    for (what, file, status, code, word) in files {
        let answer = host.upload("bad", file).await;
        let (is_status, is_code, message) = refusal(&answer);
        assert_eq!((is_status, is_code), (status, code), "{what}: {message}");
        assert!(message.contains(word), "{what}: {message}");
    }
    greets(&host).await;
    assert_eq!(tool_names(&host).await, ["hello"]);
}

#[tokio::test]
async fn uploads_with_a_bad_name_or_of_another_type_are_refused() {
    let host = Host::start().await;
    for name in ["Hello", "-x", "a%20b", "%2e%2e%2fx", &"x".repeat(65)] {
        let answer = host.upload(name, guests::bytes("hello")).await;
        assert_eq!(refusal(&answer).1, "bad-name", "{name}");
    }
    let request = host.request(Method::PUT, "/v1/handlers/x").body(guests::bytes("hello"));
    assert_eq!(refusal(&Answer::to(request).await).1, "bad-content-type");
}

#[tokio::test]
async fn calls_go_on_while_handlers_are_replaced() {
    let host = Host::start().await;
    host.upload("x", guests::bytes("hello")).await;
    let mut component = guests::bytes("hello");
    component.extend_from_slice(&[0, 2, 1, b'x']);
    let uploads = async {
        for round in 0..6 {
            let wasm = if round % 2 == 0 { component.clone() } else { guests::bytes("hello") };
            assert_eq!(host.upload("x", wasm).await.status, StatusCode::OK);
        }
    };
    let calls = async {
        for _ in 0..200 {
            greets(&host).await;
        }
    };
    tokio::join!(uploads, calls);
}
