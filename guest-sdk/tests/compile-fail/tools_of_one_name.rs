use dacapo_guest::prelude::*;

/// A tool.
#[tool]
fn one() {}

/// Another tool.
#[tool(name = "one")]
fn other() {}

dacapo_guest::handlers! { tools: [one, other] }

fn main() {}
