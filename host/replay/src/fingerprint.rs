//! A request's identity.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::request::Request;

/// SHA-256 over a request's canonical JSON (RFC 8785), written as `sha256:` and 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The fingerprint of a request: all of it that the client sees.
    ///
    /// # Errors
    ///
    /// When the request can't be written as canonical JSON: a number in it is not finite.
    pub fn of(request: &Request) -> Result<Self, serde_json::Error> {
        Ok(Self::of_canonical(&request.canonical()?))
    }

    /// The fingerprint of a request of which `json` is the canonical JSON.
    pub(crate) fn of_canonical(json: &str) -> Self {
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

impl Serialize for Fingerprint {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        let mut bytes = [0; 32];
        let digits = text.strip_prefix("sha256:").unwrap_or_default();
        hex::decode_to_slice(digits, &mut bytes)
            .map_err(|_| serde::de::Error::custom("a fingerprint is \"sha256:\" and 64 hexadecimal digits"))?;
        Ok(Self(bytes))
    }
}
