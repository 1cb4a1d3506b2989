use dacapo_guest::prelude::*;

#[derive(Choice)]
enum Fields {
    One(u8),
}

#[derive(Choice)]
enum Empty {}

#[derive(Choice)]
enum Twice {
    One,
    #[choice(value = "one")]
    Other,
}

#[derive(Choice)]
struct Structure;

fn main() {}
