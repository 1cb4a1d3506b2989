//! `dacapo inspect` says what a file offers and needs, and why a server would not take it.

use std::path::Path;
use std::process::Command;

use dacapo_tests::{guests, target, wasm};
use serde_json::{Value, json};

/// The exit code, and what was written to standard output and error.
fn inspect(file: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(target::host_binary());
    command.arg("inspect").arg(file).args(arguments);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("DACAPO_")) {
        command.env_remove(name);
    }
    let output = command.output().expect("the command starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn report(file: &Path, arguments: &[&str]) -> (Option<i32>, Value) {
    let (code, out, err) = inspect(file, &[arguments, &["--json"]].concat());
    let report = serde_json::from_str(&out);
    (code, report.unwrap_or_else(|error| panic!("{error}: {out}{err}")))
}

fn codes(report: &Value) -> Vec<&str> {
    let refusals = report["refusals"].as_array().expect("refusals");
    refusals.iter().map(|refusal| refusal["code"].as_str().expect("a code")).collect()
}

fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(&file, bytes).expect("written");
    file
}

#[test]
fn a_handler_is_shown_with_all_that_it_offers_and_needs() {
    let path = guests::path("onboard");
    let (code, report) = report(&path, &[]);
    assert_eq!((code, &report["accepted"], codes(&report)), (Some(0), &json!(true), vec![]));
    assert!(report["digest"].as_str().is_some_and(|digest| digest.starts_with("sha256:")));
    assert_eq!(report["offers"]["tools"][0]["name"], "onboard");
    assert_eq!(report["offers"]["tools"][0]["inputSchema"]["type"], "object");
    let component = &report["component"];
    assert_eq!((&component["kind"], &component["asks"]), (&json!("component"), &json!(true)));
    assert_eq!(component["exports"], json!(["dacapo:handler/tools@0.1.0"]));
    let imports = component["imports"].as_array().expect("imports");
    assert!(imports.iter().all(|import| import["given"] == true), "{imports:?}");
    assert!(imports.iter().any(|import| import["name"] == "dacapo:handler/elicitation@0.1.0"), "{imports:?}");
    for (need, least) in [("functions", 10), ("memory", 65536), ("memories", 1), ("tables", 1), ("coreInstances", 1)] {
        let need = &component[need];
        assert!(need["needs"].as_u64() >= Some(least) && need["limit"].as_u64() >= need["needs"].as_u64(), "{need}");
    }
    assert!(component["compiledSize"].as_u64() > Some(0));

    let (code, out, err) = inspect(&path, &[]);
    assert_eq!(code, Some(0), "{err}");
    for word in ["onboard.wasm: accepted", "sha256:", "it may ask its user", "wasi:", "tool", "\"type\""] {
        assert!(out.contains(word), "no {word}: {out}");
    }
    let (_, hello, _) = inspect(&guests::path("hello"), &[]);
    assert!(hello.contains("it asks nothing"), "{hello}");
}

#[test]
fn all_reasons_to_refuse_a_component_are_given_and_what_can_be_known_of_it_is_shown() {
    let wanting = wat::parse_str(
        r#"(component
            (import "wasi:http/types@0.2.6" (instance (export "http-error-code" (func))))
            (import "dacapo:handler/elicitation@0.7.0" (instance))
            (core module $m (memory 4096)) (core instance (instantiate $m))
            (instance $tools) (export "dacapo:handler/prompts@0.7.0" (instance $tools)))"#,
    );
    let wanting = file(&wanting.expect("WebAssembly"));
    let (code, report) = report(wanting.path(), &[]);
    assert_eq!((code, &report["accepted"]), (Some(1), &json!(false)));
    assert_eq!(codes(&report), ["other-contract", "unsatisfied-imports", "over-capacity"]);
    let message = report["refusals"][0]["message"].as_str().expect("a message");
    for word in ["elicitation@0.7.0", "prompts@0.7.0", "0.1.0"] {
        assert!(message.contains(word), "{message}");
    }
    let given: Vec<_> = report["component"]["imports"].as_array().expect("imports").iter().collect();
    assert_eq!(given[0], &json!({"name": "wasi:http/types@0.2.6", "given": false}));

    let (code, out, err) = inspect(wanting.path(), &[]);
    assert_eq!((code, err.as_str()), (Some(1), ""));
    for word in ["refused", "other-contract", "wasi:http/types@0.2.6 (handlers do not get it)"] {
        assert!(out.contains(word), "no {word}: {out}");
    }
}

