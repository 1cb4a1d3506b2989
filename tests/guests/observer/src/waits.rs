//! What comes first of several things that are waited for.

use dacapo_guest::prelude::*;
use wasip2::cli::{stdin, stdout};
use wasip2::clocks::monotonic_clock::{now, subscribe_duration, subscribe_instant};
use wasip2::io::poll::{Pollable, poll};

const MS: u64 = 1_000_000;

/// What was ready, by its place among what was waited for.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Waited {
    /// Of moments that are close together, the earliest last
    moments: Vec<u32>,
    /// Of the same moments, each time that one had come and was left out
    rest: Vec<u32>,
    /// Of moments, and streams that never wait
    streams: Vec<u32>,
    /// Of moments that have passed
    passed: Vec<u32>,
    /// Of one moment that is there twice, and a later one
    twice: Vec<u32>,
    /// How often a moment was asked for before it had come, while nothing else happened
    turns: u32,
    /// What the steady clock says of all that, in nanoseconds
    took_ns: u64,
}

impl Waited {
    pub(crate) fn now() -> Self {
        let start = now();
        // So close together that a machine under load finds several of them past.
        let mut alarms: Vec<Pollable> =
            (1..=5).rev().map(|step| subscribe_instant(start + MS + step * 10_000)).collect();
        let moments = ready(&alarms);
        let mut rest = Vec::new();
        while !alarms.is_empty() {
            let come = ready(&alarms);
            rest.extend(&come);
            for index in come.into_iter().rev() {
                drop(alarms.remove(index as usize));
            }
        }
        let (output, input) = (stdout::get_stdout(), stdin::get_stdin());
        let streams =
            ready(&[subscribe_duration(0), output.subscribe(), subscribe_duration(MS), input.subscribe(), past()]);
        let passed = ready(&[past(), subscribe_duration(MS), past()]);
        let soon = now() + MS;
        let twice = ready(&[subscribe_instant(soon), subscribe_duration(1000 * MS), subscribe_instant(soon)]);
        let alarm = subscribe_duration(MS / 10);
        let mut turns = 0;
        while !alarm.ready() {
            turns += 1;
        }
        Self { moments, rest, streams, passed, twice, turns, took_ns: now() - start }
    }
}

fn past() -> Pollable {
    subscribe_instant(0)
}

fn ready(pollables: &[Pollable]) -> Vec<u32> {
    poll(&pollables.iter().collect::<Vec<_>>())
}
