use dacapo_guest::prelude::*;

/// Two settings for one thing.
#[tool(icon = "data:,a", icons = ["data:,b"])]
fn icons() {}

/// A hint that is no list.
#[resource("a:b", audience = "user")]
fn audience() -> String {
    String::new()
}

/// A priority that is none.
#[resource("a:c", priority = 2.0)]
fn priority() -> String {
    String::new()
}

dacapo_guest::handlers! { resources: [priority] }

fn main() {}
