//! How a tool, a prompt or a resource fails.

use std::fmt;

use crate::content::Content;
use crate::protocol_error::ProtocolError;

/// What a tool, a prompt or a resource returns that may fail.
pub type Result<T, E = ToolError> = std::result::Result<T, E>;

/// How a tool, a prompt or a resource failed.
///
/// The model sees a tool's failure as a result that is marked as an error. Prompts and resources have no such results: there
/// it becomes the protocol's error for a fault (-32603), with the same text.
///
/// Any [`std::error::Error`] turns into one by `?`, an `anyhow::Error` and its like do, and so does a text. What is said is the
/// error's text, followed by those of its causes.
#[derive(Debug)]
pub struct ToolError(Failure);

#[derive(Debug)]
pub(crate) enum Failure {
    /// The tool failed at its work.
    Work(Vec<Content>),
    /// The request was wrong.
    Request(ProtocolError),
    /// The resource is not there.
    NotFound,
}

/// What is said where the protocol has no error of its own for it.
const NOT_FOUND: &str = "There is no such resource.";

impl Failure {
    /// The same as an error of the protocol.
    pub(crate) fn into_protocol(self) -> ProtocolError {
        match self {
            Self::Work(content) => ProtocolError::internal(text(&content)),
            Self::Request(error) => error,
            Self::NotFound => ProtocolError::invalid_params(NOT_FOUND),
        }
    }

    /// The same as content for the model.
    ///
    /// # Errors
    /// When it is an error of the protocol.
    pub(crate) fn into_content(self) -> Result<Vec<Content>, ProtocolError> {
        match self {
            Self::Work(content) => Ok(content),
            Self::Request(error) => Err(error),
            Self::NotFound => Ok(vec![Content::text(NOT_FOUND)]),
        }
    }
}

/// The texts among the blocks, a line each.
fn text(content: &[Content]) -> String {
    content.iter().filter_map(Content::as_text).collect::<Vec<_>>().join("\n")
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

    pub(crate) const fn not_found() -> Self {
        Self(Failure::NotFound)
    }

    pub(crate) fn into_protocol(self) -> ProtocolError {
        self.0.into_protocol()
    }

    pub(crate) fn into_failure(self) -> Failure {
        self.0
    }
}

// Not `std::error::Error`: every type with that trait turns into a `ToolError`, and this one is one already.
impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Failure::Request(error) => error.fmt(f),
            Failure::Work(content) => f.write_str(&text(content)),
            Failure::NotFound => f.write_str(NOT_FOUND),
        }
    }
}

impl<E: Into<Box<dyn std::error::Error>>> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self::new(chain(error.into().as_ref()))
    }
}

/// What an error says, and its causes after it.
fn chain(error: &dyn std::error::Error) -> String {
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
    text
}

impl From<ProtocolError> for ToolError {
    fn from(error: ProtocolError) -> Self {
        Self(Failure::Request(error))
    }
}
