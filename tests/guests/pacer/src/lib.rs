//! Takes its time, in three ways: with reports, without an end, and asleep. The host must be able to end each.

use std::hint::black_box;
use std::thread::sleep;
use std::time::Duration;

use dacapo_guest::prelude::*;

/// How fast to go.
#[derive(Deserialize, JsonSchema)]
struct Pace {
    /// How many reports to make
    steps: u64,
    /// How long to pause before each, in milliseconds
    pause_ms: u64,
}

/// Reports progress with a message, so many times.
#[tool]
fn pace(ctx: &Context, Pace { steps, pause_ms }: Pace) -> Result<String> {
    let mut progress = ctx.counting_progress(Some(steps));
    for step in 1..=steps {
        sleep(Duration::from_millis(pause_ms));
        progress.emit_with(format!("step {step} of {steps}"))?;
    }
    Ok(format!("made {steps} steps"))
}

/// Runs in a tight loop for ever.
#[tool]
fn spin() -> String {
    let mut turns = 0_u64;
    loop {
        turns = black_box(turns.wrapping_add(1));
    }
}

/// How long to sleep.
#[derive(Deserialize, JsonSchema)]
struct Nap {
    /// In milliseconds
    ms: u64,
}

/// Sleeps.
#[tool]
fn nap(Nap { ms }: Nap) -> String {
    sleep(Duration::from_millis(ms));
    format!("slept {ms} ms")
}

dacapo_guest::handlers! { tools: [pace, spin, nap] }
