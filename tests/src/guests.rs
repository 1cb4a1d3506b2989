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

/// The names of all guest packages that have been built, in order.
///
/// Panics where none has been built.
#[must_use]
pub fn names() -> Vec<String> {
    let directory = target::existing(target::directory().join("guests"), "cargo xtask guests");
    let files = std::fs::read_dir(directory).expect("a directory can be read").map(|file| file.expect("a file").path());
    let components = files.filter(|path| path.extension().is_some_and(|extension| extension == "wasm"));
    let name = |path: PathBuf| path.file_stem().expect("a name").to_str().expect("a name in UTF-8").to_owned();
    let mut names: Vec<String> = components.map(name).collect();
    names.sort();
    assert!(!names.is_empty(), "no guests were built; run `cargo xtask guests`");
    names
}
