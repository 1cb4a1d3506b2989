//! Does something else on every run, against the rules. The host must notice.
//!
//! The sandbox gives a handler nothing that differs between two runs, so it takes a kept value to tell them apart.

use dacapo_guest::prelude::*;

/// Any question will do.
#[derive(Form)]
#[expect(dead_code, reason = "no matter what the answer is")]
struct GoOn {
    /// Whether to go on
    go_on: bool,
}

/// Asks another question on its first run than on all others.
#[tool]
fn wander(ctx: &Context) -> Result<String> {
    let mut run = "a later";
    ctx.once("seen", || run = "the first")?;
    let _ = ctx.elicit::<GoOn>(format!("This is {run} run. Go on?"));
    Ok(format!("this was {run} run"))
}

/// Asks the same on every run, and returns something else on its first run than on all others.
#[tool]
fn drift(ctx: &Context) -> Result<String> {
    let mut run = "a later";
    ctx.once("seen", || run = "the first")?;
    let _ = ctx.elicit::<GoOn>("Go on?");
    Ok(format!("this was {run} run"))
}

/// Asks the same first, and then something else where its first run comes to it than on all others.
#[tool]
fn waver(ctx: &Context) -> Result<String> {
    let mut run = "a later";
    ctx.once("seen", || run = "the first")?;
    let _ = ctx.elicit::<GoOn>("Go on?");
    let _ = ctx.elicit::<GoOn>(format!("This is {run} run. Go on?"));
    Ok("done".to_owned())
}

/// Asks and returns the same on every run, and keeps one value more on each.
#[tool]
fn pile(ctx: &Context) -> Result<String> {
    let mut run = 0;
    let mut is_kept = true;
    while is_kept {
        run += 1;
        ctx.once(&format!("run {run}"), || is_kept = false)?;
    }
    let _ = ctx.elicit::<GoOn>("Go on?");
    Ok("done".to_owned())
}

/// Asks on its first run, and on no other.
#[tool]
fn fall_silent(ctx: &Context) -> Result<String> {
    let mut is_first = false;
    ctx.once("seen", || is_first = true)?;
    if is_first {
        let _ = ctx.elicit::<GoOn>("Go on?");
    }
    Ok("done".to_owned())
}

dacapo_guest::handlers! { tools: [wander, waver, drift, pile, fall_silent] }
