//! A stream of events that is read while it goes on.

use std::pin::Pin;
use std::time::Duration;

use futures_util::{Stream, StreamExt};
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{RequestBuilder, StatusCode};
use serde_json::Value;
use sse_stream::{Sse, SseStream};
use tokio::time::timeout;

use crate::schema;

/// How long to wait for a message that must come.
const LIMIT: Duration = Duration::from_secs(20);

/// A stream that the host has opened. Every message on it is held against the protocol's schema. Dropping it closes the
/// connection.
pub struct EventStream {
    /// The HTTP headers.
    pub headers: HeaderMap,
    method: String,
    events: Pin<Box<dyn Stream<Item = Result<Sse, sse_stream::Error>> + Send>>,
}

impl EventStream {
    /// Sends a request, a call of `method`, that is answered by a stream.
    ///
    /// Panics where it is answered otherwise.
    pub async fn to(method: &str, request: RequestBuilder) -> Self {
        let response = request.send().await.expect("the host answers");
        assert_eq!(response.status(), StatusCode::OK);
        let headers = response.headers().clone();
        let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let is_stream = kind.is_some_and(|kind| kind.starts_with("text/event-stream"));
        assert!(is_stream, "the answer is no stream: {:?}", response.text().await);
        Self {
            headers,
            method: method.to_owned(),
            events: Box::pin(SseStream::from_bytes_stream(response.bytes_stream())),
        }
    }

    /// The next message; nothing where the stream ends.
    ///
    /// Panics where neither comes in time, or the message breaks the protocol's schema.
    pub async fn next(&mut self) -> Option<Value> {
        timeout(LIMIT, self.message()).await.expect("the host sends another message or ends the stream")
    }

    /// Whether nothing is sent for as long as this.
    pub async fn is_silent_for(&mut self, time: Duration) -> bool {
        timeout(time, self.message()).await.is_err()
    }

    async fn message(&mut self) -> Option<Value> {
        while let Some(event) = self.events.next().await {
            if let Some(data) = event.expect("the stream is made of events").data {
                let message = serde_json::from_str(&data).unwrap_or_else(|error| panic!("no JSON: {error}: {data}"));
                schema::check_answer(Some(&self.method), &message);
                return Some(message);
            }
        }
        None
    }
}
