//! Calls itself for ever: the stack must end before the host's does.

use std::hint::black_box;

use dacapo_guest::prelude::*;

/// Calls itself for ever.
#[tool]
fn recurse() -> String {
    dig(0).to_string()
}

fn dig(depth: u64) -> u64 {
    if black_box(depth) == u64::MAX { depth } else { black_box(dig(depth + 1)) + 1 }
}

dacapo_guest::handlers! { tools: [recurse] }
