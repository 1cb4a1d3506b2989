//! How long a request's headers may be.

use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::protocol::error::RpcError;
use crate::protocol::jsonrpc;

/// The greatest length of all headers together, names and values, in bytes. The HTTP library itself takes far more.
const MOST: usize = 32 << 10;

/// Lets a request through, or answers 431.
pub async fn bound(request: Request, next: Next) -> Response {
    let length = length(request.headers());
    if length <= MOST {
        return next.run(request).await;
    }
    tracing::warn!(length, "request refused: its headers are too long");
    let error = RpcError::invalid_request(format!("the headers are {length} bytes long; the limit is {MOST}"));
    let body = jsonrpc::response(None, &Err(error));
    (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

fn length(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum()
}
