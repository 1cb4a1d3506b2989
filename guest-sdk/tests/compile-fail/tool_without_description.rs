use dacapo_guest::prelude::*;

#[tool]
fn silent() {}

fn main() {}
