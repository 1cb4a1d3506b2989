//! How soon handlers are there again.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::json;

use super::memory::{self, tool};
use super::message::{self, Message};
use super::programs::Programs;
use super::server::Server;
use super::stats::Samples;

/// How many handlers there are.
pub(crate) const HANDLERS: usize = 100;

/// What was found.
pub(crate) struct Restart {
    /// From the start of the process until it listens.
    pub(crate) listens: Duration,
    /// From the start of the process until the first of the handlers has answered a call.
    pub(crate) answers: Duration,
    /// What the first call of each handler took, in milliseconds.
    pub(crate) first_ms: Samples,
    /// What the second call took.
    pub(crate) second_ms: Samples,
    /// How much longer the first took than the second.
    pub(crate) more_ms: Samples,
}

/// Uploads the handlers, restarts the host, and calls each of them twice.
pub(crate) fn measure(programs: &Programs) -> Result<Restart> {
    eprintln!("restart with {HANDLERS} handlers");
    let data = tempfile::tempdir()?;
    let server = Server::host(programs, data.path())?;
    memory::upload(programs, &server, 0..HANDLERS)?;
    drop(server);
    let start = Instant::now();
    let server = Server::host(programs, data.path())?;
    let listens = start.elapsed();
    let agent = message::agent();
    let mut answers = None;
    let mut calls = Vec::with_capacity(HANDLERS);
    for number in 0..HANDLERS {
        let call = Message::call(&tool(number), &json!({"name": "Ada"}));
        // It lists the other name, and was compiled to look for its own: it runs, and this is what it says then.
        let refusal = format!("There is no tool `{}`.", tool(number));
        let timed = || {
            let start = Instant::now();
            call.reach(&agent, &server.url(), &refusal)?;
            Ok::<_, anyhow::Error>(start.elapsed().as_secs_f64() * 1e3)
        };
        let first = timed()?;
        answers.get_or_insert_with(|| start.elapsed());
        calls.push((first, timed()?));
    }
    Ok(Restart {
        listens,
        answers: answers.unwrap_or_default(),
        first_ms: calls.iter().map(|(first, _)| *first).collect(),
        second_ms: calls.iter().map(|(_, second)| *second).collect(),
        more_ms: calls.iter().map(|(first, second)| first - second).collect(),
    })
}
