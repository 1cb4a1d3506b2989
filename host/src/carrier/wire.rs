//! A conversation, sealed in the token that the client holds. The host keeps nothing.

use std::borrow::Cow;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use dacapo_replay::{Ledger, Rejection, RetryPolicy};

use super::conversation::Conversation;
use super::keyring::Keyring;
use super::token::{self, TokenError};
use crate::protocol::error::RpcError;
use crate::protocol::params::Params;

/// Seals conversations into tokens, and opens them again.
#[derive(Debug)]
pub struct Wire {
    ring: Keyring,
    ttl: Duration,
    limit: usize,
}

/// What a conversation is bound to: a retry must be of the same.
#[derive(Clone, Copy, Debug)]
pub struct Binding<'a> {
    /// The method called.
    pub method: &'a str,
    /// Its parameters, without what a retry adds.
    pub params: &'a Params,
    /// Who calls, as the host has verified.
    pub principal: Option<&'a str>,
}

/// The revision that serves a conversation, from its first round to its last.
#[derive(Clone, Copy, Debug)]
pub struct Revision<'a> {
    /// The handler's name, for what people are told.
    pub handler: &'a str,
    /// The digest of the component.
    pub component: &'a str,
}

/// A conversation that was opened.
#[derive(Debug)]
pub struct Held {
    /// What it remembers, with the responses of this round taken in.
    pub ledger: Ledger,
    /// The parameters as they were written on the first round.
    pub params: Params,
    /// The name of the handler that asked.
    pub handler: String,
    /// The digest of the component that asked, which alone can go on.
    pub component: String,
}

/// Why a retry is not served. All are -32602 on the wire.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    /// The token is not one that this host's keys made.
    #[error("requestState can't be opened: {0}")]
    Token(TokenError),
    /// What the token holds can't be read, though it is authentic.
    #[error("requestState holds what this version of the host can't read: {0}")]
    Unreadable(String),
    /// The conversation has lapsed.
    #[error("requestState was issued {age:?} ago; it lives {ttl:?}")]
    Expired {
        /// How old the token is.
        age: Duration,
        /// How long a token lives.
        ttl: Duration,
    },
    /// It was issued for another method.
    #[error("requestState was issued for method \"{0}\"")]
    OtherMethod(String),
    /// It was issued to another caller.
    #[error("requestState was issued to another principal: {0:?}")]
    OtherPrincipal(Option<String>),
    /// It was issued for other parameters.
    #[error("requestState was issued for other parameters")]
    OtherParams,
    /// The revision that asked serves no longer: the handler was removed, or replaced too long ago.
    #[error("requestState was issued by handler \"{handler}\", component {component}, which is held no longer")]
    Gone {
        /// The handler's name.
        handler: String,
        /// The digest of the component.
        component: String,
        /// Whether a handler of this name is served.
        replaced: bool,
    },
    /// Answers came without the state of a conversation.
    #[error("inputResponses without requestState")]
    NoState,
    /// An answer was not taken.
    #[error(transparent)]
    Answer(#[from] Rejection),
}

impl Rejected {
    /// What the client is told. Tokens that are not its own all look alike to it.
    #[must_use]
    pub fn on_the_wire(&self) -> RpcError {
        let (reason, message) = match self {
            Self::Token(_) | Self::Unreadable(_) | Self::OtherPrincipal(_) => (
                "invalid-state",
                "requestState was not issued by this server to this caller, or was changed; call again without it"
                    .to_owned(),
            ),
            Self::Expired { ttl, .. } => (
                "expired-state",
                format!(
                    "requestState has expired: the answer must come within {}; call again without it",
                    humantime::format_duration(*ttl)
                ),
            ),
            Self::OtherMethod(method) => (
                "other-method",
                format!("requestState was issued for method \"{method}\"; retry that, with the same params"),
            ),
            Self::OtherParams => (
                "other-params",
                "requestState was issued for other params (name, uri or arguments); retry with the params of the first call"
                    .to_owned(),
            ),
            Self::Gone { replaced: true, .. } => (
                "handler-replaced",
                "the handler was replaced since the question was asked; call again without requestState".to_owned(),
            ),
            Self::Gone { replaced: false, .. } => (
                "handler-removed",
                "the handler that asked the question was removed; this conversation can't go on".to_owned(),
            ),
            Self::NoState => (
                "no-state",
                "inputResponses came without requestState; send the requestState of the result that asked".to_owned(),
            ),
            Self::Answer(rejection) => (
                match rejection {
                    Rejection::UnknownKey(_) => "unknown-key",
                    Rejection::AlreadyAnswered(_) => "already-answered",
                    Rejection::NotAnAnswer { .. } => "not-an-answer",
                },
                rejection.to_string(),
            ),
        };
        RpcError::rejected_retry(reason, message)
    }
}

