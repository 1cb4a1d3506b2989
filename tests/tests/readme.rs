//! The README tells the truth: its commands run, and print what it says.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use dacapo_tests::{Host, Script, target};
use serde_json::{Value, json};

/// The address that the README's commands use.
const DEMO: &str = "http://127.0.0.1:8460";

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the checkout").to_owned()
}

fn read(file: &str) -> String {
    std::fs::read_to_string(checkout().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The fenced blocks of a section of the README, each with its language.
fn blocks(section: &str) -> Vec<(String, String)> {
    blocks_of("README.md", section)
}

fn blocks_of(file: &str, section: &str) -> Vec<(String, String)> {
    let text = read(file);
    let text = text.split("\n## ").find(|part| part.starts_with(section)).expect("the section").to_owned();
    let fenced = text.split("\n```").skip(1).step_by(2);
    fenced
        .map(|block| {
            let (language, body) = block.split_once('\n').expect("a block of more than one line");
            (language.to_owned(), body.to_owned())
        })
        .collect()
}

fn block(file: &str, section: &str, language: &str) -> String {
    blocks_of(file, section).into_iter().find(|(is, _)| is == language).expect("a block of this language").1
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
async fn the_first_handler_goes_from_nothing_to_a_conversation_by_its_commands() {
    let host = Host::start().await;
    let directory = tempfile::tempdir().expect("a temporary directory");
    let scripts: Vec<String> =
        blocks("A first handler").into_iter().filter(|(language, _)| language == "sh").map(|(_, body)| body).collect();
    let [make, build] = scripts.as_slice() else { panic!("two blocks of commands: {scripts:?}") };
    run(elsewhere(make, directory.path()));

    let environment = run(script("cargo xtask wasm-env", &checkout())).stdout;
    let environment = String::from_utf8(environment).expect("UTF-8");
    let build = format!("{environment}\nexport DACAPO_SERVER={}\n{build}", host.url());
    let output = run(elsewhere(&build, &directory.path().join("my-handler")));
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    for word in ["faithful", "my-handler revision 1", "Ordered: 2 of coffee (hot)."] {
        assert!(said.contains(word), "no {word:?}: {said}");
    }

    // And now another client.
    let ask = json!({"tool": "order", "arguments": {"item": "tea"}});
    let server = json!({"url": host.mcp_url()});
    let answers = json!({"count": 3, "note": "green"});
    let told = Script::TypeScript.converse(&server, &ask, &answers).await;
    assert_eq!(told["questions"], json!(["How many of tea?"]));
    assert_eq!(told["result"]["content"][0]["text"], "Ordered: 3 of tea (green).");
}

#[tokio::test]
async fn the_configuration_files_are_some() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("dacapo.toml");
    for (page, section, status) in [("README.md", "Running a server", 401), ("docs/operating.md", "Setting up", 200)] {
        std::fs::write(&file, block(page, section, "toml")).expect("writable");
        let host = Host::builder().arg("--config").arg(&file).start().await;
        assert_eq!(host.client().call("tools/list", Value::Null).await.status, status, "{page}");
    }
}

/// The words in quotes that stand behind one of `signs` in a source of the host's.
fn words(source: &str, signs: &[&str]) -> Vec<String> {
    let text = read(&format!("host/src/{source}"));
    let quoted = |sign: &&str| {
        let after: Vec<String> = text.split(sign).skip(1).map(str::to_owned).collect();
        after.into_iter().filter_map(|after| after.split('"').next().map(str::to_owned))
    };
    signs.iter().flat_map(quoted).collect()
}

#[test]
fn every_code_and_reason_is_explained() {
    let explained = read("docs/errors.md") + &read("docs/uploads.md");
    let mut codes = words("sandbox/refusal.rs", &["=> \""]);
    codes.extend(words("sandbox/describe.rs", &["=> \""]));
    codes.extend(words("admin/error.rs", &["StatusCode::UNAUTHORIZED, \"", "FORBIDDEN, \"", "NOT_FOUND, \""]));
    codes.extend(words("admin/error.rs", &["BAD_REQUEST, \"", "ENTITY, \"", "CONFLICT, \"", "SERVER_ERROR, \""]));
    codes.extend(words("carrier/wire.rs", &["=> (\n                \"", "{ .. } => \"", "(_) => \""]));
    codes.extend(words("server/conversation.rs", &["rejected_retry(\"", "rejected_retry(\n                \""]));
    assert!(codes.len() > 30, "the codes are no longer where they were: {codes:?}");
    for code in codes {
        assert!(
            explained.contains(&format!("`{code}`")),
            "neither docs/errors.md nor docs/uploads.md explains `{code}`"
        );
    }
}
