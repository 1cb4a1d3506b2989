//! An upload costs its uploader a refusal at worst, and nobody else anything.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use dacapo_tests::{Answer, Host, guests, wasm};
use reqwest::{Method, StatusCode, header};
use serde_json::json;
use tokio::time::{sleep, timeout};

/// The code and the message of a refusal that is the upload's own fault.
fn refusal(answer: &Answer) -> (&str, &str) {
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", answer.body);
    let error = &answer.body["error"];
    (error["code"].as_str().expect("a code"), error["message"].as_str().expect("a message"))
}

async fn greets(host: &Host) {
    let greeted = host.client().call_tool("hello", json!({"name": "Ada"})).await;
    assert_eq!(greeted.complete()["content"][0]["text"], "Hello, Ada!");
}

fn bomb() -> Vec<u8> {
    wasm::with_module(guests::bytes("hello"), &wasm::compile_bomb())
}

/// The processes that a host has started and that are there, as paths in `/proc`.
fn children(host: &Host) -> Vec<PathBuf> {
    let processes = std::fs::read_dir("/proc").expect("readable").flatten().map(|process| process.path());
    let parent = host.pid().to_string();
    let is_child = |process: &PathBuf| {
        let status = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
        // After the name in brackets: the state, and the parent's id.
        let mut fields = status.rsplit(") ").next().unwrap_or_default().split(' ');
        fields.next().is_some_and(|state| state != "Z") && fields.next() == Some(&parent)
    };
    processes.filter(is_child).collect()
}

