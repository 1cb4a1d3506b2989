//! The real binary as a script runs it: without a terminal.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::target;

/// What a command came to.
#[derive(Debug)]
pub struct Ran {
    /// Its exit code.
    pub code: i32,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
}

/// Runs `dacapo` with these arguments and, on its standard input, `input`. Variables of the test's own environment that begin
/// with `DACAPO_` are not passed on.
///
/// Panics where it can't be run.
#[must_use]
pub fn dacapo_with(arguments: &[&str], input: &str) -> Ran {
    let mut command = Command::new(target::host_binary());
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("DACAPO_")) {
        command.env_remove(name);
    }
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    // A command that reads nothing may be gone already.
    let _unread = child.stdin.take().expect("the input is piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("a child process can be waited for");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Ran { code: output.status.code().expect("no signal ended it"), out: text(output.stdout), err: text(output.stderr) }
}

/// Runs `dacapo` with these arguments and nothing on its standard input.
#[must_use]
pub fn dacapo(arguments: &[&str]) -> Ran {
    dacapo_with(arguments, "")
}

impl Ran {
    /// The standard output as JSON.
    ///
    /// Panics where it is none.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("no JSON: {error}: {self:?}"))
    }
}
