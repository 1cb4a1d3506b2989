//! Prompts that a user may pick: their descriptors, their arguments, and what they come to.

use crate::bindings::prompts as wit;
use crate::choice::Choosable;
use crate::content::json_object;
use crate::context::Context;
use crate::error::ToolError;
use crate::icon::{self, Icon};
use crate::message::Message;
use crate::protocol_error::ProtocolError;
use crate::returns::Failing;
use crate::textual::{TextError, Texts};

/// A prompt. [`#[prompt]`](macro@crate::prompt) makes one of a function, as a type of the function's name.
#[diagnostic::on_unimplemented(message = "`{Self}` is no prompt", note = "put `#[prompt]` on a function and name that")]
pub trait Prompt {
    /// The prompt as the client sees it.
    const DESCRIPTOR: Descriptor;

    #[doc(hidden)]
    fn get(ctx: &Context, arguments: &Texts) -> Result<PromptResult, ToolError>;
}

/// A prompt as the client sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Descriptor {
    /// Its name for programs.
    pub name: &'static str,
    /// Its name for people.
    pub title: Option<&'static str>,
    /// What it does and when to pick it.
    pub description: &'static str,
    /// What it can be given.
    pub arguments: &'static [Argument],
    /// Icons that a client may show.
    pub icons: &'static [Icon],
    /// A JSON object for `_meta`.
    pub meta: Option<&'static str>,
}

/// What a prompt can be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Argument {
    /// Its name for programs.
    pub name: &'static str,
    /// Its name for people.
    pub title: Option<&'static str>,
    /// What it is for.
    pub description: Option<&'static str>,
    /// Whether it must be given.
    pub required: bool,
    /// The values that there are to choose from, where that is a fixed set. They complete what the user types.
    pub choices: &'static [Choosable],
}

impl From<Argument> for wit::PromptArgument {
    fn from(argument: Argument) -> Self {
        Self {
            name: argument.name.to_owned(),
            title: argument.title.map(str::to_owned),
            description: argument.description.map(str::to_owned),
            required: argument.required,
        }
    }
}

impl From<Descriptor> for wit::Prompt {
    fn from(prompt: Descriptor) -> Self {
        Self {
            name: prompt.name.to_owned(),
            title: prompt.title.map(str::to_owned),
            description: Some(prompt.description.to_owned()),
            arguments: prompt.arguments.iter().copied().map(Into::into).collect(),
            icons: icon::list(prompt.icons),
            meta: prompt.meta.map(str::to_owned),
        }
    }
}

/// A prompt's arguments. `#[derive(PromptArguments)]` implements it for a struct with named fields.
///
/// A field is a `String`, a number, `bool`, an enum with `#[derive(Choice)]`, or an `Option` of one of those: then it may be
/// left out. Its doc comment is the argument's description. `#[prompt(title = "…", rename = "…")]` says the rest. The values
/// of an enum complete what the user types.
///
/// ```
/// use dacapo_guest::prelude::*;
///
/// #[derive(Choice)]
/// enum Tone {
///     Formal,
///     Friendly,
/// }
///
/// #[derive(PromptArguments)]
/// struct Letter {
///     /// Whom to write to
///     #[prompt(title = "Recipient")]
///     to: String,
///     /// How to sound
///     tone: Option<Tone>,
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a prompt's arguments",
    label = "not a type of arguments",
    note = "put `#[derive(PromptArguments)]` on a struct with named fields"
)]
pub trait PromptArguments: Sized {
    /// The arguments, in the order of the fields.
    const ARGUMENTS: &'static [Argument];

    /// The value that `arguments` hold.
    ///
    /// # Errors
    /// When a required argument is missing, or one doesn't fit its type.
    fn read(arguments: &Texts) -> Result<Self, TextError>;
}

/// Reads the arguments.
///
/// # Errors
/// When they do not fit; the client is to blame then.
#[doc(hidden)]
pub fn decode<A: PromptArguments>(arguments: &Texts) -> Result<A, ToolError> {
    A::read(arguments).map_err(|error| ProtocolError::invalid_params(format!("The argument {error}.")).into())
}

