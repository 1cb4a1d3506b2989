//! The endpoint `/mcp`: POST only, one request or notification a body, no sessions.

use std::sync::Arc;
use std::time::Duration;

use axum::BoxError;
use axum::body::{Bytes, HttpBody};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::principal::PrincipalSource;
use super::underway::Underway;
use super::{body, header_params, headers, stream};
use crate::protocol::error::RpcError;
use crate::protocol::jsonrpc::{self, Message, RequestId};
use crate::server::Server;

/// What the endpoint stands on.
pub struct Endpoint {
    /// Who serves.
    pub server: Arc<Server>,
    /// Who calls.
    pub principals: PrincipalSource,
    /// The greatest size of a request, in bytes.
    pub max_request: usize,
    /// How long a request's body may take.
    pub body_timeout: Duration,
}

impl Endpoint {
    /// Answers a POST.
    pub(super) async fn serve<B>(&self, headers: &HeaderMap, body: B) -> Response
    where
        B: HttpBody<Data = Bytes>,
        B::Error: Into<BoxError>,
    {
        let principal = match self.principals.principal(headers) {
            Ok(principal) => principal,
            Err(unauthorized) => {
                let error = RpcError::invalid_request("this server wants a bearer token that it knows");
                let mut response = refusal(StatusCode::UNAUTHORIZED, error);
                let challenge = HeaderValue::from_static(unauthorized.challenge());
                response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
                return response;
            }
        };
        if let Err((status, error)) = negotiate(headers) {
            return refusal(status, error);
        }
        let bytes = match body::read(body, self.max_request, self.body_timeout).await {
            Ok(bytes) => bytes,
            Err(error @ body::BodyError::TooLong(_)) => {
                return refusal(StatusCode::PAYLOAD_TOO_LARGE, RpcError::invalid_request(error.to_string()));
            }
            Err(error @ body::BodyError::Slow(_)) => {
                return refusal(StatusCode::REQUEST_TIMEOUT, RpcError::invalid_request(error.to_string()));
            }
            Err(error) => return refusal(StatusCode::BAD_REQUEST, RpcError::parse(error.to_string())),
        };
        let request = match Message::read(&bytes) {
            Ok(Message::Request(request)) => request,
            // Nothing that a client may notify of over HTTP concerns this server: closing a stream is what cancels.
            Ok(Message::Notification { .. }) => return StatusCode::ACCEPTED.into_response(),
            Err(unreadable) => return failure(unreadable.id.as_ref(), unreadable.error),
        };
        let checked = headers::check(headers, &request).and_then(|(method, meta)| {
            let (served, replaced) =
                (|tool: &str| self.server.header_params(tool), |tool: &str| self.server.replaced_header_params(tool));
            header_params::check(headers, method, &request, served, replaced)?;
            Ok((method, meta))
        });
        let (method, meta) = match checked {
            Ok(checked) => checked,
            Err(error) => return failure(Some(&request.id), error),
        };
        let id = request.id.clone();
        stream::serve(id, Underway::start(Arc::clone(&self.server), method, request, meta, principal)).await
    }
}

/// Checks what the client sends and takes.
fn negotiate(headers: &HeaderMap) -> Result<(), (StatusCode, RpcError)> {
    let media = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is = |media: &str, wanted: &str| {
        media.split(';').next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case(wanted))
    };
    if !is(media(header::CONTENT_TYPE), "application/json") {
        let error = RpcError::invalid_request("Content-Type must be application/json");
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, error));
    }
    let takes = |wanted: &str, group: &str| {
        let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
        accepted.flat_map(|line| line.split(',')).any(|media| is(media, wanted) || is(media, "*/*") || is(media, group))
    };
    if takes("application/json", "application/*") && takes("text/event-stream", "text/*") {
        Ok(())
    } else {
        let error = RpcError::invalid_request("Accept must list both application/json and text/event-stream");
        Err((StatusCode::NOT_ACCEPTABLE, error))
    }
}

/// The answer to a request, as one JSON object.
pub(super) fn answer(id: &RequestId, outcome: &Result<Box<serde_json::value::RawValue>, RpcError>) -> Response {
    let status = outcome.as_ref().map_or_else(RpcError::http_status, |_| 200);
    json(StatusCode::from_u16(status).unwrap_or_default(), jsonrpc::response(Some(id), outcome))
}

fn failure(id: Option<&RequestId>, error: RpcError) -> Response {
    let status = StatusCode::from_u16(error.http_status()).unwrap_or_default();
    json(status, jsonrpc::response(id, &Err(error)))
}

pub(super) fn refusal(status: StatusCode, error: RpcError) -> Response {
    json(status, jsonrpc::response(None, &Err(error)))
}

fn json(status: StatusCode, body: Vec<u8>) -> Response {
    let mut response = (status, [(header::CONTENT_TYPE, "application/json")], body).into_response();
    if status == StatusCode::TOO_MANY_REQUESTS {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}
