//! The keys that seal tokens: the first seals, all open.

use std::fmt;
use std::str::FromStr;

use aes_gcm::aead::KeyInit as _;
use aes_gcm::{Aes256Gcm, Key};
use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use sha2::{Digest as _, Sha256};

/// Secrets may be written with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A 256-bit key. Never shown.
#[derive(Clone)]
pub struct Secret([u8; 32]);

/// A text that is no secret. The text itself is not repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a secret is 32 bytes in standard Base64 (44 characters), as `openssl rand -base64 32` prints them; this one is {0}"
)]
pub struct BadSecret(&'static str);

impl FromStr for Secret {
    type Err = BadSecret;

    fn from_str(text: &str) -> Result<Self, BadSecret> {
        let bytes = BASE64.decode(text.trim()).map_err(|_| BadSecret("not Base64"))?;
        let bytes = bytes.try_into().map_err(|_| BadSecret("of another length"))?;
        Ok(Self(bytes))
    }
}

impl<'de> serde::Deserialize<'de> for Secret {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl Secret {
    /// A fresh secret of the operating system's.
    ///
    /// # Errors
    ///
    /// When the operating system has no randomness to give.
    pub fn fresh() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }
}

/// The name of a key, open to read in every token that it sealed.
pub(super) type KeyId = [u8; 4];

/// The keys that seal tokens: the first seals, all open.
pub struct Keyring {
    current: (KeyId, Aes256Gcm),
    previous: Vec<(KeyId, Aes256Gcm)>,
}

impl Keyring {
    /// A ring of `current`, which seals, and of `previous`, which still open what they sealed.
    #[must_use]
    pub fn new(current: &Secret, previous: &[Secret]) -> Self {
        Self { current: key(current), previous: previous.iter().map(key).collect() }
    }

    pub(super) fn sealing(&self) -> (KeyId, &Aes256Gcm) {
        (self.current.0, &self.current.1)
    }

    /// The keys of this name. Two keys may share one.
    pub(super) fn opening(&self, id: KeyId) -> impl Iterator<Item = &Aes256Gcm> {
        std::iter::once(&self.current)
            .chain(&self.previous)
            .filter(move |(key, _)| *key == id)
            .map(|(_, cipher)| cipher)
    }
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keyring").field("keys", &(1 + self.previous.len())).finish_non_exhaustive()
    }
}

fn key(secret: &Secret) -> (KeyId, Aes256Gcm) {
    let digest = Sha256::new().chain_update(b"dacapo key id\0").chain_update(secret.0).finalize();
    let mut id = KeyId::default();
    id.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
    (id, Aes256Gcm::new(&Key::<Aes256Gcm>::from(secret.0)))
}
