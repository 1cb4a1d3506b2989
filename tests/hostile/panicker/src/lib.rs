//! Writes, and panics.

use std::io::Write;

use dacapo_guest::prelude::*;

/// Writes a line and a half, and panics.
#[tool]
#[expect(clippy::panic, reason = "that is the point")]
fn panic() -> Result<String> {
    println!("a whole line");
    print!("half a line");
    std::io::stdout().flush()?;
    panic!("enough of this")
}

/// Writes for as long as it is let.
#[tool]
fn babble() -> String {
    loop {
        println!("{}\u{1b}[31m forged", "bla ".repeat(1000));
    }
}

dacapo_guest::handlers! { tools: [panic, babble] }
