//! Prompts and their results.

use serde::Serialize;
use serde_json::value::RawValue;

use super::content::{ContentBlock, Icon, Role};
use super::result::Meta;

/// A prompt, as `prompts/list` shows it.
#[derive(Debug, Serialize)]
pub struct Prompt {
    /// Its name, unique in the host.
    pub name: String,
    /// Its name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it can be given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<PromptArgument>,
    /// Icons that a client may show.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// The descriptor's `_meta`.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Box<RawValue>>,
}

/// What a prompt can be given.
#[derive(Debug, Serialize)]
pub struct PromptArgument {
    /// Its name.
    pub name: String,
    /// Its name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it must be given.
    pub required: bool,
}

/// A prompt, worked out.
#[derive(Debug, Serialize)]
pub struct GetPromptResult {
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The messages, in order.
    pub messages: Vec<PromptMessage>,
    /// The result's `_meta`, as the handler gave it.
    #[serde(skip)]
    pub meta: Meta,
}

/// One message of a prompt.
#[derive(Debug, Serialize)]
pub struct PromptMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: ContentBlock,
}
