//! Why a configuration can't be used.

use std::path::PathBuf;

/// Why a configuration can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file can't be read.
    #[error("configuration file {path}: {error}")]
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// What the operating system says.
        error: std::io::Error,
    },
    /// The file is not a configuration.
    #[error("configuration file {path}, line {line}{}: {what}", if key.is_empty() { String::new() } else { format!(", {key}") })]
    Malformed {
        /// Which one.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key, where one is to blame.
        key: String,
        /// What is wrong. The line itself is not repeated: it may hold a secret.
        what: String,
    },
}
