//! Suggestions while a user types an argument of a prompt or a variable of a resource template.

use crate::bindings::completions as wit;
use crate::choice::Choosable;
use crate::context::Context;
use crate::prompt;
use crate::protocol_error::ProtocolError;
use crate::resource_template;

/// Suggestions, the best ones first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Completion {
    values: Vec<String>,
    total: Option<u32>,
    has_more: Option<bool>,
}

impl Completion {
    /// These suggestions, the best ones first. The client gets the first 100.
    pub fn new<V: Into<String>>(values: impl IntoIterator<Item = V>) -> Self {
        Self { values: values.into_iter().map(Into::into).collect(), total: None, has_more: None }
    }

    /// How many there are in all. Nothing is said by default.
    #[must_use]
    pub const fn total(mut self, total: u32) -> Self {
        self.total = Some(total);
        self
    }

    /// Whether there are more than are given. Nothing is said by default.
    #[must_use]
    pub const fn has_more(mut self, has_more: bool) -> Self {
        self.has_more = Some(has_more);
        self
    }
}

impl From<Completion> for wit::Completion {
    fn from(completion: Completion) -> Self {
        let Completion { values, total, has_more } = completion;
        Self { values, total, has_more }
    }
}

/// The arguments that are filled in already, by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resolved(Vec<(String, String)>);

impl Resolved {
    /// The argument of this name; `None` if it is not filled in.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// What a client asks suggestions for.
#[derive(Debug)]
pub struct Query<'a> {
    ctx: &'a Context,
    value: &'a str,
    resolved: &'a Resolved,
}

/// What a completion may take: what was typed (`&str`), the arguments filled in (`&Resolved`), and `&Context`.
#[diagnostic::on_unimplemented(
    message = "a completion can't take `{Self}`",
    label = "not a type that a completion takes",
    note = "a completion takes what was typed (`&str`), the arguments filled in (`&Resolved`) and `&Context`, in any order"
)]
pub trait Input<'a> {
    #[doc(hidden)]
    fn of(query: &Query<'a>) -> Self;
}

impl<'a> Input<'a> for &'a str {
    fn of(query: &Query<'a>) -> Self {
        query.value
    }
}

impl<'a> Input<'a> for &'a Resolved {
    fn of(query: &Query<'a>) -> Self {
        query.resolved
    }
}

impl<'a> Input<'a> for &'a Context {
    fn of(query: &Query<'a>) -> Self {
        query.ctx
    }
}

/// What a completion may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be suggestions",
    label = "not a type of suggestions",
    note = "a completion returns `Vec<String>`, `Vec<&'static str>` or a `Completion`"
)]
pub trait IntoCompletion {
    /// The suggestions.
    fn into_completion(self) -> Completion;
}

impl IntoCompletion for Completion {
    fn into_completion(self) -> Completion {
        self
    }
}

impl IntoCompletion for Vec<String> {
    fn into_completion(self) -> Completion {
        Completion::new(self)
    }
}

impl IntoCompletion for Vec<&str> {
    fn into_completion(self) -> Completion {
        Completion::new(self)
    }
}

/// What is being filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// The prompt of this name.
    Prompt(&'static str),
    /// The resource template of this form.
    ResourceTemplate(&'static str),
}

impl Reference {
    fn is(self, reference: &wit::Reference) -> bool {
        match (self, reference) {
            (Self::Prompt(own), wit::Reference::Prompt(name)) => own == name,
            (Self::ResourceTemplate(own), wit::Reference::ResourceTemplate(template)) => own == template,
            _ => false,
        }
    }
}

/// A completion. [`#[completion]`](macro@crate::completion) makes one of a function, as a type of the function's name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no completion",
    note = "put `#[completion(prompt = \"its name\", argument = \"…\")]` on a function and name that"
)]
pub trait Completer {
    /// What it is for.
    const REFERENCE: Reference;

    /// The argument or variable that it completes.
    const ARGUMENT: &'static str;

    #[doc(hidden)]
    fn complete(query: &Query<'_>) -> Completion;
}

/// A completion in the table of a handler.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub(crate) reference: Reference,
    pub(crate) argument: &'static str,
    complete: fn(&Query<'_>) -> Completion,
}

impl Entry {
    #[must_use]
    pub const fn of<C: Completer>() -> Self {
        Self { reference: C::REFERENCE, argument: C::ARGUMENT, complete: C::complete }
    }
}

/// The choices of an argument or variable, where it is there at all.
fn choices(
    prompts: &[prompt::Entry],
    templates: &[resource_template::Entry],
    reference: &wit::Reference,
    argument: &str,
) -> Result<&'static [Choosable], ProtocolError> {
    let (found, what) = match reference {
        wit::Reference::Prompt(name) => {
            let Some(prompt) = prompts.iter().find(|prompt| prompt.descriptor.name == name) else {
                return Err(ProtocolError::invalid_params(format!("There is no prompt `{name}`.")));
            };
            let arguments = prompt.descriptor.arguments.iter().find(|known| known.name == argument);
            (arguments.map(|argument| argument.choices), format!("The prompt `{name}` has no argument"))
        }
        wit::Reference::ResourceTemplate(uri) => {
            let Some(template) = templates.iter().find(|template| template.descriptor.uri_template == uri) else {
                return Err(ProtocolError::invalid_params(format!("There is no resource template `{uri}`.")));
            };
            (template.variable(argument), format!("The resource template `{uri}` has no variable"))
        }
    };
    found.ok_or_else(|| ProtocolError::invalid_params(format!("{what} `{argument}`.")))
}

/// The values that start with what was typed, whatever its case.
fn starting_with(choices: &[Choosable], typed: &str) -> Completion {
    let typed = typed.to_lowercase();
    Completion::new(choices.iter().map(|choice| choice.value).filter(|value| value.to_lowercase().starts_with(&typed)))
}

/// Suggests values for `argument`: by the author's completion where there is one, else by the choices of its type.
#[doc(hidden)]
pub fn complete(
    completions: &[Entry],
    prompts: &[prompt::Entry],
    templates: &[resource_template::Entry],
    reference: &wit::Reference,
    argument: &str,
    value: &str,
    resolved: Vec<(String, String)>,
) -> Result<wit::Completion, wit::ProtocolError> {
    let own = completions.iter().find(|own| own.argument == argument && own.reference.is(reference));
    let completion = if let Some(own) = own {
        (own.complete)(&Query { ctx: &Context::new(), value, resolved: &Resolved(resolved) })
    } else {
        starting_with(choices(prompts, templates, reference, argument)?, value)
    };
    Ok(completion.into())
}
