//! Observes everything that may differ from run to run, and tells it before and after a question.
//!
//! # Layout
//!
//! - `seen.rs`: what a plain program sees: time, randomness, the order of a map, the bits of a float
//! - `waits.rs`: what comes first of several things that are waited for

mod seen;
mod waits;

use std::thread::sleep;
use std::time::Duration;

use dacapo_guest::prelude::*;

use seen::Seen;
use waits::Waited;

/// Any question will do.
#[derive(Form)]
#[expect(dead_code, reason = "no matter what the answer is")]
struct GoOn {
    /// Whether to go on
    go_on: bool,
}

/// What was seen before the question and after it.
#[derive(Serialize, JsonSchema)]
struct Both {
    /// Before
    before: Seen,
    /// After
    after: Seen,
}

/// Asks a question that says what was seen before it, and returns that and what was seen after.
#[tool]
fn observe(ctx: &Context) -> Result<Both> {
    let before = Seen::now(ctx, "before")?;
    let _ = ctx.elicit::<GoOn>(serde_json::to_string(&before)?);
    let after = Seen::now(ctx, "after")?;
    let _ = ctx.elicit::<GoOn>(serde_json::to_string(&after)?);
    Ok(Both { before, after })
}

/// How long to sleep.
#[derive(Deserialize, JsonSchema)]
struct Naps {
    /// Before the question, in milliseconds
    before_ms: u64,
    /// After it, in milliseconds
    after_ms: u64,
}

/// Sleeps, asks, and sleeps again.
#[tool]
fn nap(ctx: &Context, Naps { before_ms, after_ms }: Naps) -> String {
    sleep(Duration::from_millis(before_ms));
    let _ = ctx.elicit::<GoOn>("Go on?");
    sleep(Duration::from_millis(after_ms));
    "awake".to_owned()
}

/// Says what comes first, before and after a question.
#[tool]
fn wait(ctx: &Context) -> [Waited; 2] {
    let before = Waited::now();
    let _ = ctx.elicit::<GoOn>("Go on?");
    [before, Waited::now()]
}

/// Keeps more than the host takes, asks, and says what the host made of it.
#[tool]
fn hoard(ctx: &Context) -> String {
    let kept = ctx.once("small", || "a word".to_owned()).is_ok();
    let large = ctx.once("large", || "x".repeat(100_000)).map(|_| ());
    let many = (0..1000).find_map(|count| ctx.once(&format!("n{count}"), || 0).err().map(|error| error.to_string()));
    let _ = ctx.elicit::<GoOn>(format!("{kept}, {large:?}, {many:?}"));
    format!("{kept}, {large:?}, {many:?}")
}

dacapo_guest::handlers! { tools: [observe, nap, wait, hoard] }
