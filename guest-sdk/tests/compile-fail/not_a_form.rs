use dacapo_guest::prelude::*;

#[derive(Form)]
struct Tuple(String);

#[derive(Form)]
enum Variants {
    One,
}

#[derive(Form)]
struct Generic<T> {
    value: T,
}

fn main() {}
