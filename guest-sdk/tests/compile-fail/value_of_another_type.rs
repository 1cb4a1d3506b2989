use dacapo_guest::prelude::*;

#[derive(Form)]
struct Details {
    #[form(default = "old")]
    age: u8,
    #[form(max = "100")]
    score: u8,
}

fn main() {}
