use dacapo_guest::prelude::*;

/// A prompt.
#[prompt]
fn one() -> String {
    String::new()
}

/// Another prompt.
#[prompt(name = "one")]
fn other() -> String {
    String::new()
}

/// A resource.
#[resource("a:b")]
fn here() -> String {
    String::new()
}

/// Another resource.
#[resource("a:b")]
fn there() -> String {
    String::new()
}

#[derive(Choice)]
enum Size {
    Small,
    #[choice(value = "small")]
    Tiny,
}

dacapo_guest::handlers! { prompts: [one, other], resources: [here, there] }

fn main() {}
