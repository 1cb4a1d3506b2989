//! How a request is refused.

use std::fmt;

use serde::Serialize;

use crate::bindings::dacapo::handler::content as wit;

/// An error of the protocol: the request as such was wrong, or the tool can't serve it.
///
/// A tool that merely failed at its work returns a [`ToolError`](crate::ToolError) with a text instead, so that the model
/// can see it. A `ProtocolError` turns into a `ToolError` by `?` or `into`, and stays what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtocolError {
    code: i32,
    message: String,
    data: Option<String>,
}

impl ProtocolError {
    /// An error with a code of the tool's own, outside of -32768 to -32000, or one of the two below. The host answers any
    /// other code with -32603. `message` is one sentence for the client.
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// The error for arguments that make no sense (-32602).
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(-32602, message)
    }

    /// The error for a fault within the tool (-32603).
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(-32603, message)
    }

    /// Its code.
    #[must_use]
    pub const fn code(&self) -> i32 {
        self.code
    }

    /// What it says.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Adds data for the client.
    ///
    /// # Errors
    /// When `data` can't be written as JSON.
    pub fn with_data(mut self, data: &impl Serialize) -> Result<Self, serde_json::Error> {
        self.data = Some(serde_json::to_string(data)?);
        Ok(self)
    }
}

impl fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl From<ProtocolError> for wit::ProtocolError {
    fn from(error: ProtocolError) -> Self {
        Self { code: error.code, message: error.message, data: error.data }
    }
}
