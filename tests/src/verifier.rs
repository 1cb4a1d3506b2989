//! The real binary as authors run it on their handlers.

use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use tokio::process::Command;

use crate::target;

/// One run of `dacapo verify`, over.
pub struct Verified {
    /// Its exit code.
    pub code: i32,
    /// What it wrote to its standard output.
    pub out: String,
    /// What it wrote to its standard error.
    pub errors: String,
}

impl Verified {
    /// Runs `dacapo verify` on a component.
    ///
    /// Panics where it can't be started or is killed.
    pub async fn run(component: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(target::host_binary());
        command.arg("verify").arg(component).args(arguments).stdin(Stdio::null()).kill_on_drop(true);
        let output = command.output().await.expect("the binary starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        let code = output.status.code().expect("an exit code");
        Self { code, out: text(output.stdout), errors: text(output.stderr) }
    }

    /// Runs it with `--json` and with `answers` in a file.
    pub async fn with_answers(component: &Path, arguments: &[&str], answers: &Value) -> Self {
        let file = tempfile::NamedTempFile::new().expect("a file can be made");
        std::fs::write(file.path(), answers.to_string()).expect("the file can be written");
        let answers = file.path().to_str().expect("a path in UTF-8");
        Self::run(component, &[arguments, &["--answers", answers, "--json"]].concat()).await
    }

    /// What it printed with `--json`.
    ///
    /// Panics, with what it wrote, where that is no JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.errors))
    }
}
