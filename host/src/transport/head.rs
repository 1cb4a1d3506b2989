//! How long a request's headers may be.

use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::http;
use crate::protocol::error::RpcError;

/// The greatest length of all headers together, names and values, in bytes. The HTTP library itself takes far more.
const MOST: usize = 32 << 10;

/// The answer to a request whose headers are too long: 431.
pub(super) fn refusal(headers: &HeaderMap) -> Option<Response> {
    let length: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if length <= MOST {
        return None;
    }
    tracing::warn!(length, "request refused: its headers are too long");
    let error = RpcError::invalid_request(format!("the headers are {length} bytes long; the limit is {MOST}"));
    Some(http::refusal(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, error))
}
