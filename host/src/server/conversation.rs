//! From how an attempt ended to what the client is told.

use std::time::SystemTime;

use dacapo_replay::{Ending, Fault, Ledger, Opening, QuestionKinds, Stop};
use serde_json::value::RawValue;

use super::Server;
use crate::carrier::wire::nanos;
use crate::carrier::{Binding, Rejected};
use crate::protocol::error::RpcError;
use crate::protocol::meta::RequestMeta;
use crate::protocol::result::{InputRequired, ResultType};
use crate::registry::handler::Handler;
use crate::sandbox::Attempt;

/// Begins a conversation: what every attempt of it starts from.
pub(super) fn begin(meta: &RequestMeta, askable: QuestionKinds, now: SystemTime) -> Result<Ledger, RpcError> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(|error| {
        tracing::error!(%error, "the operating system has no randomness to give");
        RpcError::internal("the server can't start a conversation now; try again later")
    })?;
    let started = nanos(now);
    Ok(Ledger::open(Opening { started, seed, protocol_version: meta.protocol_version.clone(), askable }))
}

/// One call that is being handled, for the log and for the token.
pub(super) struct Handling<'a> {
    pub(super) server: &'a Server,
    pub(super) handler: &'a Handler,
    pub(super) target: &'a str,
    pub(super) binding: &'a Binding<'a>,
}

/// What a call came to.
pub(super) enum Outcome<T> {
    /// The handler's result.
    Complete(T),
    /// The result that asks for input, written.
    InputRequired(Box<RawValue>),
}

impl Handling<'_> {
    /// Tells the operator why a retry is not served, and the client what it may know.
    pub(super) fn rejected(&self, rejected: &Rejected) -> RpcError {
        tracing::warn!(
            handler = %self.handler.name,
            target = self.target,
            principal = self.binding.principal,
            reason = %rejected,
            "retry rejected"
        );
        rejected.on_the_wire()
    }

    /// What the client is told of an attempt.
    pub(super) fn conclude<T>(&self, attempt: Attempt<T>) -> Result<Outcome<T>, RpcError> {
        match attempt.ending {
            Ending::Completed(returned) => returned.map(Outcome::Complete),
            Ending::Stopped(stop) => self.stopped(stop, &attempt.ledger).map(Outcome::InputRequired),
            Ending::Failed(fault) => Err(self.failed(&fault)),
        }
    }

    fn stopped(&self, stop: Stop, ledger: &Ledger) -> Result<Box<RawValue>, RpcError> {
        match stop {
            Stop::InputRequired(pending) => {
                let state = self.server.wire.seal(self.binding, ledger, SystemTime::now()).map_err(|error| {
                    self.log(&error);
                    RpcError::internal(
                        "the conversation can't be carried on: its state is too large or can't be sealed",
                    )
                })?;
                self.server.write(ResultType::InputRequired, None, &InputRequired::new(&pending, state))
            }
            Stop::Diverged(divergence) => {
                self.log(&format_args!(
                    "{divergence} (recorded {}, asked {:?}, revision {})",
                    divergence.recorded, divergence.asked, self.handler.revision
                ));
                Err(RpcError::rejected_retry("diverged", divergence.to_string()))
            }
            Stop::InvalidAnswer(invalid) => Err(RpcError::rejected_retry(
                "invalid-answer",
                format!("{invalid}; retry with the same requestState and an answer that fits"),
            )),
            Stop::NotAskable(kinds) => Err(RpcError::missing_elicitation(kinds)),
            stop @ (Stop::BadQuestion(_) | Stop::TooManyQuestions(_)) => {
                self.log(&stop);
                Err(RpcError::internal("the handler asked a question that can't be asked; the server's log says why"))
            }
        }
    }

    fn failed(&self, fault: &Fault) -> RpcError {
        self.log(fault);
        let what = match fault {
            Fault::OutOfTime(_) => "ran out of time",
            Fault::OutOfMemory(_) | Fault::OutOfTable(_) => "ran out of memory",
            Fault::BadResult(_) => "returned a result that is not well formed or does not fit its schema",
            Fault::Trapped(_) | Fault::Exited(_) => "failed",
        };
        RpcError::internal(format!("the handler {what}; the server's log says more"))
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
