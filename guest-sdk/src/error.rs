//! How a tool fails.

use std::fmt;

use crate::content::Content;
use crate::protocol_error::ProtocolError;

/// What a tool returns that may fail.
pub type Result<T, E = ToolError> = std::result::Result<T, E>;

/// How a tool failed. The model sees it as a result that is marked as an error.
///
/// Any [`std::error::Error`] turns into one by `?`. Its text is the error's, followed by those of its causes.
#[derive(Debug)]
pub struct ToolError(Failure);

#[derive(Debug)]
pub(crate) enum Failure {
    /// The tool failed at its work.
    Work(Vec<Content>),
    /// The request was wrong.
    Request(ProtocolError),
}

impl ToolError {
    /// A failure with a text for the model: what went wrong, and what to do about it.
    pub fn new(message: impl Into<String>) -> Self {
        Self(Failure::Work(vec![Content::text(message)]))
    }

    /// A failure with content blocks for the model.
    pub fn with_content(content: impl IntoIterator<Item = Content>) -> Self {
        Self(Failure::Work(content.into_iter().collect()))
    }

    pub(crate) fn into_failure(self) -> Failure {
        self.0
    }
}

// Not `std::error::Error`: every type with that trait turns into a `ToolError`, which this one does by being one.
impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Failure::Request(error) => error.fmt(f),
            Failure::Work(content) => {
                let texts: Vec<&str> = content.iter().filter_map(Content::as_text).collect();
                f.write_str(&texts.join("\n"))
            }
        }
    }
}

impl<E: std::error::Error> From<E> for ToolError {
    fn from(error: E) -> Self {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            let reason = error.to_string();
            // Some errors tell their cause in their own text.
            if !text.contains(&reason) {
                text = format!("{text}: {reason}");
            }
            cause = error.source();
        }
        Self::new(text)
    }
}

impl From<ProtocolError> for ToolError {
    fn from(error: ProtocolError) -> Self {
        Self(Failure::Request(error))
    }
}
