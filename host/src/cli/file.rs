//! Components in files.

use std::path::Path;

use anyhow::Context as _;

/// A component's bytes.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("can't read {}", path.display()))
}

/// A handler's name, where none is given: the file's, without its ending.
pub(super) fn handler_name(path: &Path) -> Option<&str> {
    path.file_stem().and_then(|stem| stem.to_str())
}
