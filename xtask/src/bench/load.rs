//! Puts a server under load, and says what came of it.
//!
//! Calls are made by wrk: of the generators that post a body, keep their connections and hold a thousand of them, it takes the
//! least of a machine that it shares with the server. What it can't do, conversations and a steady rate, `dacapo-drive` does.

use std::fs;
use std::net::SocketAddr;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Deserialize;
use tempfile::TempDir;

use super::programs::Programs;
use super::server::Server;
use super::subject::{Subject, Way};
use crate::shell;

/// What wrk is to say at its end.
const SAY: &str = include_str!("say.lua");

/// What came of it.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Figures {
    /// What came to its end, a second.
    pub(crate) per_second: f64,
    /// How many answers were errors, or did not come.
    pub(crate) errors: u64,
    /// In microseconds: half took no longer.
    pub(crate) p50_us: f64,
    /// In microseconds: 99 of 100 took no longer.
    pub(crate) p99_us: f64,
}

/// A load for a subject.
pub(crate) struct Load<'a> {
    programs: &'a Programs,
    subject: Subject,
    address: SocketAddr,
    /// Where the request is, in both spellings.
    files: TempDir,
}

impl<'a> Load<'a> {
    /// A load for a subject's server.
    pub(crate) fn new(programs: &'a Programs, subject: Subject, server: &Server) -> Result<Self> {
        Self::of(programs, subject, &subject.message(), server)
    }

    /// A load of another message.
    pub(crate) fn of(
        programs: &'a Programs,
        subject: Subject,
        message: &super::message::Message,
        server: &Server,
    ) -> Result<Self> {
        let files = tempfile::tempdir()?;
        fs::write(files.path().join("request.json"), message.to_json())?;
        fs::write(files.path().join("request.lua"), message.to_lua() + SAY)?;
        Ok(Self { programs, subject, address: server.address(), files })
    }

    /// As many calls, or conversations, as so many connections can make.
    pub(crate) fn most(&self, connections: usize, time: Duration) -> Result<Figures> {
        match self.subject.way() {
            Way::Call => self.wrk(connections, time),
            Way::Converse(answers) => {
                let mut drive = self.drive("converse", connections, time);
                drive.args(["--answers", &answers.to_string()]);
                read(&shell::output(&mut drive)?)
            }
        }
    }

    /// So much of what the same generator makes at most.
    pub(crate) fn steady(&self, share: f64, connections: usize, time: Duration) -> Result<Figures> {
        let most = read(&shell::output(&mut self.drive("steady", connections, time / 2))?)?;
        let mut drive = self.drive("steady", connections, time);
        drive.args(["--rate", &(most.per_second * share).to_string()]);
        read(&shell::output(&mut drive)?)
    }

    fn wrk(&self, connections: usize, time: Duration) -> Result<Figures> {
        let mut wrk = self.programs.wrk();
        wrk.args(["--threads", "1", "--timeout", "60s", "--connections", &connections.to_string()])
            .args(["--duration", &format!("{}s", time.as_secs()), "--script"])
            .arg(self.files.path().join("request.lua"))
            .arg(format!("http://{}/mcp", self.address));
        let output = shell::output(&mut wrk)?;
        let line = output.lines().find(|line| line.starts_with('{'));
        read(line.with_context(|| format!("wrk did not say what it found: {output}"))?)
    }

    fn drive(&self, way: &str, connections: usize, time: Duration) -> Command {
        let mut drive = self.programs.drive();
        drive
            .args([way, "--address", &self.address.to_string(), "--connections", &connections.to_string()])
            .args(["--seconds", &time.as_secs_f64().to_string(), "--request"])
            .arg(self.files.path().join("request.json"));
        drive
    }
}

fn read(figures: &str) -> Result<Figures> {
    serde_json::from_str(figures).with_context(|| format!("these are no figures: {figures}"))
}
