//! Clients that others have written in other languages.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::process::Command;
use tokio::time::timeout;

use crate::target;

/// How long one conversation may take. Much, for machines that do other things besides.
const LIMIT: Duration = Duration::from_mins(1);

/// A script around a client library. It asks for one thing, fills in every form that comes and agrees to visit every page;
/// that the answers get to the server, and the outcome back, is the library's doing.
#[derive(Clone, Copy, Debug)]
pub enum Script {
    /// Around the TypeScript library, run by Node.
    TypeScript,
    /// Around the Python library.
    Python,
}

impl Script {
    /// Holds one conversation. Returns `{"questions": [...], "pages": [...], "progress": [...], "result": {...}}`: the
    /// messages of the questions and the addresses of the pages in order, the values of a tool's progress, and the result
    /// of the call.
    ///
    /// `server` is `{"url": ...}`, or `{"command": ..., "args": [...]}` for a server that the client starts. `ask` is
    /// `{"tool": ..., "arguments": {...}}`, `{"prompt": ...}` or `{"resource": ...}`. `answers` are what the user says,
    /// by the name of the field.
    ///
    /// Panics, with what the script has written, where it fails or finds no end.
    pub async fn converse(self, server: &Value, ask: &Value, answers: &Value) -> Value {
        let (interpreter, script) = self.command_line();
        let output = Command::new(&interpreter)
            .arg(&script)
            .args([server, ask, answers].map(Value::to_string))
            .env("NO_PROXY", "127.0.0.1")
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .output();
        let output = timeout(LIMIT, output).await.unwrap_or_else(|_| panic!("{self:?} finds no end of {ask}"));
        let output = output.unwrap_or_else(|error| panic!("could not start {}: {error}", interpreter.display()));
        let (out, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{} failed: {}\n{out}{errors}", script.display(), output.status);
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("no JSON: {error}\n{out}{errors}"))
    }

    fn command_line(self) -> (PathBuf, PathBuf) {
        match self {
            // Where its libraries have been installed, for that is where Node looks for them.
            Self::TypeScript => ("node".into(), target::client("node/converse.mjs")),
            Self::Python => (
                target::client("python/bin/python"),
                Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/python/converse.py"),
            ),
        }
    }
}
