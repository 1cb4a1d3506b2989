//! `dacapo dev` serves what was last good, and what was saved as soon as it is built.

use std::process::Stdio;
use std::time::Duration;

use dacapo_tests::{Client, Log, Project, target};
use serde_json::json;
use tokio::process::{Child, Command};

/// How long a build may take. The first one compiles what the handler depends on, beside other tests.
const BUILD_LIMIT: Duration = Duration::from_mins(10);

/// A running `dacapo dev`. Dropping it kills the process.
struct Dev {
    child: Child,
    log: Log,
    client: Client,
}

impl Dev {
    async fn start(project: &Project) -> Self {
        let mut command = Command::from(project.command(target::host_binary()));
        command.args(["dev", "--listen", "127.0.0.1:0"]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().expect("the binary starts");
        let output = Log::of(child.stdout.take().expect("piped"));
        let log = Log::of(child.stderr.take().expect("piped"));
        let find = |text: &str| text.lines().find_map(|line| line.strip_prefix("listening on ").map(str::to_owned));
        let Some(url) = output.wait_for(Duration::from_mins(1), find).await else {
            panic!("it does not listen:\n{}", log.text());
        };
        Self { child, log, client: Client::at(format!("{url}/mcp")) }
    }

    /// Waits for a line that contains `text`, and gives it.
    async fn says(&self, text: &str) -> String {
        let find = |log: &str| log.lines().find(|line| line.contains(text)).map(str::to_owned);
        let line = self.log.wait_for(BUILD_LIMIT, find).await;
        line.unwrap_or_else(|| panic!("it did not say `{text}`:\n{}", self.log.text()))
    }

    /// What the handler asks.
    async fn question(&self) -> String {
        let asked = self.client.call_tool("order", json!({"item": "tea"})).await;
        asked.input_requests()["elicit-1"]["params"]["message"].as_str().expect("a message").to_owned()
    }
}

/// The seconds in `live in 0.09 s after`.
fn live_in(line: &str) -> f64 {
    let seconds = line.split_once("is live in ").and_then(|(_, rest)| rest.split_once(" s after"));
    seconds.and_then(|(seconds, _)| seconds.parse().ok()).unwrap_or_else(|| panic!("no time in {line:?}"))
}

#[tokio::test]
async fn a_save_is_live_and_a_broken_one_leaves_the_last_good_one() {
    let project = Project::new("my-handler");
    let good = project.read("src/lib.rs");
    let dev = Dev::start(&project).await;
    let first = dev.says("my-handler revision 1 is live").await;
    assert!(first.ends_with(": order"), "{first}");
    assert_eq!(dev.question().await, "How many of tea?");

    let better = good.replace("How many of {item}?", "How much {item}?");
    project.write("src/lib.rs", &better);
    let line = dev.says("my-handler revision 2 is live").await;
    println!("{line}");
    assert_eq!(dev.question().await, "How much tea?");
    assert!(live_in(&line) < 3.0, "{line}");

    project.write("src/lib.rs", &better.replace("-> String {", "-> String {{"));
    dev.says("my-handler revision 2 still serves").await;
    let log = dev.log.text();
    assert!(log.contains("this file contains an unclosed delimiter"), "cargo's own error is shown:\n{log}");
    assert_eq!(dev.question().await, "How much tea?");

    project.write("src/lib.rs", &good.replace("How many of {item}?", "Which {item}?"));
    println!("{}", dev.says("my-handler revision 3 is live").await);
    assert_eq!(dev.question().await, "Which tea?");

    // A manifest that makes no component is told so, and mended by the next save.
    let manifest = project.read("Cargo.toml");
    project.write("Cargo.toml", &manifest.replace("crate-type = [\"cdylib\"]", "crate-type = [\"rlib\"]"));
    dev.says("has no library of the crate type \"cdylib\"").await;
    dev.says("my-handler revision 3 still serves").await;
    assert_eq!(dev.question().await, "Which tea?");

    let mut child = dev.child;
    let pid = child.id().expect("it runs").to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().await.expect("kill starts").success());
    let ended = tokio::time::timeout(Duration::from_secs(20), child.wait()).await.expect("Ctrl-C ends it");
    assert!(ended.expect("a child can be waited for").success());
}

#[tokio::test]
async fn where_there_is_no_crate_it_says_how_to_make_one() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let output = Command::new(target::host_binary()).arg("dev").arg(directory.path()).output().await;
    let output = output.expect("the binary starts");
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(error.contains("Cargo.toml") && error.contains("dacapo new"), "{error}");
}
