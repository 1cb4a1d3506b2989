//! Counts its runs in a static. Every run has memory of its own, so the count is always 1.

use std::sync::atomic::{AtomicU32, Ordering};

use dacapo_guest::prelude::*;

static RUNS: AtomicU32 = AtomicU32::new(0);

/// Any question will do.
#[derive(Form)]
#[expect(dead_code, reason = "no matter what the answer is")]
struct GoOn {
    /// Whether to go on
    go_on: bool,
}

/// Says how often it has run in this instance.
#[tool]
fn count(ctx: &Context) -> String {
    let runs = RUNS.fetch_add(1, Ordering::Relaxed) + 1;
    let _ = ctx.elicit::<GoOn>("Go on?");
    runs.to_string()
}

dacapo_guest::handlers! { tools: [count] }
