use dacapo_guest::prelude::*;

#[derive(Form)]
struct Format {
    #[form(format = "phone")]
    phone: String,
}

#[derive(Form)]
struct Key {
    #[form(minimum = 1)]
    age: u8,
}

#[derive(Form)]
struct Twice {
    #[form(min = 1, min = 2)]
    age: u8,
}

#[derive(Form)]
struct Names {
    name: String,
    #[form(rename = "name")]
    other: String,
}

fn main() {}
