//! Messages of a prompt.

use crate::bindings::prompts as wit;
use crate::content::{Content, Role};

/// One message of a prompt: who speaks, and one block of content.
///
/// ```
/// use dacapo_guest::prelude::*;
///
/// let messages = vec![
///     Message::user("What is on this picture?"),
///     Message::user(Content::image([0x89, 0x50], "image/png")),
///     Message::assistant("A mountain."),
/// ];
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    role: Role,
    content: Content,
}

impl Message {
    /// A message of the user: a text, or any [`Content`].
    pub fn user(content: impl Into<Content>) -> Self {
        Self { role: Role::User, content: content.into() }
    }

    /// A message of the assistant: a text, or any [`Content`].
    pub fn assistant(content: impl Into<Content>) -> Self {
        Self { role: Role::Assistant, content: content.into() }
    }

    /// Who speaks.
    #[must_use]
    pub const fn role(&self) -> Role {
        self.role
    }

    /// What is said.
    #[must_use]
    pub const fn content(&self) -> &Content {
        &self.content
    }
}

impl From<Message> for wit::PromptMessage {
    fn from(message: Message) -> Self {
        Self { role: message.role.into(), content: message.content.into() }
    }
}
