//! The journal of a conversation.

use serde::{Deserialize, Serialize};

use crate::fingerprint::Fingerprint;
use crate::reply::{InputResponse, ResponseKind};
use crate::request::Askable;

/// How many bytes of a question's JSON are kept in its slot; of a longer one, the fingerprint alone.
pub const ASKED_LIMIT: usize = 2 << 10;
/// How many bytes of all questions' JSON are kept, so that explanations leave a token room for what it is there for.
pub const ASKED_TOTAL: usize = 8 << 10;

/// All that a conversation remembers between two rounds. It is carried in a format without names: no member is left out when it
/// is written, and their order is part of the format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    /// How the conversation began.
    pub opening: Opening,
    /// The questions, by ordinal.
    pub slots: Vec<Slot>,
    /// The values kept by `once`, in the order in which they came.
    pub once: Vec<Kept>,
}

/// What every attempt of a conversation starts from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The clock's reading, in nanoseconds since the Unix epoch.
    pub started: u64,
    /// The seed of the conversation's randomness.
    pub seed: [u8; 32],
    /// The protocol revision that the client spoke.
    pub protocol_version: String,
    /// What the client said that it can be asked.
    pub askable: Askable,
}

/// One question, and its answer once there is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slot {
    /// The name under which the client knows the question.
    pub key: String,
    /// What was asked for.
    pub kind: ResponseKind,
    /// Which request it was.
    pub asked: Recorded,
    /// The answer, and when it came.
    pub answer: Option<Answer>,
}

/// By what a request is known again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Recorded {
    /// By its JSON as the client saw it, which also explains a replay that asks another.
    Json(Box<str>),
    /// By its fingerprint, where its JSON is too long to keep.
    Fingerprint(Fingerprint),
}

impl Recorded {
    /// What is kept of a request of which this is the JSON, where `room` bytes are left for it.
    pub(crate) fn of(json: &str, room: usize) -> Self {
        if json.len() <= ASKED_LIMIT.min(room) {
            Self::Json(json.into())
        } else {
            Self::Fingerprint(Fingerprint::of_json(json))
        }
    }

    /// Whether it is the request of which this is the JSON.
    pub(crate) fn is(&self, json: &str) -> bool {
        match self {
            Self::Json(recorded) => **recorded == *json,
            Self::Fingerprint(recorded) => *recorded == Fingerprint::of_json(json),
        }
    }

    /// The request's JSON, where it was kept.
    #[must_use]
    pub fn json(&self) -> Option<&str> {
        match self {
            Self::Json(json) => Some(json),
            Self::Fingerprint(_) => None,
        }
    }

    /// The request's fingerprint.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        match self {
            Self::Json(json) => Fingerprint::of_json(json),
            Self::Fingerprint(fingerprint) => *fingerprint,
        }
    }
}

/// An answer in the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// What the client sent: JSON text, a response to its request and nothing besides.
    pub response: Box<str>,
    /// The clock's reading when it came, in nanoseconds since the Unix epoch.
    pub at: u64,
}

/// A value kept by `once`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Its name.
    pub name: String,
    /// The value: JSON text.
    pub value: String,
    /// Where the run that worked it out stood then.
    pub after: Moment,
}

/// Where a run stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// How many questions it has asked.
    pub asked: usize,
    /// The clock's reading, in nanoseconds since the Unix epoch.
    pub clock: u64,
    /// How many words it has drawn from the secure stream of randomness.
    pub secure: u64,
    /// How many words it has drawn from the insecure one.
    pub insecure: u64,
}

/// Why an answer was not taken into the ledger.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// No question of this conversation has the key.
    #[error("inputResponses key \"{0}\" was never asked; answer the keys of the last inputRequests")]
    UnknownKey(String),
    /// The question has its answer.
    #[error(
        "inputResponses key \"{0}\" was answered in an earlier round; answer the keys of the last inputRequests only"
    )]
    AlreadyAnswered(String),
    /// The answer is of another kind than the question.
    #[error("inputResponses key \"{key}\" is not a response to {method}: {what}")]
    NotAnAnswer {
        /// The question's key.
        key: String,
        /// What was asked.
        method: &'static str,
        /// What was found instead.
        what: String,
    },
}

impl Ledger {
    /// A ledger with nothing in it but its opening.
    #[must_use]
    pub fn open(opening: Opening) -> Self {
        Self { opening, slots: Vec::new(), once: Vec::new() }
    }

    /// Takes in the responses of one round, JSON by key; `at` is the reading of the clock.
    ///
    /// # Errors
    ///
    /// The first response that has no open request, or is none to it. Nothing is taken in then. Under
    /// [`RetryPolicy::Lenient`], responses without an open request are left out instead.
    pub fn answer<'a>(
        &mut self,
        responses: impl IntoIterator<Item = (&'a str, &'a str)>,
        policy: RetryPolicy,
        at: u64,
    ) -> Result<(), Rejection> {
        let mut answered = Vec::new();
        for (key, json) in responses {
            let found = self.slots.iter().enumerate().find(|(_, slot)| slot.key == key);
            let rejection = match found {
                None => Rejection::UnknownKey(key.to_owned()),
                Some((_, Slot { answer: Some(_), .. })) => Rejection::AlreadyAnswered(key.to_owned()),
                Some((index, slot)) => {
                    answered.push((index, slot.take(json, at)?));
                    continue;
                }
            };
            if policy == RetryPolicy::Strict {
                return Err(rejection);
            }
        }
        for (index, answer) in answered {
            if let Some(slot) = self.slots.get_mut(index) {
                slot.answer = Some(answer);
            }
        }
        Ok(())
    }

    /// How many bytes of JSON may still be kept of a request that takes the place at `index`.
    pub(crate) fn room_at(&self, index: usize) -> usize {
        let others = self.slots.iter().enumerate().filter(|(place, _)| *place != index);
        let kept: usize = others.filter_map(|(_, slot)| slot.asked.json()).map(str::len).sum();
        ASKED_TOTAL.saturating_sub(kept)
    }
}

impl Slot {
    /// Takes in an answer: as it was understood, and nothing besides.
    pub(crate) fn take(&self, json: &str, at: u64) -> Result<Answer, Rejection> {
        let written = serde_json::to_string(&self.response(json)?);
        written.map(|json| Answer { response: json.into(), at }).map_err(|error| self.not_an_answer(error.to_string()))
    }

    /// Reads a response to this slot's request.
    pub(crate) fn response(&self, json: &str) -> Result<InputResponse, Rejection> {
        InputResponse::read(self.kind, json).map_err(|what| self.not_an_answer(what))
    }

    pub(crate) fn not_an_answer(&self, what: String) -> Rejection {
        Rejection::NotAnAnswer { key: self.key.clone(), method: self.kind.method(), what }
    }
}

/// What a retry may carry besides the answers to what is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RetryPolicy {
    /// Nothing: answers to what was never asked, or was answered before, are rejected, and so are answers without the
    /// state of a conversation.
    #[default]
    Strict,
    /// Anything: answers without an open request are ignored, and those that begin a conversation are matched by key once
    /// the handler asks.
    Lenient,
}
