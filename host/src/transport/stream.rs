//! An answer as server-sent events, where something happens on the way.
//!
//! Whether it does shows only once the handler runs: an answer is plain JSON unless something else comes first.

use std::convert::Infallible;

use axum::http::{HeaderName, HeaderValue};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;

use super::http::answer;
use super::underway::{Event, Underway};
use crate::protocol::jsonrpc::{self, RequestId};

/// Answers the request of this id.
pub(super) async fn serve(id: RequestId, mut underway: Underway) -> Response {
    let first = match underway.next().await {
        Event::Response(outcome) => return answer(&id, &outcome),
        Event::Notification(message) => message,
    };
    let messages = stream::unfold((Some(first), Some(underway)), move |(first, underway)| {
        let id = id.clone();
        async move {
            if let Some(first) = first {
                return Some((sse(&first), (None, underway)));
            }
            let mut underway = underway?;
            Some(match underway.next().await {
                Event::Notification(message) => (sse(&message), (None, Some(underway))),
                Event::Response(outcome) => (sse(&jsonrpc::response(Some(&id), &outcome)), (None, None)),
            })
        }
    });
    // A comment every 15 seconds where nothing else is sent.
    let mut response = Sse::new(messages).keep_alive(KeepAlive::default()).into_response();
    // Reverse proxies that would gather the events for a while are asked not to.
    response.headers_mut().insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

#[expect(clippy::unnecessary_wraps, reason = "as streams of bodies are")]
fn sse(message: &[u8]) -> Result<axum::response::sse::Event, Infallible> {
    // JSON as this host writes it is UTF-8 on one line.
    Ok(axum::response::sse::Event::default().data(String::from_utf8_lossy(message)))
}
