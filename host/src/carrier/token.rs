//! Bytes that only this host can read or make.
//!
//! A token is Base64 for URLs without padding over: the format's version (1 byte), the key's id (4), a random nonce (12), and
//! the AES-256-GCM ciphertext with its tag (16). Version and key id are authenticated.

use aes_gcm::aead::AeadInOut as _;
use aes_gcm::{Nonce, Tag};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;

use super::keyring::{KeyId, Keyring};

const VERSION: u8 = 3;
const HEADER: usize = 1 + 4;
const NONCE: usize = 12;
const TAG: usize = 16;

/// Why a token was not opened or made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// It is not of the form that this host writes.
    #[error("it is not of this host's form: {0}")]
    Malformed(&'static str),
    /// No key of the ring has the id that it names.
    #[error("it was sealed with key {0}, which is not in the ring")]
    UnknownKey(String),
    /// It was changed, or made by someone else.
    #[error("it is not authentic")]
    Forged,
    /// It would be longer than allowed.
    #[error("it would have {size} bytes; the limit is {limit}")]
    TooLong {
        /// The bytes that it would have.
        size: usize,
        /// The limit.
        limit: usize,
    },
    /// The operating system has no randomness to give.
    #[error("no randomness for the nonce: {0}")]
    NoRandomness(String),
}

/// A payload that is being written, behind room for what a token begins with: it is sealed where it stands.
/// Never shown.
pub struct Draft(Vec<u8>);

impl Default for Draft {
    /// An empty one.
    fn default() -> Self {
        Self(vec![0; HEADER + NONCE])
    }
}

impl Extend<u8> for Draft {
    fn extend<I: IntoIterator<Item = u8>>(&mut self, bytes: I) {
        self.0.extend(bytes);
    }
}

impl FromIterator<u8> for Draft {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Self {
        let mut draft = Self::default();
        draft.extend(bytes);
        draft
    }
}

/// Seals a payload; the token has `limit` bytes at most.
///
/// # Errors
///
/// When it would be longer, or there is no randomness for the nonce.
pub fn seal(ring: &Keyring, Draft(mut token): Draft, limit: usize) -> Result<String, TokenError> {
    let size = base64::encoded_len(token.len() + TAG, false).unwrap_or(usize::MAX);
    let too_long = TokenError::TooLong { size, limit };
    if size > limit {
        return Err(too_long);
    }
    let no_room = TokenError::Malformed("a draft without room for its header");
    let (header, rest) = token.split_first_chunk_mut::<HEADER>().ok_or_else(|| no_room.clone())?;
    let (nonce, payload) = rest.split_first_chunk_mut::<NONCE>().ok_or(no_room)?;
    // The operating system's own, and not of a generator in this process: were the machine copied while it runs, both would
    // seal with the same nonces.
    getrandom::fill(nonce).map_err(|error| TokenError::NoRandomness(error.to_string()))?;
    let (id, cipher) = ring.sealing();
    *header = self::header(id);
    // AES-GCM refuses only what is longer than 64 GiB.
    let tag = cipher.encrypt_inout_detached(&Nonce::from(*nonce), header, payload.into()).map_err(|_| too_long)?;
    token.extend_from_slice(&tag);
    Ok(BASE64URL.encode(token))
}

fn header(id: KeyId) -> [u8; HEADER] {
    let [a, b, c, d] = id;
    [VERSION, a, b, c, d]
}

/// Opens a token and returns its payload. What has more than `limit` bytes is not looked at.
///
/// # Errors
///
/// When the token is not one that this host's keys made.
pub fn open(ring: &Keyring, token: &str, limit: usize) -> Result<Vec<u8>, TokenError> {
    const TOO_SHORT: TokenError = TokenError::Malformed("too short");
    if token.len() > limit {
        return Err(TokenError::TooLong { size: token.len(), limit });
    }
    let mut bytes = BASE64URL.decode(token).map_err(|_| TokenError::Malformed("not Base64URL"))?;
    let (header, rest) = bytes.split_first_chunk::<HEADER>().ok_or(TOO_SHORT)?;
    let (nonce, rest) = rest.split_first_chunk::<NONCE>().ok_or(TOO_SHORT)?;
    let (_, tag) = rest.split_last_chunk::<TAG>().ok_or(TOO_SHORT)?;
    let (header, nonce, tag) = (*header, Nonce::from(*nonce), Tag::from(*tag));
    let [version, id @ ..] = header;
    if version != VERSION {
        return Err(TokenError::Malformed("of another version"));
    }
    bytes.truncate(bytes.len() - TAG);
    bytes.drain(..HEADER + NONCE);
    let mut keys = ring.opening(id).peekable();
    if keys.peek().is_none() {
        return Err(TokenError::UnknownKey(hex::encode(id)));
    }
    while let Some(cipher) = keys.next() {
        // Nearly always there is one key only, and no copy to be kept for the next.
        let mut payload = if keys.peek().is_some() { bytes.clone() } else { std::mem::take(&mut bytes) };
        if cipher.decrypt_inout_detached(&nonce, &header, payload.as_mut_slice().into(), &tag).is_ok() {
            return Ok(payload);
        }
    }
    Err(TokenError::Forged)
}