impl Wire {
    /// Tokens live for `ttl`, and have `limit` bytes at most.
    #[must_use]
    pub fn new(ring: Keyring, ttl: Duration, limit: usize) -> Self {
        Self { ring, ttl, limit }
    }

    /// Opens the conversation that a token holds, with the responses of this round taken in: JSON by key.
    ///
    /// # Errors
    ///
    /// When the retry can't be trusted or does not fit what was asked.
    pub fn open<'r>(
        &self,
        binding: &Binding<'_>,
        state: &str,
        responses: impl IntoIterator<Item = (&'r str, &'r str)>,
        policy: RetryPolicy,
        now: SystemTime,
    ) -> Result<Held, Rejected> {
        let conversation = self.read(state)?;
        conversation.check(binding, self.ttl, now)?;
        let mut ledger = conversation.ledger.into_owned();
        ledger.answer(responses, policy, nanos(now))?;
        Ok(Held {
            ledger,
            params: conversation.original_params.into_owned(),
            handler: conversation.handler.into_owned(),
            component: conversation.component.into_owned(),
        })
    }

    /// Reads what a token holds, for its operator: whoever it was issued to, however long ago.
    ///
    /// # Errors
    ///
    /// When no key of the ring sealed it, or it holds what this version of the host can't read.
    pub fn read(&self, state: &str) -> Result<Conversation<'static>, Rejected> {
        let payload = token::open(&self.ring, state, self.limit).map_err(Rejected::Token)?;
        Conversation::read(&payload).map_err(Rejected::Unreadable)
    }

    /// Seals a conversation that `revision` goes on with; the token has `limit` bytes at most.
    ///
    /// # Errors
    ///
    /// When the token would be longer than allowed, or there is no randomness.
    pub fn seal(
        &self,
        binding: &Binding<'_>,
        revision: Revision<'_>,
        ledger: &Ledger,
        now: SystemTime,
        limit: usize,
    ) -> Result<String, TokenError> {
        let conversation = Conversation {
            method: Cow::Borrowed(binding.method),
            original_params: Cow::Borrowed(binding.params),
            ledger: Cow::Borrowed(ledger),
            issued_at: millis(now),
            principal: binding.principal.map(Cow::Borrowed),
            handler: Cow::Borrowed(revision.handler),
            component: Cow::Borrowed(revision.component),
        };
        let draft = conversation.write().map_err(|_| TokenError::Malformed("not serializable"))?;
        token::seal(&self.ring, draft, limit.min(self.limit))
    }
}

impl Conversation<'_> {
    /// Whether a retry of this binding goes on with it.
    fn check(&self, binding: &Binding<'_>, ttl: Duration, now: SystemTime) -> Result<(), Rejected> {
        if self.principal.as_deref() != binding.principal {
            return Err(Rejected::OtherPrincipal(self.principal.as_deref().map(str::to_owned)));
        }
        // A token from the future comes from a clock that runs ahead: it is as fresh as can be.
        let age = Duration::from_millis(millis(now).saturating_sub(self.issued_at));
        if age > ttl {
            return Err(Rejected::Expired { age, ttl });
        }
        if self.method != binding.method {
            return Err(Rejected::OtherMethod(self.method.clone().into_owned()));
        }
        if !self.original_params.same_as(binding.params) {
            return Err(Rejected::OtherParams);
        }
        Ok(())
    }
}

/// The reading of a clock in nanoseconds since the Unix epoch.
#[must_use]
pub fn nanos(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

fn millis(time: SystemTime) -> u64 {
    nanos(time) / 1_000_000
}
