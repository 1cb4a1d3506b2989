use dacapo_guest::prelude::*;

#[derive(Form)]
struct Address {
    street: String,
}

#[derive(Form)]
struct Details {
    name: String,
    address: Address,
}

fn main() {}
