//! A request's identity.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::request::Request;

/// SHA-256 over a request's JSON as the client sees it, shown as `sha256:` and 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The fingerprint of a request: all of it that the client sees.
    ///
    /// # Errors
    ///
    /// When the request can't be written as JSON.
    pub fn of(request: &Request) -> Result<Self, serde_json::Error> {
        Ok(Self::of_json(request.json()?.text()))
    }

    /// The fingerprint of a request of which this is the JSON.
    pub(crate) fn of_json(json: &str) -> Self {
        Self(Sha256::digest(json).into())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", hex::encode(self.0))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
