//! The real binary as a client starts it: `dacapo stdio`, a message a line.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::log::Log;
use crate::{guests, schema, target};

/// How long to wait for a message that must come. Much, for machines that do other things besides.
const LIMIT: Duration = Duration::from_mins(1);

/// A running host at the other end of two pipes. Dropping it kills the process.
///
/// Every request and all that comes back is held against the protocol's schema, but for what a test sends with
/// [`Pipe::send_line`].
pub struct Pipe {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    log: Log,
    /// What was called last under an id, by the id's JSON.
    methods: HashMap<String, String>,
}

impl Pipe {
    /// Starts `dacapo stdio` with these guests.
    #[must_use]
    pub fn start(names: &[&str]) -> Self {
        let guests = names.iter().flat_map(|name| ["--handler".into(), guests::path(name).into_os_string()]);
        Self::start_with(guests)
    }

    /// Starts `dacapo stdio` with these arguments. Variables of the test's own environment that begin with `DACAPO_` are
    /// not passed on.
    pub fn start_with(arguments: impl IntoIterator<Item: AsRef<OsStr>>) -> Self {
        let binary = target::host_binary();
        let mut command = Command::new(&binary);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("DACAPO_") {
                command.env_remove(name);
            }
        }
        let mut child = command
            .arg("stdio")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("could not start {}: {error}", binary.display()));
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("the output is piped")).lines();
        let log = Log::of(child.stderr.take().expect("the errors are piped"));
        Self { child, input, output, log, methods: HashMap::new() }
    }

    /// Sends a message.
    ///
    /// Panics where it is a request and breaks the protocol's schema.
    pub async fn send(&mut self, message: &Value) {
        if let (Some(id), Some(method)) = (message.get("id"), message["method"].as_str()) {
            schema::check_request(message);
            self.methods.insert(id.to_string(), method.to_owned());
        }
        self.send_line(message.to_string().as_bytes()).await;
    }

    /// Sends a line as it is.
    pub async fn send_line(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(&[line, b"\n"].concat()).await.expect("the host reads");
        input.flush().await.expect("the host reads");
    }

    /// The next message; nothing where the output ends.
    ///
    /// Panics, with the log, where neither comes in time, or something does that breaks the protocol's schema.
    pub async fn next(&mut self) -> Option<Value> {
        let line = timeout(LIMIT, self.output.next_line()).await;
        let line = line.unwrap_or_else(|_| panic!("the host sends nothing; its log:\n{}", self.log.text()));
        line.expect("the output is text").map(|line| {
            let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("no JSON: {error}: {line}"));
            let method = self.methods.get(&message["id"].to_string());
            schema::check_answer(method.map(String::as_str), &message);
            message
        })
    }

    /// Whether nothing is sent for as long as this.
    pub async fn is_silent_for(&mut self, time: Duration) -> bool {
        timeout(time, self.output.next_line()).await.is_err()
    }

    /// Closes the input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// The host's process.
    ///
    /// Panics where it has ended.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id().expect("the host runs")
    }

    /// Waits until the host has ended.
    ///
    /// Panics, with the log, where it does not end within `limit`.
    pub async fn ended(&mut self, limit: Duration) -> ExitStatus {
        let ended = timeout(limit, self.child.wait()).await;
        let ended = ended.unwrap_or_else(|_| panic!("the host does not end; its log:\n{}", self.log.text()));
        ended.expect("a child process can be waited for")
    }

    /// Waits for a line in the log that contains `text`.
    ///
    /// Panics, with the log, where none comes.
    pub async fn wait_for_log(&self, text: &str) {
        let found = self.log.wait_for(LIMIT, |log| log.contains(text).then_some(())).await;
        found.unwrap_or_else(|| panic!("the host did not log `{text}`; its log:\n{}", self.log.text()));
    }
}
