//! Reading a body of bounded size, in bounded time.

use std::time::Duration;

use axum::BoxError;
use axum::body::{Bytes, HttpBody};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

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
pub async fn read<B>(body: B, limit: usize, patience: Duration) -> Result<Bytes, BodyError>
where
    B: HttpBody<Data = Bytes>,
    B::Error: Into<BoxError>,
{
    // Said beforehand, it need not be sent.
    if usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX) > limit {
        return Err(BodyError::TooLong(limit));
    }
    let read = tokio::time::timeout(patience, Limited::new(body, limit).collect()).await;
    match read.map_err(|_elapsed| BodyError::Slow(patience))? {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(BodyError::TooLong(limit)),
        Err(error) => Err(BodyError::Broken(error.to_string())),
    }
}
