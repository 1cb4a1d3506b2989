//! Tries to catch the suspension. It can't: a trap is none of the guest's panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use dacapo_guest::prelude::*;

/// Any question will do.
#[derive(Form)]
struct GoOn {
    /// Whether to go on
    go_on: bool,
}

/// Says whether anything but an answer came out of the question.
#[tool(name = "catch")]
fn catch(ctx: &Context) -> String {
    match catch_unwind(AssertUnwindSafe(|| ctx.elicit::<GoOn>("Go on?"))) {
        Ok(Reply::Accept(GoOn { go_on })) => format!("answered {go_on}"),
        Ok(Reply::Decline) => "declined".to_owned(),
        Ok(Reply::Cancel) => "cancelled".to_owned(),
        Err(_) => "caught".to_owned(),
    }
}

dacapo_guest::handlers! { tools: [catch] }
