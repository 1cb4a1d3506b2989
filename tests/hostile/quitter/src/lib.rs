//! Exits, as if it were a process of its own.

use dacapo_guest::prelude::*;

/// Exits with a failure.
#[tool]
fn quit() -> String {
    std::process::exit(7)
}

/// Exits with success, and without a result.
#[tool]
fn quit_well() -> String {
    std::process::exit(0)
}

dacapo_guest::handlers! { tools: [quit, quit_well] }
