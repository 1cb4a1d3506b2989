//! Does as little as can be measured: returns, traps, or asks so many questions.

use dacapo_guest::prelude::*;

/// Returns.
#[tool]
fn give() -> &'static str {
    "given"
}

/// Traps.
#[tool]
fn trap() -> String {
    std::process::abort()
}

/// How much to ask.
#[derive(Deserialize, JsonSchema)]
struct Interview {
    /// How many questions
    questions: u32,
}

/// Well?
#[derive(Form)]
struct Answer {
    /// Yes or no
    yes: bool,
}

/// Asks so many questions, and counts how often the answer is yes.
#[tool]
fn ask(ctx: &Context, Interview { questions }: Interview) -> String {
    let yes = (0..questions).filter(|_| ctx.elicit::<Answer>("Well?").accepted().is_some_and(|answer| answer.yes));
    format!("{} of {questions}", yes.count())
}

dacapo_guest::handlers! { tools: [give, trap, ask] }
