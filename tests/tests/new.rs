//! `dacapo new` makes a crate that builds, with tests that pass; and leaves alone what is there.

use std::path::Path;
use std::process::{Command, Output};

use dacapo_tests::{Project, target};

fn new(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(target::host_binary());
    command
        .arg("new")
        .args(arguments)
        .current_dir(directory)
        .env_remove("DACAPO_SDK")
        .output()
        .expect("the binary starts")
}

fn error(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

#[test]
fn the_tests_of_a_new_handler_pass() {
    let project = Project::new("my-handler");
    let output = project.run(project.command("cargo").args(["test", "--color", "never"]));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("test result: ok. 2 passed; 0 failed"), "{text}");
    assert!(!error(&output).contains("warning"), "{}", error(&output));
}

#[test]
fn the_guide_shows_what_is_written() {
    let project = Project::new("my-handler");
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/first-handler.md");
    let guide = std::fs::read_to_string(guide).expect("the guide");
    let source = project.read("src/lib.rs");
    let (handler, _tests) = source.split_once("\n#[cfg(test)]").expect("tests after the handler");
    assert!(guide.contains(handler), "the guide does not show this:\n{handler}");
    let answers: serde_json::Value = serde_json::from_str(&project.read("answers.json")).expect("JSON");
    assert_eq!(answers["elicit-1"]["action"], "accept");
    assert!(project.read(".gitignore").contains("/target"));
    let limits = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/limits.md");
    let limits = std::fs::read_to_string(limits).expect("the page on limits");
    let config = project.read(".cargo/config.toml");
    let (_comment, config) = config.split_once('\n').expect("a comment before the settings");
    assert!(limits.contains(config), "the page on limits does not show this:\n{config}");
}

#[test]
fn it_says_what_to_do_next_and_where_the_sdk_is() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let output = new(directory.path(), &["my-handler"]);
    let text = String::from_utf8_lossy(&output.stdout);
    for expected in ["cd my-handler", "cargo test", "dacapo dev", "/guest-sdk", "no published crate"] {
        assert!(text.contains(expected), "no {expected:?} in {text}");
    }
    let output = new(directory.path(), &["other", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["name"], "other");
    assert!(json["sdk"].as_str().expect("a path").ends_with("/guest-sdk"));
}

#[test]
fn what_is_there_stays_as_it_is() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    std::fs::create_dir(directory.path().join("mine")).expect("writable");
    let refused = new(directory.path(), &["mine"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(error(&refused).contains("mine is there already"), "{}", error(&refused));
    assert_eq!(std::fs::read_dir(directory.path().join("mine")).expect("readable").count(), 0);
}

#[test]
fn names_that_no_crate_or_no_handler_can_have_are_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for name in ["My-Handler", "1st", "a.b", "serde", "fn", ".."] {
        let refused = new(directory.path(), &[name]);
        assert_eq!(refused.status.code(), Some(2), "{name}: {}", error(&refused));
    }
    let refused = new(directory.path(), &["my-handler", "--sdk", "."]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(error(&refused).contains("is no SDK"), "{}", error(&refused));
    assert_eq!(std::fs::read_dir(directory.path()).expect("readable").count(), 0, "nothing was made");
}
