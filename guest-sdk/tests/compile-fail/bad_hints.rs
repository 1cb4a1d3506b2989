use dacapo_guest::prelude::*;

/// Two settings for one thing.
#[tool(icon = "data:,a", icons = ["data:,b"])]
fn icons() {}

/// A hint that is no list.
#[resource("a:b", audience = "user")]
fn audience() -> String {
    String::new()
}

/// Icons that are no list.
#[prompt(icons = "data:,a")]
fn prompt() -> String {
    String::new()
}

fn main() {}
