//! A request under way, and what is sent for it, whatever carries it.

use std::pin::Pin;
use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::protocol::error::RpcError;
use crate::protocol::jsonrpc::{self, Request};
use crate::protocol::meta::{ProgressToken, RequestMeta};
use crate::protocol::method::Method;
use crate::sandbox::attempt::Progress;
use crate::server::{Answer, Caller, Server, Subscription};

/// How many reports may wait for a slow client before the handler does.
const BACKLOG: usize = 16;

/// A request under way. Dropping it cancels the request.
pub(super) struct Underway {
    state: State,
    reports: Option<Reports>,
}

enum State {
    Running(Running),
    Answered(Result<Answer, RpcError>),
    Listening(Subscription),
    Over,
}

/// A request at work.
type Running = Pin<Box<dyn Future<Output = Result<Answer, RpcError>> + Send>>;

/// The progress that the client asked for.
struct Reports {
    token: ProgressToken,
    receiver: mpsc::Receiver<Progress>,
}

/// What is to be sent.
pub(super) enum Event {
    /// A whole message; others follow.
    Notification(Vec<u8>),
    /// The request's result, as JSON, or error; nothing follows.
    Response(Result<Box<RawValue>, RpcError>),
}

impl Underway {
    /// Starts a request that is checked. Nothing happens until [`Underway::next`] is called.
    pub(super) fn start(
        server: Arc<Server>,
        method: Method,
        request: Request,
        meta: RequestMeta,
        principal: Option<Arc<str>>,
    ) -> Self {
        let (progress, reports) = match meta.progress_token.clone() {
            Some(token) => {
                let (sender, receiver) = mpsc::channel(BACKLOG);
                (Some(sender), Some(Reports { token, receiver }))
            }
            None => (None, None),
        };
        let caller = Caller { principal, progress };
        let running = async move { server.handle(method, request, &meta, caller).await };
        // Where nothing is sent before the end, whoever sends it waits for nothing else.
        let running: Running = if reports.is_some() { Box::pin(apart(running)) } else { Box::pin(running) };
        Self { state: State::Running(running), reports }
    }

    /// Waits for what is to be sent next. Does not return any more after the response.
    pub(super) async fn next(&mut self) -> Event {
        loop {
            match &mut self.state {
                State::Running(running) => tokio::select! {
                    // What was reported before the end goes out before it.
                    biased;
                    Some(report) = reported(&mut self.reports) => return Event::Notification(report),
                    answer = running => self.state = State::Answered(answer),
                },
                State::Answered(_) => {
                    if let Some(report) = self.reports.as_mut().and_then(Reports::waiting) {
                        // The handler reported and returned at once; the answer waits its turn.
                        return Event::Notification(report);
                    }
                    match std::mem::replace(&mut self.state, State::Over) {
                        State::Answered(Ok(Answer::Subscription(subscription))) => {
                            self.state = State::Listening(subscription);
                        }
                        State::Answered(Ok(Answer::Result(result))) => return Event::Response(Ok(result)),
                        State::Answered(Err(error)) => return Event::Response(Err(error)),
                        State::Running(_) | State::Listening(_) | State::Over => {}
                    }
                }
                State::Listening(subscription) => {
                    if let Some(message) = subscription.next().await {
                        return Event::Notification(message);
                    }
                    if let State::Listening(subscription) = std::mem::replace(&mut self.state, State::Over) {
                        return Event::Response(Ok(subscription.into_result()));
                    }
                }
                State::Over => std::future::pending().await,
            }
        }
    }
}

/// Works at a request beside whoever waits for it. Who sends reports to a client that does not read them is at a standstill,
/// and the request's deadline must come all the same. Dropping the future cancels the request.
async fn apart(running: impl Future<Output = Result<Answer, RpcError>> + Send + 'static) -> Result<Answer, RpcError> {
    let mut tasks = JoinSet::new();
    tasks.spawn(running);
    // There is one task, and nobody ends it but by dropping this future: if it breaks off, by a bug of the host's.
    match tasks.join_next().await {
        Some(Ok(answer)) => answer,
        broken => {
            tracing::error!(error = ?broken.and_then(Result::err), "a request broke off");
            Err(RpcError::internal("the server failed at this request; its log says more"))
        }
    }
}

/// The next report; nothing ever where none was asked for.
async fn reported(reports: &mut Option<Reports>) -> Option<Vec<u8>> {
    match reports {
        Some(Reports { token, receiver }) => receiver.recv().await.map(|progress| notification(token, progress)),
        None => std::future::pending().await,
    }
}

impl Reports {
    /// A report that is there already.
    fn waiting(&mut self) -> Option<Vec<u8>> {
        self.receiver.try_recv().ok().map(|progress| notification(&self.token, progress))
    }
}

fn notification(token: &ProgressToken, Progress { progress, total, message }: Progress) -> Vec<u8> {
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
