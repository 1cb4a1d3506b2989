//! Wants more than it may have, of whatever it is asked to.

use std::hint::black_box;

use dacapo_guest::prelude::*;

/// How much to want.
#[derive(Deserialize, JsonSchema)]
struct Appetite {
    /// In bytes, or things
    amount: usize,
}

/// Something to carry along.
#[derive(Deserialize, JsonSchema)]
struct Luggage {
    /// Any text
    text: String,
}

/// Whether to go on.
#[derive(Form)]
struct Word {
    /// Go on
    go_on: bool,
}

fn text(amount: usize) -> String {
    "x".repeat(amount)
}

/// Takes memory.
#[tool]
fn hoard(Appetite { amount }: Appetite) -> String {
    format!("has {} bytes", black_box(vec![1_u8; amount]).len())
}

fn deeper(depth: u64) -> u64 {
    if depth == u64::MAX { 0 } else { black_box(depth).wrapping_add(deeper(black_box(depth + 1))) }
}

/// Calls itself without an end that is ever reached.
#[tool]
fn recurse() -> String {
    deeper(0).to_string()
}

/// Runs in a tight loop for ever.
#[tool]
fn spin() -> String {
    let mut turns = 0_u64;
    loop {
        turns = black_box(turns.wrapping_add(1));
    }
}

/// Returns a long text.
#[tool]
fn say(Appetite { amount }: Appetite) -> String {
    text(amount)
}

/// Fails with a long message.
#[tool]
fn complain(Appetite { amount }: Appetite) -> Result<String> {
    Err(dacapo_guest::ProtocolError::internal(text(amount)).into())
}

/// Asks with a long text.
#[tool]
fn plead(ctx: &Context, Appetite { amount }: Appetite) -> String {
    format!("{:?}", matches!(ctx.elicit::<Word>(text(amount)), Reply::Accept(Word { go_on: true })))
}

/// Asks three questions at once.
#[tool]
fn pester(ctx: &Context) -> String {
    let ask = |key: &str| Ask::<Word>::form("Go on?").key(key);
    let _replies = ctx.elicit_all((ask("a"), ask("b"), ask("c")));
    "asked three questions".to_owned()
}

/// Asks one question, whatever it carries.
#[tool]
fn carry(ctx: &Context, Luggage { text }: Luggage) -> String {
    let _reply = ctx.elicit::<Word>("Go on?");
    format!("carried {} bytes", text.len())
}

/// Hands the host a long value, and says what the host says.
#[tool]
fn keep(ctx: &Context, Appetite { amount }: Appetite) -> String {
    told(ctx.once("long", || text(amount)).map(|kept| kept.len()))
}

/// Hands the host many values, and says what the host says in the end.
#[tool]
fn collect(ctx: &Context, Appetite { amount }: Appetite) -> String {
    let kept: Result<Vec<usize>, _> = (0..amount).map(|value| ctx.once(&value.to_string(), || value)).collect();
    told(kept.map(|kept| kept.len()))
}

/// Reports progress with a long message, and says what the host says.
#[tool]
fn boast(ctx: &Context, Appetite { amount }: Appetite) -> String {
    told(ctx.counting_progress(None).emit_with(text(amount)).map(|()| 0))
}

/// Writes so many lines.
#[tool]
fn babble(Appetite { amount }: Appetite) -> String {
    for line in 0..amount {
        println!("line {line}");
    }
    "wrote".to_owned()
}

/// Writes a long line.
#[tool]
fn drone(Appetite { amount }: Appetite) -> String {
    println!("{}", text(amount));
    "wrote".to_owned()
}

fn told<E: std::fmt::Display>(outcome: std::result::Result<usize, E>) -> String {
    match outcome {
        Ok(kept) => format!("kept {kept}"),
        Err(error) => format!("refused: {error}"),
    }
}

dacapo_guest::handlers! {
    tools: [hoard, recurse, spin, say, complain, plead, pester, carry, keep, collect, boast, babble, drone]
}
