//! Answers in a file: what a user would say, known beforehand.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde_json::value::RawValue;

/// The answers to a handler's questions, by the question's key. The file is one JSON object, and each member what a client
/// sends in `inputResponses`:
///
/// ```json
/// {
///   "elicit-1": {"action": "accept", "content": {"plan": "team"}},
///   "elicit-2": {"action": "decline"}
/// }
/// ```
///
/// A question without a key of its author's is `elicit-` and its place in the conversation, from 1. Parses from a file's path,
/// so that it can be the type of an option: what can't be read is a wrong command line.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    by_key: BTreeMap<String, Box<RawValue>>,
}

/// A file that holds no answers.
#[derive(Debug, thiserror::Error)]
pub(super) enum BadAnswers {
    /// It can't be read.
    #[error("can't read it: {0}")]
    File(#[from] std::io::Error),
    /// It is no JSON object.
    #[error("it is not a JSON object with an answer for each question's key: {0}")]
    NotAnObject(#[from] serde_json::Error),
    /// A member is no JSON object.
    #[error("the answer to \"{0}\" is not an object such as {{\"action\": \"accept\", \"content\": {{}}}}")]
    NotAnAnswer(String),
}

impl Answers {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// When it can't be read, or is not an object of objects. Whether each answers its question is known only once that is
    /// asked.
    pub(super) fn read(path: &Path) -> Result<Self, BadAnswers> {
        std::fs::read_to_string(path)?.as_str().try_into()
    }

    /// The answer to the question asked under `key`: JSON text.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.by_key.get(key).map(|answer| answer.get())
    }

    /// Each key with its answer: JSON text.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.by_key.iter().map(|(key, answer)| (key.as_str(), answer.get()))
    }
}

impl TryFrom<&str> for Answers {
    type Error = BadAnswers;

    fn try_from(json: &str) -> Result<Self, BadAnswers> {
        let by_key: BTreeMap<String, Box<RawValue>> = serde_json::from_str(json)?;
        match by_key.iter().find(|(_, answer)| !answer.get().starts_with('{')) {
            Some((key, _)) => Err(BadAnswers::NotAnAnswer(key.clone())),
            None => Ok(Self { by_key }),
        }
    }
}

impl FromStr for Answers {
    type Err = BadAnswers;

    fn from_str(path: &str) -> Result<Self, BadAnswers> {
        Self::read(&PathBuf::from(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_kept_as_they_were_written() {
        let answers = Answers::try_from(r#"{"b": {"action": "decline"}, "a": { "n": 1.0 }}"#).unwrap();
        assert_eq!(answers.get("a"), Some(r#"{ "n": 1.0 }"#));
        assert_eq!(answers.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(answers.get("c"), None);
    }

    #[test]
    fn what_holds_no_answers_is_refused_with_a_reason() {
        for (json, reason) in [("[]", "not a JSON object"), ("{", "not a JSON object"), (r#"{"a": 1}"#, "\"a\"")] {
            let refused = Answers::try_from(json).unwrap_err().to_string();
            assert!(refused.contains(reason), "{json}: {refused}");
        }
        assert!("/nowhere/answers.json".parse::<Answers>().unwrap_err().to_string().contains("can't read"));
    }
}
