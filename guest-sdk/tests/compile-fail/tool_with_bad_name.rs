use dacapo_guest::prelude::*;

/// A tool.
#[tool(name = "upgrade plan")]
fn upgrade_plan() {}

/// A tool.
#[tool(name = "")]
fn nameless() {}

/// A tool.
#[tool]
fn größe() {}

fn main() {}
