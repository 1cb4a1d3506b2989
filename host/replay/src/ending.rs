//! How an attempt ended.

use crate::amount::Amount;
use crate::divergence::Divergence;
use crate::ledger::Rejection;
use crate::question::BadQuestion;
use crate::reply::InvalidAnswer;
use crate::request::{Askable, Request, RequestJson};

/// How an attempt ended. Made in one place by whoever ran the handler; every consumer matches on it.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending<T> {
    /// The handler returned.
    Completed(T),
    /// The handler's walk through the ledger was stopped.
    Stopped(Stop),
    /// The handler failed.
    Failed(Fault),
}

/// Why a walk was stopped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Stop {
    /// Requests wait for a response.
    #[error("input required: {}", .0.iter().map(|pending| pending.key.as_str()).collect::<Vec<_>>().join(", "))]
    InputRequired(Vec<Pending>),
    /// The handler asked something else than it did before.
    #[error(transparent)]
    Diverged(#[from] Box<Divergence>),
    /// An answer does not fit its question.
    #[error(transparent)]
    InvalidAnswer(#[from] InvalidAnswer),
    /// An answer is none to its request.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// The client did not declare that it takes such requests; what is missing.
    #[error("the client does not take requests of this kind: {0:?}")]
    NotAskable(Askable),
    /// The question can't be asked.
    #[error(transparent)]
    BadQuestion(#[from] BadQuestion),
    /// The conversation has as many questions as the host allows.
    #[error("the handler asked more than {0} questions in one conversation, the host's limit")]
    TooManyQuestions(usize),
}

/// A request that waits for its response.
#[derive(Clone, Debug, PartialEq)]
pub struct Pending {
    /// The name under which the client answers it.
    pub key: String,
    /// The request.
    pub request: Request,
    /// The same as the client sees it.
    pub json: RequestJson,
}

/// How a handler failed. The texts are for the operator's log, not for the wire.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It trapped.
    #[error("it trapped: {0}")]
    Trapped(String),
    /// It called `exit`.
    #[error("it exited with status {0}")]
    Exited(i32),
    /// It wanted more than it may have.
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    /// What it returned is not well formed.
    #[error("its result is not well formed: {0}")]
    BadResult(String),
}

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it exceeded its limit \"{limit}\", {allowed}")]
pub struct Exceeded {
    /// Which one, by the name under which it is set.
    pub limit: &'static str,
    /// How much is allowed.
    pub allowed: Amount,
}
