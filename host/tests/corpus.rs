//! The fuzz targets, over their corpus: they are up to date, and what they found once stays mended.
//!
//! `cargo xtask fuzz` runs them over what nobody thought of.
#![allow(
    unreachable_pub,
    clippy::duration_suboptimal_units,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test"
)]

#[path = "../../fuzz/src/body.rs"]
mod body;
#[path = "../../fuzz/src/token.rs"]
mod token;
#[path = "../../fuzz/src/upload.rs"]
mod upload;

use std::path::Path;

/// Does with every input of the corpus, whole and cut short, what the fuzz target does.
fn replay(target: &str, check: fn(&[u8])) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target);
    let mut inputs = 0;
    for file in std::fs::read_dir(&corpus).unwrap() {
        let path = file.unwrap().path();
        let input = std::fs::read(&path).unwrap();
        println!("{}", path.display());
        check(&input);
        for end in 0..input.len() {
            check(&input[..end]);
        }
        inputs += 1;
    }
    assert!(inputs > 3, "the corpus at {} has {inputs} inputs", corpus.display());
}

#[test]
fn tokens() {
    replay("token", token::check);
}

#[test]
fn bodies() {
    replay("body", body::check);
}

#[test]
fn uploads() {
    replay("upload", upload::check);
}
