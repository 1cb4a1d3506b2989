use dacapo_guest::prelude::*;

#[derive(Form)]
struct Details {
    #[form(default = 256)]
    age: u8,
    #[form(max = 300)]
    score: u8,
}

fn main() {}
