//! Hearing a request out. A client that is still sending when the connection closes may never read the answer; so what an
//! early refusal left unread of a long body is read, within bounds, and thrown away.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use http_body_util::BodyExt as _;

/// Bodies up to this size arrive whole in any case.
const SHORT: u64 = 64 << 10;
/// How much is read at most, in bytes.
const MOST: usize = 256 << 20;
/// How long it may take.
const LONGEST: Duration = Duration::from_secs(10);

/// A body that its lender gets back once the borrower has dropped it.
struct Lent(Arc<Mutex<Body>>);

impl HttpBody for Lent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, axum::Error>>> {
        let mut body = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Pin::new(&mut *body).poll_frame(context)
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).size_hint()
    }
}

/// Whether nothing of this body that nobody reads needs to be read.
pub(super) fn is_short(headers: &HeaderMap, body: &impl HttpBody) -> bool {
    // A client that asks beforehand sends nothing that nobody wants.
    body.size_hint().upper().is_some_and(|size| size <= SHORT) || headers.contains_key(header::EXPECT)
}

/// Serves a request, and reads what that left unread.
pub(super) async fn linger<F: Future<Output = Response>>(
    request: Request,
    serve: impl FnOnce(Request) -> F,
) -> Response {
    let (parts, body) = request.into_parts();
    let body = Arc::new(Mutex::new(body));
    let response = serve(Request::from_parts(parts, Body::new(Lent(Arc::clone(&body))))).await;
    if response.status() == StatusCode::REQUEST_TIMEOUT {
        return response;
    }
    let mut rest = Lent(body);
    let reading = async {
        let mut read = 0;
        while let Some(Ok(frame)) = rest.frame().await {
            read += frame.data_ref().map_or(0, Bytes::len);
            if read > MOST {
                break;
            }
        }
    };
    let _in_time = tokio::time::timeout(LONGEST, reading).await;
    response
}
