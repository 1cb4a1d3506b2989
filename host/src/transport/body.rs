//! Reading a body of bounded size, in bounded time.

use std::time::Duration;

use axum::body::{Body, Bytes};

/// Why a body was not read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// It is longer than the limit, in bytes.
    #[error("the body is longer than {0} bytes, the limit")]
    TooLong(usize),
    /// It took longer than the limit.
    #[error("the body took longer than {0:?}, the limit")]
    Slow(Duration),
    /// It broke off.
    #[error("the body broke off: {0}")]
    Broken(String),
}

/// Reads a body of at most `limit` bytes, that comes within `patience`.
///
/// # Errors
///
/// See [`BodyError`].
pub async fn read(body: Body, limit: usize, patience: Duration) -> Result<Bytes, BodyError> {
    use axum::body::HttpBody as _;
    // Said beforehand, it need not be sent.
    if usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX) > limit {
        return Err(BodyError::TooLong(limit));
    }
    let read = tokio::time::timeout(patience, axum::body::to_bytes(body, limit)).await;
    read.map_err(|_elapsed| BodyError::Slow(patience))?.map_err(|error| {
        let source = std::error::Error::source(&error);
        if source.and_then(|source| source.downcast_ref::<http_body_util::LengthLimitError>()).is_some() {
            BodyError::TooLong(limit)
        } else {
            BodyError::Broken(error.to_string())
        }
    })
}
