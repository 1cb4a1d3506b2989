//! Takes memory for ever, and uses it, so that it costs the host what it seems to.

use std::hint::black_box;

use dacapo_guest::prelude::*;

/// How much to take at once.
const PIECE: usize = 1 << 20;

/// Takes memory for ever.
#[tool]
fn hoard() -> String {
    let mut hoard = Vec::new();
    loop {
        hoard.push(black_box(vec![1_u8; PIECE]));
        black_box(&hoard);
    }
}

dacapo_guest::handlers! { tools: [hoard] }
