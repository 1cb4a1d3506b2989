use dacapo_guest::prelude::*;

/// A prompt.
#[prompt]
fn greet() -> String {
    String::new()
}

#[completion(prompt = "greet", argument = "name")]
fn name(_typed: &str) -> Vec<String> {
    Vec::new()
}

#[completion(argument = "name")]
fn unbound() -> Vec<String> {
    Vec::new()
}

#[completion(prompt = "greet", argument = "name")]
fn takes(_: u8) -> Vec<String> {
    Vec::new()
}

dacapo_guest::handlers! { prompts: [greet], completions: [name] }

fn main() {}
