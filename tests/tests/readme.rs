//! The README tells the truth: its commands run, and print what it says.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use dacapo_tests::{Host, target};
use serde_json::{Value, json};

/// The address that the README's commands use.
const DEMO: &str = "http://127.0.0.1:8460";

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the checkout").to_owned()
}

/// The fenced blocks of a section, each with its language.
fn blocks(section: &str) -> Vec<(String, String)> {
    let readme = std::fs::read_to_string(checkout().join("README.md")).expect("the README");
    let text = readme.split("\n## ").find(|part| part.starts_with(section)).expect("the section").to_owned();
    let fenced = text.split("\n```").skip(1).step_by(2);
    fenced
        .map(|block| {
            let (language, body) = block.split_once('\n').expect("a block of more than one line");
            (language.to_owned(), body.to_owned())
        })
        .collect()
}

fn block(section: &str, language: &str) -> String {
    blocks(section).into_iter().find(|(is, _)| is == language).expect("a block of this language").1
}

/// A script to run in `directory`, with the built `dacapo` on the path.
fn script(script: &str, directory: &Path) -> Command {
    let binary = target::host_binary();
    let path = std::env::var("PATH").expect("a path");
    let mut bash = Command::new("bash");
    bash.args(["-euo", "pipefail", "-c", script])
        .current_dir(directory)
        .env("PATH", format!("{}:{path}", binary.parent().expect("a directory").display()));
    bash
}

/// As [`script`], for a crate that is none of this workspace's.
fn elsewhere(text: &str, directory: &Path) -> Command {
    let mut bash = script(text, directory);
    bash.env_remove("CARGO_TARGET_DIR")
        .env_remove("RUSTFLAGS")
        // What cargo makes on the way is kept for the next time; what comes of it is where the README says.
        .env("CARGO_BUILD_BUILD_DIR", target::directory().join("readme-build"));
    bash
}

fn run(mut script: Command) -> Output {
    let output = script.output().expect("bash starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{script:?}\n{}\n{}", text(&output.stdout), text(&output.stderr));
    output
}

/// JSON with the one part of it that is another each time left out.
fn masked(mut json: Value) -> Value {
    if let Some(state) = json.pointer_mut("/result/requestState") {
        *state = "…".into();
    }
    json
}

#[tokio::test]
async fn the_conversation_by_hand_is_as_it_says() {
    let host = Host::start().await;
    host.upload_guest("hello").await;
    host.upload_guest("onboard").await;
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut script = ":".to_owned();
    let mut last = None;
    let mut compared = 0;
    for (language, body) in blocks("A conversation by hand") {
        match language.as_str() {
            "sh" => {
                let command = body.replace(DEMO, host.url());
                // What came before is run again for its variables, its output left out.
                let output = run(self::script(&format!("{{ {script}\n}} > /dev/null\n{command}"), directory.path()));
                script = format!("{script}\n{command}");
                last = Some(output.stdout);
            }
            "json" => {
                let printed = last.take().expect("a command before its output");
                let printed: Value = serde_json::from_slice(&printed).expect("the command prints JSON");
                let shown: Value = serde_json::from_str(&body).expect("the README shows JSON");
                assert_eq!(masked(printed), masked(shown));
                compared += 1;
            }
            other => panic!("a block of {other} in the section"),
        }
    }
    assert_eq!(compared, 3);
}

#[tokio::test]
async fn the_first_handler_is_made_built_and_uploaded_by_its_commands() {
    const SECTION: &str = "A first handler";
    let host = Host::start().await;
    let directory = tempfile::tempdir().expect("a temporary directory");
    let beside = directory.path().join("dacapo");
    std::fs::create_dir(&beside).expect("writable");
    let scripts: Vec<String> =
        blocks(SECTION).into_iter().filter(|(language, _)| language == "sh").map(|(_, body)| body).collect();
    let [create, build] = scripts.as_slice() else { panic!("two blocks of commands: {scripts:?}") };
    run(elsewhere(create, &beside));

    let handler = directory.path().join("my-handler");
    let manifest = block(SECTION, "toml").replace("../dacapo", checkout().to_str().expect("UTF-8"));
    std::fs::write(handler.join("Cargo.toml"), manifest).expect("writable");
    std::fs::write(handler.join("src/lib.rs"), block(SECTION, "rust")).expect("writable");
    let environment = run(script("cargo xtask wasm-env", &checkout())).stdout;
    let environment = String::from_utf8(environment).expect("UTF-8");
    let build = format!("{environment}\nexport DACAPO_SERVER={}\n{build}", host.url());
    run(elsewhere(&build, &handler));

    let client = host.client();
    let arguments = json!({"amount": 1000, "to": "Bob"});
    let asked = client.call_tool("transfer", arguments.clone()).await;
    assert_eq!(asked.input_requests()["elicit-1"]["params"]["message"], "Transfer 1000 cents to Bob?");
    let answer = json!({"elicit-1": {"action": "accept", "content": {"sure": true}}});
    let done = client.retry("transfer", arguments, asked.request_state(), answer).await;
    assert_eq!(done.complete()["content"][0]["text"], "1000 cents are on their way to Bob.");
}

#[tokio::test]
async fn the_configuration_file_is_one() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("dacapo.toml");
    std::fs::write(&file, block("Running a server", "toml")).expect("writable");
    let host = Host::builder().arg("--config").arg(file).start().await;
    assert_eq!(host.client().call("tools/list", Value::Null).await.status, 401, "callers are told apart");
}
