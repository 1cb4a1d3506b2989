//! What came of a script.

use std::fmt::Debug;

use dacapo_replay::Ledger;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::question::Question;
use crate::bindings::exports::dacapo::handler::tools as wit;
use crate::content::Content;
use crate::contents::ResourceContents;
use crate::message::Message;
use crate::prompt::PromptResult;
use crate::protocol_error::ProtocolError;

/// What came of a script: the result, and what the client saw on the way.
#[derive(Debug, Clone)]
pub struct Run<T> {
    pub(super) result: Result<T, ProtocolError>,
    pub(super) questions: Vec<Question>,
    pub(super) rounds: Vec<Round>,
    pub(super) ledger: Ledger,
}

/// What the client saw of one round besides its end.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Round {
    pub(super) progress: Vec<Report>,
    pub(super) announced: Vec<String>,
}

/// One report of progress.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// How far the handler has come.
    pub progress: f64,
    /// How far it has to go, where it said so.
    pub total: Option<f64>,
    /// What it said about it.
    pub message: Option<String>,
}

/// What a tool returned.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolOutcome {
    content: Vec<Content>,
    structured: Option<Value>,
    is_error: bool,
    meta: Option<Value>,
}

impl From<wit::ToolResult> for ToolOutcome {
    fn from(result: wit::ToolResult) -> Self {
        // The SDK wrote both.
        let json = |text: String| serde_json::from_str(&text).unwrap_or_default();
        Self {
            content: result.content.into_iter().map(Content::from).collect(),
            structured: result.structured_content.map(json),
            is_error: result.is_error,
            meta: result.meta.map(json),
        }
    }
}

impl<T> Run<T> {
    /// What was asked, in order.
    #[must_use]
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// How many times the handler ran: once, and once more for each round of questions.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.rounds.len()
    }

    /// The reports of progress in the last round. Each round starts anew.
    #[must_use]
    pub fn progress(&self) -> &[Report] {
        self.rounds.last().map_or(&[], |round| &round.progress)
    }

    /// The reports of progress in each round.
    pub fn progress_by_round(&self) -> impl Iterator<Item = &[Report]> {
        self.rounds.iter().map(|round| round.progress.as_slice())
    }

    /// What was announced in the last round: `resource <its URI>`, `list of tools` (or `prompts`, `resources`).
    #[must_use]
    pub fn announced(&self) -> &[String] {
        self.rounds.last().map_or(&[], |round| &round.announced)
    }

    /// The value kept by `once` under `name`; `None` if there is none.
    #[must_use]
    pub fn once(&self, name: &str) -> Option<Value> {
        let kept = self.ledger.once.iter().find(|kept| kept.name == name)?;
        serde_json::from_str(&kept.value).ok()
    }

    /// The error of the protocol that the call was refused with.
    ///
    /// # Panics
    /// Where it was served.
    #[track_caller]
    #[must_use]
    #[expect(clippy::panic, reason = "so a test fails")]
    pub fn refusal(&self) -> &ProtocolError
    where
        T: Debug,
    {
        match &self.result {
            Ok(result) => panic!("the call was served: {result:?}"),
            Err(error) => error,
        }
    }

    #[track_caller]
    #[expect(clippy::panic, reason = "so a test fails")]
    fn served(&self) -> &T {
        match &self.result {
            Ok(result) => result,
            Err(error) => panic!("the call was refused: {error}"),
        }
    }
}

impl Run<ToolOutcome> {
    #[track_caller]
    fn success(&self) -> &ToolOutcome {
        let outcome = self.served();
        assert!(!outcome.is_error, "the tool failed: {}", lines(&outcome.content));
        outcome
    }

    /// The tool's texts, a line each.
    ///
    /// # Panics
    /// Where the tool failed, or the call was refused.
    #[track_caller]
    #[must_use]
    pub fn text(&self) -> String {
        lines(&self.success().content)
    }

    /// The tool's content.
    ///
    /// # Panics
    /// Where the tool failed, or the call was refused.
    #[track_caller]
    #[must_use]
    pub fn content(&self) -> &[Content] {
        &self.success().content
    }

    /// The tool's structured content, as a value of any type that can be read from it, such as [`Value`].
    ///
    /// # Panics
    /// Where the tool failed, the call was refused, there is none, or it is of another type.
    #[track_caller]
    #[must_use]
    #[expect(clippy::panic, reason = "so a test fails")]
    pub fn structured<S: DeserializeOwned>(&self) -> S {
        let Some(value) = &self.success().structured else { panic!("the tool returned no structured content") };
        match S::deserialize(value) {
            Ok(read) => read,
            Err(error) => panic!("the structured content is {value}: {error}"),
        }
    }

    /// What the tool says to the model of its failure, the texts a line each.
    ///
    /// # Panics
    /// Where the tool did not fail, or the call was refused.
    #[track_caller]
    #[must_use]
    pub fn failure(&self) -> String {
        let outcome = self.served();
        assert!(outcome.is_error, "the tool did not fail: {}", lines(&outcome.content));
        lines(&outcome.content)
    }

    /// The result's own `_meta`; `None` if there is none.
    ///
    /// # Panics
    /// Where the call was refused.
    #[track_caller]
    #[must_use]
    pub fn meta(&self) -> Option<&Value> {
        self.served().meta.as_ref()
    }
}

impl Run<PromptResult> {
    /// The prompt's messages.
    ///
    /// # Panics
    /// Where the call was refused.
    #[track_caller]
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        self.served().messages()
    }

    /// The texts of the prompt's messages, a line each.
    ///
    /// # Panics
    /// Where the call was refused.
    #[track_caller]
    #[must_use]
    pub fn text(&self) -> String {
        lines(self.messages().iter().map(Message::content))
    }
}

impl Run<Vec<ResourceContents>> {
    /// What was read.
    ///
    /// # Panics
    /// Where the call was refused.
    #[track_caller]
    #[must_use]
    pub fn contents(&self) -> &[ResourceContents] {
        self.served()
    }

    /// The texts that were read, a line each.
    ///
    /// # Panics
    /// Where the call was refused.
    #[track_caller]
    #[must_use]
    pub fn text(&self) -> String {
        self.served().iter().filter_map(ResourceContents::as_text).collect::<Vec<_>>().join("\n")
    }
}

/// The texts among the blocks, a line each.
fn lines<'a>(content: impl IntoIterator<Item = &'a Content>) -> String {
    content.into_iter().filter_map(Content::as_text).collect::<Vec<_>>().join("\n")
}
