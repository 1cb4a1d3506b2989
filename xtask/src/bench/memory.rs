//! Resident memory, by handlers and by calls.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::load::Load;
use super::message::Message;
use super::programs::Programs;
use super::server::Server;
use super::subject::Subject;

const HANDLERS: [usize; 4] = [0, 10, 100, 1000];
const CALLS: [usize; 3] = [1, 100, 1000];
/// How long a call waits.
const NAP: Duration = Duration::from_secs(4);
/// How long a host is left alone before it is looked at.
const REST: Duration = Duration::from_secs(1);

/// What was found. All in bytes.
pub(crate) struct Memory {
    pub(crate) handlers: Vec<ByHandlers>,
    pub(crate) calls: Vec<ByCalls>,
}

/// What a host holds with so many handlers.
pub(crate) struct ByHandlers {
    pub(crate) handlers: usize,
    /// After they were uploaded, one after the other.
    pub(crate) uploaded: (u64, u64),
    /// After a restart.
    pub(crate) restarted: (u64, u64),
}

/// What a host holds while so many calls wait.
pub(crate) struct ByCalls {
    pub(crate) calls: usize,
    pub(crate) held: (u64, u64),
    /// How many of them failed.
    pub(crate) errors: u64,
}

/// Measures both.
pub(crate) fn measure(programs: &Programs) -> Result<Memory> {
    Ok(Memory { handlers: by_handlers(programs)?, calls: by_calls(programs)? })
}

fn by_handlers(programs: &Programs) -> Result<Vec<ByHandlers>> {
    let data = tempfile::tempdir()?;
    let mut found = Vec::new();
    let mut there = 0;
    for handlers in HANDLERS {
        eprintln!("memory: {handlers} handlers");
        let server = Server::host(programs, data.path())?;
        upload(programs, &server, there..handlers)?;
        there = handlers;
        thread::sleep(REST);
        let uploaded = server.resident()?;
        drop(server);
        let restarted = restart(programs, data.path())?;
        found.push(ByHandlers { handlers, uploaded, restarted });
    }
    Ok(found)
}

fn restart(programs: &Programs, data: &Path) -> Result<(u64, u64)> {
    let server = Server::host(programs, data)?;
    thread::sleep(REST);
    server.resident()
}

fn by_calls(programs: &Programs) -> Result<Vec<ByCalls>> {
    let mut found = Vec::new();
    for calls in CALLS {
        eprintln!("memory: {calls} calls at once");
        let data = tempfile::tempdir()?;
        let server = Server::host(programs, data.path())?;
        server.upload("pacer", fs::read(programs.guest("pacer"))?)?;
        let nap = Message::call("nap", &json!({"ms": u64::try_from(NAP.as_millis())?}));
        let load = Load::of(programs, Subject::Hello, &nap, &server)?;
        let (held, figures) = thread::scope(|scope| {
            let loading = scope.spawn(|| load.most(calls, NAP));
            thread::sleep(NAP / 2);
            let held = server.resident();
            (held, loading.join())
        });
        let figures = figures.ok().context("the load broke off")??;
        found.push(ByCalls { calls, held: held?, errors: figures.errors });
    }
    Ok(found)
}

/// Uploads handlers with these numbers: `hello`, each with another name for its tool, in as many letters as the first.
pub(crate) fn upload(programs: &Programs, server: &Server, numbers: std::ops::Range<usize>) -> Result<()> {
    let hello = fs::read(programs.guest("hello"))?;
    for number in numbers {
        let tool = tool(number);
        let component = renamed(&hello, b"hello", tool.as_bytes());
        ensure!(component != hello, "the guest `hello` does not hold its tool's name");
        server.upload(&tool, component)?;
    }
    Ok(())
}

/// The tool of a handler that was uploaded by [`upload`], and the handler's name too.
pub(crate) fn tool(number: usize) -> String {
    format!("h{number:04}")
}

/// The bytes with one word for another of the same length.
fn renamed(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut renamed = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(first) = rest.first() {
        if let Some(after) = rest.strip_prefix(from) {
            renamed.extend_from_slice(to);
            rest = after;
        } else {
            renamed.push(*first);
            rest = rest.get(1..).unwrap_or_default();
        }
    }
    renamed
}
