//! An answer as server-sent events, where something happens on the way.
//!
//! Whether it does shows only once the handler runs: an answer is plain JSON unless progress comes first.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;

use axum::http::{HeaderName, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::mpsc;

use super::http::answer;
use crate::protocol::error::RpcError;
use crate::protocol::jsonrpc::{self, Request, RequestId};
use crate::protocol::meta::{ProgressToken, RequestMeta};
use crate::protocol::method::Method;
use crate::sandbox::attempt::Progress;
use crate::server::{Caller, Server};

/// How many reports may wait for a slow client before the handler does.
const BACKLOG: usize = 16;

type Outcome = Result<Box<RawValue>, RpcError>;

/// A request under way. Dropping it cancels the request.
struct Underway {
    outcome: Pin<Box<dyn Future<Output = Outcome> + Send>>,
    progress: mpsc::Receiver<Progress>,
    token: ProgressToken,
    id: RequestId,
}

enum Next {
    Progress(Progress),
    Outcome(Outcome),
}

impl Underway {
    async fn next(&mut self) -> Next {
        tokio::select! {
            // What was reported before the end goes out before it.
            biased;
            Some(progress) = self.progress.recv() => Next::Progress(progress),
            outcome = &mut self.outcome => match self.progress.try_recv() {
                // The handler reported and returned at once; the outcome waits its turn.
                Ok(progress) => {
                    self.outcome = Box::pin(std::future::ready(outcome));
                    Next::Progress(progress)
                }
                Err(_) => Next::Outcome(outcome),
            },
        }
    }
}

/// Serves a request whose client wants to see progress.
pub(super) async fn serve(
    server: Arc<Server>,
    method: Method,
    request: Request,
    meta: RequestMeta,
    principal: Option<Arc<str>>,
    token: ProgressToken,
) -> Response {
    let (sender, progress) = mpsc::channel(BACKLOG);
    let id = request.id.clone();
    let caller = Caller { principal, progress: Some(sender) };
    let outcome = Box::pin(async move { server.handle(method, request.params.as_deref(), &meta, caller).await });
    let mut underway = Underway { outcome, progress, token, id };
    let first = match underway.next().await {
        Next::Outcome(outcome) => return answer(&underway.id, &outcome),
        Next::Progress(progress) => progress,
    };
    let first = event(&notify(&underway.token, first));
    let events = stream::unfold((Some(first), Some(underway)), |(first, underway)| async {
        if first.is_some() {
            return first.map(|first| (Ok::<_, Infallible>(first), (None, underway)));
        }
        let mut underway = underway?;
        Some(match underway.next().await {
            Next::Progress(progress) => (Ok(event(&notify(&underway.token, progress))), (None, Some(underway))),
            Next::Outcome(outcome) => (Ok(event(&jsonrpc::response(Some(&underway.id), &outcome))), (None, None)),
        })
    });
    let mut response = Sse::new(events).keep_alive(KeepAlive::default()).into_response();
    // Reverse proxies that would gather the events for a while are asked not to.
    response.headers_mut().insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

fn event(message: &[u8]) -> Event {
    // JSON as this host writes it is UTF-8 on one line.
    Event::default().data(String::from_utf8_lossy(message))
}

fn notify(token: &ProgressToken, Progress { progress, total, message }: Progress) -> Vec<u8> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Params<'a> {
        progress_token: &'a ProgressToken,
        progress: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        total: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    }
    jsonrpc::notification("notifications/progress", &Params { progress_token: token, progress, total, message })
}
