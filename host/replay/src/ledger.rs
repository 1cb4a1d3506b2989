//! The journal of a conversation.

use serde::{Deserialize, Serialize};

use crate::fingerprint::Fingerprint;
use crate::question::QuestionKinds;
use crate::reply::ElicitResult;

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
    pub askable: QuestionKinds,
}

/// One question, and its answer once there is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slot {
    /// The name under which the client knows the question.
    pub key: String,
    /// Which question was asked.
    pub fingerprint: Fingerprint,
    /// The answer, and when it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
}

/// An answer in the ledger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// What the client sent.
    pub response: ElicitResult,
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
    #[error("inputResponses key \"{key}\" is not an answer to elicitation/create: {what}")]
    NotAnElicitResult {
        /// The question's key.
        key: String,
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

    /// Takes in the answers of one round; `at` is the reading of the clock.
    ///
    /// # Errors
    ///
    /// The first answer that has no open question, or is not an answer to one. Nothing is taken in then.
    pub fn answer<'a>(
        &mut self,
        responses: impl IntoIterator<Item = (&'a str, &'a str)>,
        at: u64,
    ) -> Result<(), Rejection> {
        let mut answered = Vec::new();
        for (key, json) in responses {
            let (index, slot) = self
                .slots
                .iter()
                .enumerate()
                .find(|(_, slot)| slot.key == key)
                .ok_or_else(|| Rejection::UnknownKey(key.to_owned()))?;
            if slot.answer.is_some() {
                return Err(Rejection::AlreadyAnswered(key.to_owned()));
            }
            let response = serde_json::from_str(json)
                .map_err(|error| Rejection::NotAnElicitResult { key: key.to_owned(), what: error.to_string() })?;
            answered.push((index, Answer { response, at }));
        }
        for (index, answer) in answered {
            if let Some(slot) = self.slots.get_mut(index) {
                slot.answer = Some(answer);
            }
        }
        Ok(())
    }
}
