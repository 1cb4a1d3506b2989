//! The journal of a conversation.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::fingerprint::Fingerprint;
use crate::reply::{InputResponse, ResponseKind};
use crate::request::Askable;

/// How many bytes of a question's JSON are kept in its slot; of a longer one, the fingerprint alone.
pub const ASKED_LIMIT: usize = 2 << 10;
/// How many bytes of all questions' JSON are kept, so that explanations leave a token room for what it is there for.
pub const ASKED_TOTAL: usize = 8 << 10;

/// All that a conversation remembers between two rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ledger {
    /// How the conversation began.
    pub opening: Opening,
    /// The questions, by ordinal.
    pub slots: Vec<Slot>,
    /// The values kept by `once`, in the order in which they came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub once: Vec<Kept>,
}

/// What every attempt of a conversation starts from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Opening {
    /// The clock's reading, in nanoseconds since the Unix epoch.
    pub started: u64,
    /// The seed of the conversation's randomness.
    #[serde(with = "hex::serde")]
    pub seed: [u8; 32],
    /// The protocol revision that the client spoke.
    pub protocol_version: String,
    /// What the client said that it can be asked.
    pub askable: Askable,
}

/// One question, and its answer once there is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slot {
    /// The name under which the client knows the question.
    pub key: String,
    /// What was asked for.
    pub kind: ResponseKind,
    /// Which request it was.
    pub fingerprint: Fingerprint,
    /// The request itself, to explain a replay that asks another; nothing where it was too long to keep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Recorded>,
    /// The answer, and when it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
}

/// A request's JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Recorded(Box<RawValue>);

impl Recorded {
    /// A request's JSON, unless it is longer than what is kept of one.
    pub(crate) fn of(json: Box<RawValue>) -> Option<Self> {
        (json.get().len() <= ASKED_LIMIT).then_some(Self(json))
    }

    /// The JSON.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.get()
    }
}

impl PartialEq for Recorded {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

/// An answer in the ledger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// What the client sent.
    pub response: InputResponse,
    /// The clock's reading when it came, in nanoseconds since the Unix epoch.
    pub at: u64,
}

/// A value kept by `once`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
#[serde(rename_all = "camelCase")]
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
                    let response = slot.read(json)?;
                    answered.push((index, Answer { response, at }));
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
}

impl Ledger {
    /// Bytes of the questions' JSON that is kept.
    pub(crate) fn asked_bytes(&self) -> usize {
        self.slots.iter().filter_map(|slot| slot.asked.as_ref()).map(|asked| asked.text().len()).sum()
    }
}

impl Slot {
    /// Reads a response to this slot's request.
    pub(crate) fn read(&self, json: &str) -> Result<InputResponse, Rejection> {
        InputResponse::read(self.kind, json).map_err(|what| Rejection::NotAnAnswer {
            key: self.key.clone(),
            method: self.kind.method(),
            what,
        })
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