/// A prompt, worked out: its messages, and what may be said of them.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptResult {
    description: Option<String>,
    messages: Vec<Message>,
    meta: Option<String>,
}

impl PromptResult {
    /// A result of these messages, in order.
    pub fn new(messages: impl IntoIterator<Item = Message>) -> Self {
        Self { description: None, messages: messages.into_iter().collect(), meta: None }
    }

    /// Its messages.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// What the prompt is for, with its arguments in mind. None by default.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The result's `_meta`. None by default.
    #[must_use]
    pub fn meta<K: Into<String>, V: Into<serde_json::Value>>(mut self, meta: impl IntoIterator<Item = (K, V)>) -> Self {
        self.meta = Some(json_object(meta));
        self
    }
}

impl From<PromptResult> for wit::PromptResult {
    fn from(result: PromptResult) -> Self {
        Self {
            description: result.description,
            messages: result.messages.into_iter().map(Into::into).collect(),
            meta: result.meta,
        }
    }
}

/// What a prompt may return: a text (one message of the user), messages, a [`PromptResult`], or a `Result` of one of those.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a prompt's result",
    label = "not a type of results",
    note = "a prompt returns `String`, `Message`, `Vec<Message>`, `PromptResult`, or a `Result` of one of those"
)]
pub trait IntoPromptResult {
    /// The result as the client sees it.
    ///
    /// # Errors
    /// When the prompt failed.
    fn into_prompt_result(self) -> Result<PromptResult, ToolError>;
}

impl IntoPromptResult for PromptResult {
    fn into_prompt_result(self) -> Result<PromptResult, ToolError> {
        Ok(self)
    }
}

impl IntoPromptResult for Vec<Message> {
    fn into_prompt_result(self) -> Result<PromptResult, ToolError> {
        Ok(PromptResult::new(self))
    }
}

impl IntoPromptResult for Message {
    fn into_prompt_result(self) -> Result<PromptResult, ToolError> {
        Ok(PromptResult::new([self]))
    }
}

impl IntoPromptResult for String {
    fn into_prompt_result(self) -> Result<PromptResult, ToolError> {
        Ok(PromptResult::new([Message::user(self)]))
    }
}

impl IntoPromptResult for &str {
    fn into_prompt_result(self) -> Result<PromptResult, ToolError> {
        Ok(PromptResult::new([Message::user(self)]))
    }
}

impl<T: IntoPromptResult, E: Failing> IntoPromptResult for Result<T, E> {
    fn into_prompt_result(self) -> Result<PromptResult, ToolError> {
        self.map_err(Into::into)?.into_prompt_result()
    }
}

/// A prompt in the table of a handler.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub(crate) descriptor: Descriptor,
    get: fn(&Context, &Texts) -> Result<PromptResult, ToolError>,
}

impl Entry {
    #[must_use]
    pub const fn of<P: Prompt>() -> Self {
        Self { descriptor: P::DESCRIPTOR, get: P::get }
    }
}

/// The prompts of a handler.
#[doc(hidden)]
#[must_use]
pub fn list(prompts: &[Entry]) -> Vec<wit::Prompt> {
    prompts.iter().map(|prompt| prompt.descriptor.into()).collect()
}

/// Works out one of them.
#[doc(hidden)]
pub fn get(prompts: &[Entry], name: &str, arguments: &Texts) -> Result<wit::PromptResult, wit::ProtocolError> {
    let Some(prompt) = prompts.iter().find(|prompt| prompt.descriptor.name == name) else {
        return Err(ProtocolError::invalid_params(format!("There is no prompt `{name}`.")).into());
    };
    match (prompt.get)(&Context::new(), arguments) {
        Ok(result) => Ok(result.into()),
        Err(error) => Err(error.into_protocol().into()),
    }
}
