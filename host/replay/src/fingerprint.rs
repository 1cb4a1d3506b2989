//! A request's identity.

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::request::Request;

/// SHA-256 over a request's JSON as the client sees it, written as `sha256:` and 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The fingerprint of a request: all of it that the client sees.
    ///
    /// # Errors
    ///
    /// When the request can't be written as JSON.
    pub fn of(request: &Request) -> Result<Self, serde_json::Error> {
        Ok(Self::of_json(&request.json()?))
    }

    /// The fingerprint of a request of which this is the JSON.
    pub(crate) fn of_json(json: &RawValue) -> Self {
        Self(Sha256::digest(json.get()).into())
    }
}

/// What every fingerprint is written with in front of its digits.
const PREFIX: &str = "sha256:";

impl Fingerprint {
    /// The digits, in a place of the caller's.
    fn digits<'a>(&self, place: &'a mut [u8; 64]) -> &'a str {
        // There is room for them, and they are ASCII.
        let _infallible = hex::encode_to_slice(self.0, place);
        std::str::from_utf8(place).unwrap_or_default()
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PREFIX)?;
        f.write_str(self.digits(&mut [0; 64]))
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
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Fingerprint;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "\"{PREFIX}\" and 64 hexadecimal digits")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Fingerprint, E> {
                let mut bytes = [0; 32];
                hex::decode_to_slice(text.strip_prefix(PREFIX).unwrap_or_default(), &mut bytes)
                    .map_err(|_| E::invalid_value(Unexpected::Str(text), &self))?;
                Ok(Fingerprint(bytes))
            }
        }

        deserializer.deserialize_str(Text)
    }
}
