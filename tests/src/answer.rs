//! What came back over HTTP, as JSON or as a stream of events.

use futures_util::StreamExt;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{RequestBuilder, Response, StatusCode};
use serde_json::Value;
use sse_stream::SseStream;

/// A whole answer.
#[derive(Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: StatusCode,
    /// The HTTP headers.
    pub headers: HeaderMap,
    /// The JSON of the body, or the JSON-RPC response of a stream. Null if there is none, and a string if it is no JSON.
    pub body: Value,
    /// The JSON-RPC notifications of a stream, in order.
    pub notifications: Vec<Value>,
}

impl Answer {
    /// Sends a request and reads the answer to its end.
    ///
    /// Panics where the connection fails or a stream breaks the rules of the protocol.
    pub async fn to(request: RequestBuilder) -> Self {
        let response = request.send().await.expect("the host answers");
        let (status, headers) = (response.status(), response.headers().clone());
        let is_stream = headers
            .get(CONTENT_TYPE)
            .is_some_and(|kind| kind.to_str().is_ok_and(|kind| kind.starts_with("text/event-stream")));
        let (body, notifications) =
            if is_stream { read_events(response).await } else { (read_body(response).await, Vec::new()) };
        Self { status, headers, body, notifications }
    }

    /// The JSON-RPC result.
    ///
    /// Panics, with the body, where there is none.
    #[must_use]
    pub fn result(&self) -> &Value {
        self.member("result")
    }

    /// The JSON-RPC error.
    ///
    /// Panics, with the body, where there is none.
    #[must_use]
    pub fn error(&self) -> &Value {
        self.member("error")
    }

    /// The code of the JSON-RPC error.
    ///
    /// Panics, with the body, where there is none.
    #[must_use]
    pub fn error_code(&self) -> i64 {
        self.error()["code"].as_i64().unwrap_or_else(|| panic!("the error has no code: {}", self.body))
    }

    /// The questions of a result that asks for input.
    ///
    /// Panics, with the body, where the answer is another.
    #[must_use]
    pub fn input_requests(&self) -> &Value {
        assert_eq!(self.result()["resultType"], "input_required", "the host asks nothing: {}", self.body);
        &self.result()["inputRequests"]
    }

    /// The `requestState` of a result that asks for input.
    ///
    /// Panics, with the body, where the answer is another.
    #[must_use]
    pub fn request_state(&self) -> &str {
        assert_eq!(self.result()["resultType"], "input_required", "the host asks nothing: {}", self.body);
        self.result()["requestState"].as_str().unwrap_or_else(|| panic!("there is no requestState: {}", self.body))
    }

    /// The result of a call that is through.
    ///
    /// Panics, with the body, where the answer is another.
    #[expect(clippy::must_use_candidate, reason = "that the call is through may be all that a test asks")]
    pub fn complete(&self) -> &Value {
        assert_eq!(self.result()["resultType"], "complete", "the call is not through: {}", self.body);
        self.result()
    }

    fn member(&self, name: &str) -> &Value {
        let value = self.body.get(name);
        value.unwrap_or_else(|| panic!("the answer has no `{name}`: {} {}", self.status, self.body))
    }
}

async fn read_body(response: Response) -> Value {
    let text = response.text().await.expect("the body comes whole");
    if text.is_empty() { Value::Null } else { serde_json::from_str(&text).unwrap_or(Value::String(text)) }
}

async fn read_events(response: Response) -> (Value, Vec<Value>) {
    let mut events = SseStream::from_bytes_stream(response.bytes_stream());
    let (mut body, mut notifications) = (Value::Null, Vec::new());
    while let Some(event) = events.next().await {
        let Some(data) = event.expect("the stream is made of events").data else {
            continue;
        };
        let message: Value = serde_json::from_str(&data).unwrap_or_else(|error| panic!("no JSON: {error}: {data}"));
        assert_eq!(body, Value::Null, "something follows the response on its stream: {message}");
        match (message.get("method"), message.get("id")) {
            (Some(_), Some(_)) => panic!("a server sends no requests: {message}"),
            (Some(_), None) => notifications.push(message),
            (None, _) => body = message,
        }
    }
    (body, notifications)
}
