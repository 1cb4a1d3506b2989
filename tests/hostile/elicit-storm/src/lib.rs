//! Asks and asks: one question after the other without an end, or ever so many at once.

use dacapo_guest::prelude::*;

/// Any question will do.
#[derive(Form)]
#[expect(dead_code, reason = "no matter what the answer is")]
struct GoOn {
    /// Whether to go on
    go_on: bool,
}

/// Asks one question after the other, for ever.
#[tool]
fn nag(ctx: &Context) -> String {
    let mut asked = 0_u64;
    loop {
        asked += 1;
        let _ = ctx.elicit::<GoOn>(format!("This is question {asked}. Go on?"));
    }
}

/// How much to ask.
#[derive(Deserialize, JsonSchema)]
struct Storm {
    /// How many questions to ask at once
    questions: u32,
    /// How long each is, in bytes
    bytes: usize,
}

/// Asks so many questions at once.
#[tool]
fn storm(ctx: &Context, Storm { questions, bytes }: Storm) -> String {
    let message = "?".repeat(bytes);
    let asks: Vec<Ask<GoOn>> = (0..questions).map(|_| Ask::form(&message)).collect();
    format!("{} answers", ctx.elicit_all(asks).len())
}

dacapo_guest::handlers! { tools: [nag, storm] }
