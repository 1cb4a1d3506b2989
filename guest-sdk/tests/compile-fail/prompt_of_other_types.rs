use dacapo_guest::prelude::*;

struct Unknown;

#[derive(PromptArguments)]
struct Arguments {
    names: Vec<String>,
}

/// A prompt.
#[prompt]
fn takes(_: Unknown) -> String {
    String::new()
}

/// A prompt.
#[prompt]
fn returns() -> u8 {
    0
}

#[prompt]
fn undescribed() -> String {
    String::new()
}

fn main() {}
