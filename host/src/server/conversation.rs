//! A call that may ask for input: from its parameters to what the client is told.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use dacapo_replay::{Ending, Fault, Ledger, Opening, RetryPolicy, Stop, Walk};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Caller, Server};
use crate::carrier::wire::nanos;
use crate::carrier::{Binding, Rejected, Revision};
use crate::protocol::error::RpcError;
use crate::protocol::meta::RequestMeta;
use crate::protocol::method::Method;
use crate::protocol::params::{CallParams, OriginalParams};
use crate::protocol::result::{InputRequired, Meta, ResultType};
use crate::registry::catalogue::Catalogue;
use crate::registry::handler::Handler;
use crate::sandbox::entry::Entry;
use crate::sandbox::{Attempt, Call};

/// One call, for the log and for the token.
pub(super) struct Conversation<'a> {
    server: &'a Server,
    target: &'a str,
    binding: Binding<'a>,
}

/// A call, opened: what the handler goes on from.
pub(super) struct Opened {
    /// Who serves: for a retry, the revision that asked, whatever has been uploaded since.
    pub(super) handler: Arc<Handler>,
    /// The parameters of a retry, as they were written on the first round.
    pub(super) original: Option<OriginalParams>,
    /// Whether the client has answered or at least come back.
    pub(super) is_retry: bool,
    ledger: Ledger,
    /// Responses that came before their requests.
    beforehand: BTreeMap<String, String>,
    now: SystemTime,
}

/// What a call came to.
pub(super) enum Outcome<T> {
    /// The handler's result.
    Complete(T),
    /// The result that asks for input, written.
    InputRequired(Box<RawValue>),
}

impl<'a> Conversation<'a> {
    pub(super) fn new(
        server: &'a Server,
        method: Method,
        params: &'a CallParams,
        target: &'a str,
        caller: &'a Caller,
    ) -> Self {
        let binding =
            Binding { method: method.name(), params: &params.original, principal: caller.principal.as_deref() };
        Self { server, target, binding }
    }

    /// Opens the conversation that the parameters go on with, or begins one with the handler that is found.
    pub(super) fn open(
        &self,
        params: &CallParams,
        meta: &RequestMeta,
        find: impl FnOnce(&Catalogue) -> Result<Arc<Handler>, RpcError>,
    ) -> Result<Opened, RpcError> {
        let now = SystemTime::now();
        let policy = self.server.policy;
        let catalogue = self.server.registry.catalogue();
        let Some(state) = &params.request_state else {
            let beforehand = match (&params.input_responses, policy) {
                (None, _) => BTreeMap::new(),
                (Some(_), RetryPolicy::Strict) => return Err(self.rejected(&Rejected::NoState)),
                (Some(responses), RetryPolicy::Lenient) => {
                    responses.iter().map(|(key, json)| (key.clone(), json.get().to_owned())).collect()
                }
            };
            let is_retry = params.input_responses.is_some();
            let handler = find(&catalogue)?;
            return Ok(Opened { handler, original: None, is_retry, ledger: begin(meta, now)?, beforehand, now });
        };
        let responses = params.input_responses.iter().flatten().map(|(key, json)| (key.as_str(), json.get()));
        let opened = self.server.wire.open(&self.binding, state, responses, policy, now);
        let opened = opened.map_err(|rejected| self.rejected(&rejected))?;
        let Some(handler) = catalogue.revision(&opened.component).cloned() else {
            let replaced = catalogue.handlers().any(|handler| handler.name.as_ref() == opened.handler);
            let (handler, component) = (opened.handler, opened.component);
            return Err(self.rejected(&Rejected::Gone { handler, component, replaced }));
        };
        Ok(Opened {
            handler,
            original: Some(opened.params),
            is_retry: true,
            ledger: opened.ledger,
            beforehand: BTreeMap::new(),
            now,
        })
    }

