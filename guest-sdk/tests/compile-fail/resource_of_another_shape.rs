use dacapo_guest::prelude::*;

/// No URI.
#[resource]
fn nowhere() -> String {
    String::new()
}

/// A path.
#[resource("/etc/motd")]
fn path() -> String {
    String::new()
}

/// A resource.
#[resource("docs://a")]
fn takes(_: String) -> String {
    String::new()
}

/// A resource.
#[resource("docs://b")]
fn returns() -> u8 {
    0
}

fn main() {}
