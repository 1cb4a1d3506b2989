use dacapo_guest::prelude::*;

#[derive(Form)]
struct Details {
    nicknames: Vec<String>,
}

fn main() {}