#[test]
fn a_handler_that_wants_what_it_does_not_get_is_still_asked_what_it_offers() {
    // `hello`, with one of its imports renamed everywhere; it never calls it.
    let hello = guests::bytes("hello");
    let (given, wanted) = (b"wasi:cli/exit@", b"evil:cli/exit@");
    let mut renamed = hello.clone();
    for at in 0..hello.len() - given.len() {
        if hello[at..].starts_with(given) {
            renamed[at..at + wanted.len()].copy_from_slice(wanted);
        }
    }
    assert_ne!(renamed, hello, "hello imports it");
    let renamed = file(&renamed);
    let (code, report) = report(renamed.path(), &[]);
    assert_eq!((code, codes(&report)), (Some(1), vec!["unsatisfied-imports"]));
    assert_eq!(report["offers"]["tools"][0]["name"], "hello");
}

#[test]
fn a_file_that_is_nothing_of_the_kind_is_told_by_what_it_is() {
    let hello = guests::bytes("hello");
    let asynchronous = wat::parse_str(
        r#"(component (core func $cancel (canon backpressure.inc))
            (instance $tools) (export "dacapo:handler/tools@0.1.0" (instance $tools)))"#,
    );
    let future = wat::parse_str(
        r#"(component (import "wasi:clocks/types@0.3.0" (instance (export "now" (func))))
            (instance $tools) (export "dacapo:handler/tools@0.1.0" (instance $tools)))"#,
    );
    let millions = wasm::with_module(hello.clone(), &wasm::module_of_functions(200_000, &[0, 0x0b]));
    let files: [(&[u8], &str, &str); 9] = [
        (b"", "not-wasm", "empty"),
        (b"Hello, world!\n", "not-wasm", "Hello, w"),
        (b"PK\x03\x04rest of the archive", "not-wasm", "ZIP"),
        (b"(component)", "not-wasm", "text form"),
        (&hello[..hello.len() - 1], "cut-short", "build it again"),
        (&hello[..100], "cut-short", "100 bytes"),
        (&asynchronous.expect("WebAssembly"), "asynchronous", "wasm32-wasip2"),
        (&future.expect("WebAssembly"), "unsatisfied-imports", "WASI 0.3"),
        (&millions, "too-many-functions", "--max-functions"),
    ];
    for (bytes, expected, word) in files {
        let file = file(bytes);
        let (code, report) = report(file.path(), &[]);
        assert_eq!((code, codes(&report)[0]), (Some(1), expected), "{report:#}");
        let message = report["refusals"][0]["message"].as_str().expect("a message");
        assert!(message.contains(word), "no {word}: {message}");
    }
}

#[test]
fn what_is_taken_depends_on_the_operators_options() {
    let path = guests::path("hello");
    let (code, refused) = report(&path, &["--max-functions", "10", "--max-upload", "1KiB", "--memory", "64KiB"]);
    assert_eq!((code, codes(&refused)), (Some(1), vec!["too-large", "too-many-functions", "over-capacity"]));
    let config = file(b"max-functions = 10\n");
    let (code, refused) = report(&path, &["--config", config.path().to_str().expect("UTF-8")]);
    assert_eq!((code, codes(&refused)), (Some(1), vec!["too-many-functions"]));
}

#[test]
fn a_wrong_command_line_is_told_from_a_refusal() {
    assert_eq!(inspect(&guests::path("hello"), &["--no-such-option"]).0, Some(2));
    let (code, _, err) = inspect(Path::new("no-such-file.wasm"), &[]);
    assert_eq!(code, Some(1));
    assert!(err.contains("no-such-file.wasm"), "{err}");
}
