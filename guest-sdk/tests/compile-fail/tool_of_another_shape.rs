use dacapo_guest::prelude::*;

/// A tool.
#[tool]
fn generic<T>() {}

/// A tool.
#[tool]
async fn later() {}

/// A tool.
#[tool]
fn two(_: String, _: String) {}

/// A tool.
#[tool(read_only = "yes")]
fn hint() {}

fn main() {}
