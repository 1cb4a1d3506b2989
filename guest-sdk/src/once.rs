//! Values that are worked out once in a conversation and come back on every later run.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bindings::dacapo::handler::once as wit;
use crate::imports;

/// Why a value was not kept, or not given back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OnceError {
    /// The name has a value already.
    #[error("`{name}` is kept already; each name takes one value in a conversation")]
    AlreadyKept {
        /// The name.
        name: String,
    },
    /// The value is longer than the host takes.
    #[error("the value of `{name}` is too large; the host takes at most {limit} bytes of JSON")]
    TooLarge {
        /// The name.
        name: String,
        /// The greatest number of bytes.
        limit: u32,
    },
    /// The conversation holds as many values as the host takes.
    #[error("`{name}` is one value too many; the host keeps at most {limit} in a conversation")]
    TooMany {
        /// The name.
        name: String,
        /// The greatest number of values.
        limit: u32,
    },
    /// The value can't be written as JSON.
    #[error("the value of `{name}` can't be written as JSON: {reason}")]
    NotJson {
        /// The name.
        name: String,
        /// What stands against it.
        reason: String,
    },
    /// The value kept is of another type.
    #[error("the value kept as `{name}` is of another type than the one asked for: {reason}")]
    OtherType {
        /// The name.
        name: String,
        /// What does not fit.
        reason: String,
    },
}

/// The value that `json` holds.
fn decode<T: DeserializeOwned>(name: &str, json: &str) -> Result<T, OnceError> {
    serde_json::from_str(json)
        .map_err(|error| OnceError::OtherType { name: name.to_owned(), reason: error.to_string() })
}

pub(crate) fn recall<T: DeserializeOwned>(name: &str) -> Result<Option<T>, OnceError> {
    imports::recall(name).map(|json| decode(name, &json)).transpose()
}

/// Keeps `value`, and gives it as a later run will see it.
pub(crate) fn remember<T: Serialize + DeserializeOwned>(name: &str, value: &T) -> Result<T, OnceError> {
    let not_json = |reason: String| OnceError::NotJson { name: name.to_owned(), reason };
    let json = serde_json::to_string(value).map_err(|error| not_json(error.to_string()))?;
    // Before it is kept, so that a value which can't come back fails on the first run and not on the second.
    let seen = decode(name, &json)?;
    match imports::remember(name, &json) {
        Ok(()) => Ok(seen),
        Err(wit::OnceError::AlreadyKept) => Err(OnceError::AlreadyKept { name: name.to_owned() }),
        Err(wit::OnceError::TooLarge(limit)) => Err(OnceError::TooLarge { name: name.to_owned(), limit }),
        Err(wit::OnceError::TooMany(limit)) => Err(OnceError::TooMany { name: name.to_owned(), limit }),
        Err(wit::OnceError::NotJson) => Err(not_json("the host does not take it for JSON".to_owned())),
    }
}
