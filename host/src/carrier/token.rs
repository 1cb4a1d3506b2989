//! Bytes that only this host can read or make.
//!
//! A token is Base64 for URLs without padding over: the format's version (1 byte), the key's id (4), a random nonce (12), and
//! the AES-256-GCM ciphertext with its tag (16). Version and key id are authenticated.

use aes_gcm::Nonce;
use aes_gcm::aead::AeadInOut as _;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;

use super::keyring::Keyring;

const VERSION: u8 = 2;
const HEADER: usize = 1 + 4;
const NONCE: usize = 12;

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

/// Seals `payload`; the token has `limit` bytes at most.
///
/// # Errors
///
/// When it would be longer, or there is no randomness for the nonce.
pub fn seal(ring: &Keyring, mut payload: Vec<u8>, limit: usize) -> Result<String, TokenError> {
    let mut nonce = [0; NONCE];
    getrandom::fill(&mut nonce).map_err(|error| TokenError::NoRandomness(error.to_string()))?;
    let (id, cipher) = ring.sealing();
    let mut token = Vec::with_capacity(HEADER + NONCE + payload.len() + 16);
    token.push(VERSION);
    token.extend_from_slice(&id);
    let size = base64::encoded_len(token.len() + NONCE + payload.len() + 16, false).unwrap_or(usize::MAX);
    if size > limit {
        return Err(TokenError::TooLong { size, limit });
    }
    // AES-GCM refuses only what is longer than 64 GiB.
    cipher
        .encrypt_in_place(&Nonce::from(nonce), &token, &mut payload)
        .map_err(|_| TokenError::TooLong { size, limit })?;
    token.extend_from_slice(&nonce);
    token.extend_from_slice(&payload);
    Ok(BASE64URL.encode(token))
}

/// Opens a token and returns its payload. What has more than `limit` bytes is not looked at.
///
/// # Errors
///
/// When the token is not one that this host's keys made.
pub fn open(ring: &Keyring, token: &str, limit: usize) -> Result<Vec<u8>, TokenError> {
    if token.len() > limit {
        return Err(TokenError::TooLong { size: token.len(), limit });
    }
    let bytes = BASE64URL.decode(token).map_err(|_| TokenError::Malformed("not Base64URL"))?;
    let (header, rest) = bytes.split_at_checked(HEADER).ok_or(TokenError::Malformed("too short"))?;
    let (nonce, sealed) = rest.split_first_chunk::<NONCE>().ok_or(TokenError::Malformed("too short"))?;
    let &[version, ref id @ ..] = header else { return Err(TokenError::Malformed("too short")) };
    if version != VERSION {
        return Err(TokenError::Malformed("of another version"));
    }
    let id = id.try_into().map_err(|_| TokenError::Malformed("too short"))?;
    let mut keys = ring.opening(id).peekable();
    if keys.peek().is_none() {
        return Err(TokenError::UnknownKey(hex::encode(id)));
    }
    keys.find_map(|cipher| {
        let mut payload = sealed.to_vec();
        cipher.decrypt_in_place(&Nonce::from(*nonce), header, &mut payload).ok()?;
        Some(payload)
    })
    .ok_or(TokenError::Forged)
}
