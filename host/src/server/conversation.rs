//! A call that may ask for input: from its parameters to what the client is told.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use dacapo_replay::{Ending, Exceeded, Fault, Ledger, Opening, RetryPolicy, Stop, Walk};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Caller, Server};
use crate::carrier::token::TokenError;
use crate::carrier::wire::{Held, nanos};
use crate::carrier::{Binding, Rejected, Revision};
use crate::protocol::error::RpcError;
use crate::protocol::meta::RequestMeta;
use crate::protocol::method::Method;
use crate::protocol::params::{CallParams, Params};
use crate::protocol::result::{InputRequired, Meta, ResultType};
use crate::registry::catalogue::Catalogue;
use crate::registry::handler::Handler;
use crate::sandbox::entry::Entry;
use crate::sandbox::{Attempt, Busy, Call, Limit};

/// One call, for the log and for the token.
pub(super) struct Conversation<'a> {
    server: &'a Server,
    /// Who serves: for a retry, the revision that asked, whatever has been uploaded since.
    pub(super) handler: Arc<Handler>,
    target: &'a str,
    binding: Binding<'a>,
}

/// What the handler goes on from.
pub(super) struct Opened {
    /// The parameters of a retry, as they were written on the first round.
    pub(super) original: Option<Params>,
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
    /// Opens the conversation that the parameters go on with, or begins one with the handler that is found. The catalogue
    /// may change afterwards; the call goes on with what was found.
    pub(super) fn open(
        server: &'a Server,
        method: Method,
        params: &'a CallParams,
        target: &'a str,
        caller: &'a Caller,
        meta: &RequestMeta,
        find: impl FnOnce(&Catalogue) -> Result<Arc<Handler>, RpcError>,
    ) -> Result<(Self, Opened), RpcError> {
        let binding =
            Binding { method: method.name(), params: &params.original, principal: caller.principal.as_deref() };
        let rejected = |why: &Rejected| rejected(target, binding.principal, why);
        let catalogue = server.registry.catalogue();
        let now = SystemTime::now();
        let (handler, opened) = if let Some(state) = &params.request_state {
            let responses = params.input_responses.iter().flatten().map(|(key, json)| (key.as_str(), json.get()));
            let held = server.wire.open(&binding, state, responses, server.policy, now);
            let held = held.map_err(|why| rejected(&why))?;
            let handler = find_revision(&catalogue, &held).map_err(|why| rejected(&why))?;
            let (original, beforehand) = (Some(held.params), BTreeMap::new());
            (handler, Opened { original, is_retry: true, ledger: held.ledger, beforehand, now })
        } else {
            let beforehand = match (&params.input_responses, server.policy) {
                (None, _) => BTreeMap::new(),
                (Some(_), RetryPolicy::Strict) => return Err(rejected(&Rejected::NoState)),
                (Some(responses), RetryPolicy::Lenient) => {
                    responses.iter().map(|(key, json)| (key.clone(), json.get().to_owned())).collect()
                }
            };
            let is_retry = params.input_responses.is_some();
            (find(&catalogue)?, Opened { original: None, is_retry, ledger: begin(meta, now), beforehand, now })
        };
        check_size(&handler, params.original.size())?;
        Ok((Self { server, handler, target, binding }, opened))
    }

    /// Runs the handler.
    pub(super) async fn run<E: Entry>(
        &self,
        opened: Opened,
        entry: E,
        meta: &RequestMeta,
        caller: &Caller,
    ) -> Result<Attempt<E::Output>, RpcError> {
        let call = Call {
            tenant: Arc::clone(&self.handler.tenant),
            target: self.target.to_owned(),
            principal: caller.principal.clone(),
            progress: caller.progress.clone(),
            announcements: Some(self.server.hub.clone()),
        };
        let sandbox = &self.server.sandbox;
        let walk = Walk::start(opened.ledger, meta.capabilities.askable(), self.handler.tenant.limits.conversation())
            .with_responses(opened.beforehand, nanos(opened.now));
        sandbox.attempt(&self.handler.program, call, entry, walk).await.map_err(|busy| refused(&self.handler, busy))
    }