    /// Runs the handler, and says what the call came to. `settle` has the last word on how the attempt ended.
    pub(super) async fn run<E: Entry>(
        &self,
        opened: Opened,
        entry: E,
        settle: impl FnOnce(Ending<Result<E::Output, RpcError>>) -> Ending<Result<E::Output, RpcError>>,
        meta: &RequestMeta,
        caller: &Caller,
    ) -> Result<Outcome<E::Output>, RpcError> {
        let handler = &*opened.handler;
        let call = Call {
            handler: handler.name.clone().into(),
            target: self.target.to_owned(),
            principal: caller.principal.clone(),
            progress: caller.progress.clone(),
            announcements: Some(self.server.hub.clone()),
        };
        let sandbox = &self.server.sandbox;
        let walk = Walk::start(opened.ledger, meta.capabilities.askable(), sandbox.limits().conversation)
            .with_responses(opened.beforehand, nanos(opened.now));
        let Attempt { ending, ledger, .. } = sandbox.attempt(&handler.program, call, entry, walk).await;
        match settle(ending) {
            Ending::Completed(returned) => returned.map(Outcome::Complete),
            Ending::Stopped(stop) => self.stopped(handler, stop, &ledger).await.map(Outcome::InputRequired),
            Ending::Failed(fault) => Err(self.failed(handler, &fault)),
        }
    }

    /// Writes what a call came to.
    pub(super) fn write<T, B: Serialize>(
        &self,
        outcome: Outcome<T>,
        body: impl FnOnce(T) -> (B, Meta),
    ) -> Result<Box<RawValue>, RpcError> {
        match outcome {
            Outcome::InputRequired(result) => Ok(result),
            Outcome::Complete(result) => {
                let (body, meta) = body(result);
                self.server.write(ResultType::Complete, meta, &body)
            }
        }
    }

    /// Tells the operator why a retry is not served, and the client what it may know.
    fn rejected(&self, rejected: &Rejected) -> RpcError {
        tracing::warn!(
            target = self.target,
            principal = self.binding.principal,
            reason = %rejected,
            "retry rejected"
        );
        rejected.on_the_wire()
    }

    async fn stopped(&self, handler: &Handler, stop: Stop, ledger: &Ledger) -> Result<Box<RawValue>, RpcError> {
        match stop {
            Stop::InputRequired(pending) => {
                let now = SystemTime::now();
                self.server.registry.issued(handler, now).await;
                let revision = Revision { handler: handler.name.as_ref(), component: handler.digest.as_ref() };
                let state = self.server.wire.seal(&self.binding, revision, ledger, now).map_err(|error| {
                    self.log(handler, &error);
                    RpcError::internal(
                        "the conversation can't be carried on: its state is too large or can't be sealed",
                    )
                })?;
                self.server.write(ResultType::InputRequired, None, &InputRequired::new(&pending, state))
            }
            Stop::Diverged(divergence) => {
                self.log(
                    handler,
                    &format_args!(
                        "{divergence} (recorded {}, asked {:?}, revision {})",
                        divergence.recorded, divergence.asked, handler.revision
                    ),
                );
                Err(RpcError::rejected_retry("diverged", divergence.to_string()))
            }
            Stop::InvalidAnswer(invalid) => Err(RpcError::rejected_retry(
                "invalid-answer",
                format!("{invalid}; the same retry with an answer that fits will do"),
            )),
            Stop::Rejected(rejection) => Err(self.rejected(&Rejected::Answer(rejection))),
            Stop::NotAskable(lacking) => Err(RpcError::missing_capabilities(lacking)),
            stop @ (Stop::BadQuestion(_) | Stop::TooManyQuestions(_)) => {
                self.log(handler, &stop);
                Err(RpcError::internal("the handler asked a question that can't be asked; the server's log says why"))
            }
        }
    }

    /// Tells the operator how the handler failed, and the client that it did.
    fn failed(&self, handler: &Handler, fault: &Fault) -> RpcError {
        self.log(handler, fault);
        let what = match fault {
            Fault::OutOfTime(_) => "ran out of time",
            Fault::OutOfMemory(_) | Fault::OutOfTable(_) => "ran out of memory",
            Fault::BadResult(_) => "returned a result that is not well formed or does not fit its schema",
            Fault::Trapped(_) | Fault::Exited(_) => "failed",
        };
        RpcError::internal(format!("the handler {what}; the server's log says more"))
    }

    fn log(&self, handler: &Handler, what: &dyn std::fmt::Display) {
        tracing::error!(
            handler = %handler.name,
            revision = handler.revision,
            target = self.target,
            error = %what,
            "handler failed"
        );
    }
}

/// Begins a conversation: what every attempt of it starts from.
fn begin(meta: &RequestMeta, now: SystemTime) -> Result<Ledger, RpcError> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(|error| {
        tracing::error!(%error, "the operating system has no randomness to give");
        RpcError::internal("the server can't start a conversation now; try again later")
    })?;
    Ok(Ledger::open(Opening {
        started: nanos(now),
        seed,
        protocol_version: meta.protocol_version.clone(),
        askable: meta.capabilities.askable(),
    }))
}
