//! Where cargo and `cargo xtask` have put things.

use std::path::{Path, PathBuf};

/// The directory of the build profile that this test was built with, such as `target/debug`.
fn profile_directory() -> PathBuf {
    let executable = std::env::current_exe().expect("a test can find its own executable");
    // target/debug/deps/name-of-the-test
    executable.ancestors().nth(2).expect("a test's executable is in target/<profile>/deps").to_owned()
}

/// Cargo's target directory.
#[must_use]
pub fn directory() -> PathBuf {
    profile_directory().parent().expect("a profile's directory is in the target directory").to_owned()
}

/// The host's binary.
///
/// Panics where it has not been built.
#[must_use]
pub fn host_binary() -> PathBuf {
    existing(
        profile_directory().join(format!("dacapo{}", std::env::consts::EXE_SUFFIX)),
        "cargo build --package dacapo",
    )
}

/// A file or directory of an installed client, such as `python/bin/python`.
///
/// Panics where it has not been installed.
#[must_use]
pub fn client(path: impl AsRef<Path>) -> PathBuf {
    existing(directory().join("clients").join(path), "cargo xtask clients")
}

/// The path, if there is something. `remedy` is the command that puts it there.
pub(crate) fn existing(path: PathBuf, remedy: &str) -> PathBuf {
    assert!(path.exists(), "there is no {}; run `{remedy}`", path.display());
    path
}
