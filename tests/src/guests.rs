//! The components that tests upload.

use std::path::PathBuf;

use crate::target;

/// The component of the guest package `name`.
///
/// Panics where it has not been built.
#[must_use]
pub fn path(name: &str) -> PathBuf {
    target::existing(target::directory().join("guests").join(format!("{name}.wasm")), "cargo xtask guests")
}

/// The bytes of the component of the guest package `name`.
///
/// Panics where it has not been built.
#[must_use]
pub fn bytes(name: &str) -> Vec<u8> {
    let path = path(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("could not read {}: {error}", path.display()))
}
