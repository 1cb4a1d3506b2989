//! Asks another question on every run, against the rules. The host must notice.
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

dacapo_guest::handlers! { tools: [wander] }