/// Waits for the process that compiles.
async fn compiling(host: &Host) -> PathBuf {
    let appearing = async {
        loop {
            // Once it has read the upload and gone about it, it has threads.
            let threads = |child: &PathBuf| std::fs::read_dir(child.join("task")).map_or(0, Iterator::count);
            if let Some(child) = children(host).into_iter().find(|child| threads(child) > 1) {
                return child;
            }
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_mins(1), appearing).await.expect("a process that compiles")
}

async fn gone(host: &Host) {
    let going = async {
        while !children(host).is_empty() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(10), going).await.expect("the process that compiled is gone");
}

#[tokio::test]
async fn a_million_functions_are_refused_at_once() {
    let host = Host::start().await;
    let million = wasm::module_of_functions(1_000_000, &[0, 0x0b]);
    let began = Instant::now();
    let answer = host.upload("x", wasm::with_module(guests::bytes("hello"), &million)).await;
    let took = began.elapsed();
    let (code, message) = refusal(&answer);
    assert_eq!(code, "too-many-functions");
    for word in ["100000", "--max-functions", "1000"] {
        assert!(message.contains(word), "{message}");
    }
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[tokio::test]
async fn the_operator_says_how_many_functions_a_component_may_have() {
    let host = Host::builder().arg("--max-functions").arg("10").start().await;
    let answer = host.upload("x", guests::bytes("hello")).await;
    let (code, message) = refusal(&answer);
    assert_eq!(code, "too-many-functions");
    assert!(message.contains("at most 10"), "{message}");
}

#[tokio::test]
async fn a_compile_bomb_is_stopped_on_time_while_calls_are_answered() {
    let host = Host::builder().args(["--compile-timeout", "3s"]).start().await;
    host.upload_guest("hello").await;
    let bomb = bomb();
    let upload = host.upload("bomb", bomb);
    let calls = async {
        compiling(&host).await;
        for _ in 0..20 {
            greets(&host).await;
        }
    };
    let (answer, ()) = tokio::join!(upload, calls);
    let (code, message) = refusal(&answer);
    assert_eq!(code, "compile-timeout");
    assert!(message.contains("3s") && message.contains("--compile-timeout"), "{message}");
    gone(&host).await;
    host.upload("again", guests::bytes("onboard")).await.body["name"].as_str().expect("the next upload is taken");
    greets(&host).await;
}

#[tokio::test]
async fn a_component_that_takes_too_much_memory_to_compile_is_refused() {
    let host = Host::builder().args(["--compile-memory", "64MiB"]).start().await;
    let answer = host.upload("bomb", bomb()).await;
    let (code, message) = refusal(&answer);
    assert_eq!(code, "compile-memory", "{message}");
    assert!(message.contains("64.0 MiB") && message.contains("--compile-memory"), "{message}");
    host.upload_guest("hello").await;
    greets(&host).await;
}

#[tokio::test]
async fn the_process_that_compiles_has_nothing_of_the_hosts_and_its_death_costs_one_upload() {
    let secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    let host = Host::builder().env("DACAPO_SECRET", secret).start().await;
    host.upload_guest("hello").await;
    let upload = host.upload("bomb", bomb());
    let killing = async {
        let child = compiling(&host).await;
        let read = |name: &str| std::fs::read_to_string(child.join(name)).expect("readable");
        assert_eq!(read("environ"), "");
        assert!(read("cmdline").starts_with("dacapo\0compile\0"));
        assert!(!read("cmdline").contains(secret));
        for descriptor in std::fs::read_dir(child.join("fd")).expect("readable").flatten() {
            let target = std::fs::read_link(descriptor.path()).expect("readable");
            assert!(target.to_string_lossy().starts_with("pipe:"), "{}", target.display());
        }
        let limits = read("limits");
        let limit = |name: &str| {
            let line = limits.lines().find(|line| line.starts_with(name)).expect("a limit");
            line[name.len()..].split_whitespace().next().expect("a value").to_owned()
        };
        assert_eq!(limit("Max data size"), (2_u64 << 30).to_string());
        assert_eq!(limit("Max core file size"), "0");
        assert_eq!(limit("Max file size"), "0");
        assert_ne!(limit("Max cpu time"), "unlimited");
        let pid = child.file_name().expect("a pid").to_str().expect("digits").to_owned();
        let killed = std::process::Command::new("kill").args(["-KILL", &pid]).status().expect("kill starts");
        assert!(killed.success());
    };
    let (answer, ()) = tokio::join!(upload, killing);
    let (code, message) = refusal(&answer);
    assert_eq!(code, "compiler-crashed");
    assert!(message.contains("SIGKILL"), "{message}");
    greets(&host).await;
    assert_eq!(host.upload("onboard", guests::bytes("onboard")).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn an_uploader_who_leaves_takes_the_compiler_along() {
    let host = Host::start().await;
    let request = host.request(Method::PUT, "/v1/handlers/bomb").header(header::CONTENT_TYPE, "application/wasm");
    tokio::select! {
        answered = request.body(bomb()).send() => panic!("too early: {answered:?}"),
        _child = compiling(&host) => {}
    }
    gone(&host).await;
    host.upload_guest("hello").await;
    greets(&host).await;
}

#[tokio::test]
async fn a_host_whose_binary_was_replaced_goes_on_compiling() {
    let copy = tempfile::tempdir().expect("a directory");
    let binary = copy.path().join("dacapo");
    std::fs::copy(dacapo_tests::target::host_binary(), &binary).expect("copied");
    let host = Host::builder().binary(&binary).start().await;
    std::fs::remove_file(&binary).expect("removed");
    std::fs::write(&binary, "something else").expect("written");
    host.upload_guest("hello").await;
    greets(&host).await;
}

/// A component with the name of a handler's export, which needs what `parts` say.
fn needing(parts: &str) -> Vec<u8> {
    let text = format!(r#"(component {parts} (instance $t) (export "dacapo:handler/tools@0.1.0" (instance $t)))"#);
    wat::parse_str(text).expect("WebAssembly")
}

#[tokio::test]
async fn what_a_component_needs_is_compared_with_what_it_gets_at_the_upload() {
    let host = Host::start().await;
    let memory = needing("(core module $m (memory 2049)) (core instance (instantiate $m))");
    let elements = needing("(core module $m (table 100001 funcref)) (core instance (instantiate $m))");
    let memories =
        needing(&format!("(core module $m (memory 0) (memory 0)) {}", "(core instance (instantiate $m))".repeat(50)));
    let tables =
        needing(&format!("(core module $m {}) (core instance (instantiate $m))", "(table 0 funcref)".repeat(99)));
    // Each component makes two instances of the one before it: a thousand and twenty-four in all, in few bytes.
    let level = |level: i32| {
        let inner = level - 1;
        format!(
            "(component $c{level} (alias outer 1 {inner} (component $c)) (instance (instantiate $c)) (instance \
                 (instantiate $c)))"
        )
    };
    let doubling = (1..=10).map(level).collect::<Vec<_>>().concat();
    let instances = needing(&format!(
        "(component $c0 (core module $m) (core instance (instantiate $m))) {doubling} (instance (instantiate $c10))"
    ));
    let files = [
        (memory, "needs 134283264 bytes of memory"),
        (elements, "needs 100001 table elements"),
        (memories, "needs 100 memories"),
        (tables, "needs 99 tables"),
        (instances, "needs 1024 instances"),
    ];
    for (file, word) in files {
        let answer = host.upload("x", file).await;
        let (code, message) = refusal(&answer);
        assert_eq!(code, "over-capacity");
        assert!(message.contains(word) && message.contains("the host gives a run"), "{word}: {message}");
    }
    let more = Host::builder().args(["--memory", "1GiB"]).start().await;
    let memory = needing("(core module $m (memory 2049)) (core instance (instantiate $m))");
    assert_ne!(refusal(&more.upload("x", memory).await).0, "over-capacity");
}