    /// Says what the call came to.
    pub(super) async fn outcome<T>(&self, Attempt { ending, ledger, .. }: Attempt<T>) -> Result<Outcome<T>, RpcError> {
        match ending {
            Ending::Completed(Ok(returned)) => Ok(Outcome::Complete(returned)),
            Ending::Completed(Err(error)) if error.size() > self.handler.tenant.limits.number(Limit::Result) => {
                Err(self.exceeded(Limit::Result))
            }
            Ending::Completed(Err(error)) => Err(error),
            Ending::Stopped(stop) => self.stopped(stop, &ledger).await.map(Outcome::InputRequired),
            Ending::Failed(fault) => Err(self.failed(&fault)),
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
                within(&self.handler, self.target, self.server.write(ResultType::Complete, meta, &body)?)
            }
        }
    }

    async fn stopped(&self, stop: Stop, ledger: &Ledger) -> Result<Box<RawValue>, RpcError> {
        match stop {
            Stop::InputRequired(pending) => {
                let limit = self.handler.tenant.limits.number(Limit::Token);
                let now = SystemTime::now();
                self.server.registry.issued(&self.handler, now).await;
                let (name, component) = (self.handler.name.as_ref(), self.handler.digest.as_ref());
                let revision = Revision { handler: name, component };
                let sealed = self.server.wire.seal(&self.binding, revision, ledger, now, limit);
                let state = sealed.map_err(|error| match error {
                    TokenError::TooLong { .. } => self.exceeded(Limit::Token),
                    error => {
                        self.log(&error);
                        RpcError::internal("the conversation can't be sealed; the server's log says why")
                    }
                })?;
                let asking = InputRequired::new(&pending, state);
                within(&self.handler, self.target, self.server.write(ResultType::InputRequired, None, &asking)?)
            }
            Stop::Diverged(divergence) => {
                let asked = divergence.asked.map_or_else(|| "nothing".to_owned(), |asked| asked.to_string());
                self.log(&format_args!("{divergence} (recorded {}, asked {asked})", divergence.recorded));
                let revision = self.handler.revision;
                Err(RpcError::rejected_retry("diverged", format!("{divergence} (it ran as revision {revision})")))
            }
            Stop::InvalidAnswer(invalid) => Err(RpcError::rejected_retry(
                "invalid-answer",
                format!("{invalid}; the same retry with an answer that fits will do"),
            )),
            Stop::Rejected(rejection) => {
                Err(rejected(self.target, self.binding.principal, &Rejected::Answer(rejection)))
            }
            Stop::NotAskable(lacking) => Err(RpcError::missing_capabilities(lacking)),
            Stop::TooManyQuestions(_) => Err(self.exceeded(Limit::Questions)),
            stop @ Stop::BadQuestion(_) => {
                self.log(&stop);
                Err(RpcError::internal("the handler asked a question that can't be asked; the server's log says why"))
            }
        }
    }

    /// Tells the operator how the handler failed, and the client that it did.
    fn failed(&self, fault: &Fault) -> RpcError {
        let what = match fault {
            Fault::Exceeded(exceeded) => return over(&self.handler, self.target, exceeded),
            Fault::BadResult(_) => "returned a result that is not well formed or does not fit its schema",
            Fault::Trapped(_) | Fault::Exited(_) => "failed",
        };
        self.log(fault);
        RpcError::internal(format!("the handler {what}; the server's log says more"))
    }

    fn exceeded(&self, limit: Limit) -> RpcError {
        over(&self.handler, self.target, &self.handler.tenant.limits.exceeded(limit))
    }

    fn log(&self, what: &dyn std::fmt::Display) {
        tracing::error!(
            handler = %self.handler.name,
            revision = self.handler.revision,
            target = self.target,
            error = %what,
            "handler failed"
        );
    }
}

/// The revision that goes on with a conversation.
fn find_revision(catalogue: &Catalogue, held: &Held) -> Result<Arc<Handler>, Rejected> {
    catalogue.revision(&held.component).cloned().ok_or_else(|| Rejected::Gone {
        handler: held.handler.clone(),
        component: held.component.clone(),
        replaced: catalogue.handlers().any(|handler| handler.name.as_ref() == held.handler),
    })
}

/// Tells the operator why a retry is not served, and the client what it may know.
fn rejected(target: &str, principal: Option<&str>, why: &Rejected) -> RpcError {
    tracing::warn!(target, principal, reason = %why, "retry rejected");
    why.on_the_wire()
}

/// Refuses parameters that are too large for the handler.
pub(super) fn check_size(handler: &Handler, size: usize) -> Result<(), RpcError> {
    let limits = &handler.tenant.limits;
    if size <= limits.number(Limit::Arguments) {
        return Ok(());
    }
    Err(RpcError::params_too_large(size, &limits.exceeded(Limit::Arguments)))
}

/// Lets a result through that is not too large.
pub(super) fn within(handler: &Handler, target: &str, result: Box<RawValue>) -> Result<Box<RawValue>, RpcError> {
    let limits = &handler.tenant.limits;
    if result.get().len() <= limits.number(Limit::Result) {
        return Ok(result);
    }
    Err(over(handler, target, &limits.exceeded(Limit::Result)))
}

/// Tells the operator of a call that there was no room for, and the client to come again.
pub(super) fn refused(handler: &Handler, Busy(exceeded): Busy) -> RpcError {
    tracing::warn!(
        handler = %handler.name,
        limit = exceeded.limit,
        value = %exceeded.allowed,
        set_by = handler.tenant.limits.set_by(exceeded.limit),
        "call refused: too many at once"
    );
    RpcError::busy(&exceeded)
}

/// Tells the operator which limit a handler ran into and what sets it, and the client which.
pub(super) fn over(handler: &Handler, target: &str, exceeded: &Exceeded) -> RpcError {
    tracing::error!(
        handler = %handler.name,
        revision = handler.revision,
        target,
        limit = exceeded.limit,
        value = %exceeded.allowed,
        set_by = handler.tenant.limits.set_by(exceeded.limit),
        "handler exceeded a limit"
    );
    RpcError::limit(exceeded)
}

/// Begins a conversation: what every attempt of it starts from.
fn begin(meta: &RequestMeta, now: SystemTime) -> Ledger {
    Ledger::open(Opening {
        started: nanos(now),
        // From a generator of this thread's own, which the operating system seeds again and again: most calls never use it,
        // and asking the system for each would be one system call more.
        seed: rand::random(),
        protocol_version: meta.protocol_version.clone(),
        askable: meta.capabilities.askable(),
    })
}
