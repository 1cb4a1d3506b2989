//! Why a configuration can't be used.

use std::path::PathBuf;

use dacapo_replay::Amount;

use crate::registry::handler::BadName;

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
    /// A handler is given more than the host has.
    #[error(
        "{set_by} is {wanted}, more than the host's {ceiling} ({ceiling_set_by}); lower it, or raise the host's with --{limit}"
    )]
    OverCeiling {
        /// The limit's name.
        limit: &'static str,
        /// The handler's.
        wanted: Amount,
        /// What sets it.
        set_by: String,
        /// The host's.
        ceiling: Amount,
        /// What sets that.
        ceiling_set_by: String,
    },
    /// A limit of the host is set for a handler.
    #[error("{set_by}: this limit is the whole host's; set it under [limits], or with --{limit}")]
    HostOnly {
        /// The limit's name.
        limit: &'static str,
        /// What sets it.
        set_by: String,
    },
    /// Limits are set for a handler that can't be.
    #[error("[handlers] of the configuration file: {0}")]
    HandlerName(#[from] BadName),
}
