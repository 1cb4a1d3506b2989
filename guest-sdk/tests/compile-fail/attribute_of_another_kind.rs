use dacapo_guest::prelude::*;

#[derive(Form)]
struct Details {
    #[form(format = "email")]
    age: u8,
    #[form(min = 1)]
    name: String,
    #[form(max_items = 2)]
    sure: bool,
}

fn main() {}
