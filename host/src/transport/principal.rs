//! Who calls. It is told by a credential that the host has verified, never by what a request says of itself.

use std::sync::Arc;

use axum::http::{HeaderMap, header};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// Where the caller's identity comes from.
#[derive(Clone, Debug, Default)]
pub enum PrincipalSource {
    /// Callers are not told apart.
    #[default]
    None,
    /// Each caller has a bearer token.
    Bearer(Vec<Credential>),
}

/// A caller's credential, as the configuration holds it.
#[derive(Clone, serde::Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Credential {
    /// Who has it.
    name: Arc<str>,
    /// The SHA-256 of the token, in hexadecimal: the token itself is kept nowhere.
    #[serde(with = "hex::serde")]
    token_sha256: [u8; 32],
}

impl std::fmt::Debug for Credential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Credential({})", self.name)
    }
}

/// A request without a good credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unauthorized {
    /// It has none.
    Missing,
    /// It has one that nobody was given.
    Wrong,
}

impl Unauthorized {
    /// The value of the `WWW-Authenticate` header (RFC 6750, section 3).
    #[must_use]
    pub fn challenge(self) -> &'static str {
        match self {
            Self::Missing => "Bearer realm=\"dacapo\"",
            Self::Wrong => "Bearer realm=\"dacapo\", error=\"invalid_token\"",
        }
    }
}

impl PrincipalSource {
    /// Who sent a request of these headers; nobody where callers are not told apart.
    ///
    /// # Errors
    ///
    /// When callers are told apart, and the request has no good credential.
    pub fn principal(&self, headers: &HeaderMap) -> Result<Option<Arc<str>>, Unauthorized> {
        let Self::Bearer(credentials) = self else { return Ok(None) };
        let token = bearer(headers).ok_or(Unauthorized::Missing)?;
        let digest = Sha256::digest(token);
        // Every credential is compared, and each in constant time.
        let found = credentials.iter().fold(None, |found, credential| {
            if bool::from(credential.token_sha256.ct_eq(digest.as_ref())) { Some(&credential.name) } else { found }
        });
        found.map(|name| Some(Arc::clone(name))).ok_or(Unauthorized::Wrong)
    }
}

/// The bearer token of a request (RFC 6750, section 2.1).
#[must_use]
pub fn bearer(headers: &HeaderMap) -> Option<&[u8]> {
    let value = headers.get(header::AUTHORIZATION)?.as_bytes();
    let (scheme, token) = value.split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then(|| token.trim_ascii())
}

/// Whether two secrets are the same, in constant time.
#[must_use]
pub fn same_secret(one: &[u8], other: &[u8]) -> bool {
    Sha256::digest(one).ct_eq(&Sha256::digest(other)).into()
}
