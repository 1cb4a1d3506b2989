//! Traps.

use dacapo_guest::prelude::*;

/// Traps.
#[tool]
fn trap() -> String {
    std::process::abort()
}

dacapo_guest::handlers! { tools: [trap] }
