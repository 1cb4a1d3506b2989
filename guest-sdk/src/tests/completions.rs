//! Completions, the author's and those of choices.

use crate::bindings::completions::{self as wit, Reference};
use crate::prelude::*;
use crate::{completion, prompt, resource_template};

#[derive(Choice)]
enum Tone {
    Formal,
    Friendly,
    Sad,
}

#[derive(PromptArguments)]
#[expect(dead_code, reason = "never worked out here")]
struct Letter {
    tone: Option<Tone>,
    city: String,
    other: Option<Tone>,
}

/// Drafts a letter.
#[prompt]
fn draft(_: Letter) -> &'static str {
    ""
}

#[derive(TemplateVariables)]
#[expect(dead_code, reason = "never read here")]
struct Song {
    tone: Tone,
}

/// A song.
#[resource_template("songs://{tone}")]
fn song(_: Song) -> &'static str {
    ""
}

/// A page.
#[resource_template("pages://{number}")]
fn page() -> &'static str {
    ""
}

#[completion(prompt = "draft", argument = "city")]
fn city(resolved: &Resolved, typed: &str, _: &Context) -> Completion {
    Completion::new([format!("{typed} {:?}", resolved.get("tone"))]).total(7).has_more(true)
}

#[completion(prompt = "draft", argument = "other")]
fn other() -> Vec<String> {
    vec!["own".to_owned()]
}

#[completion(resource_template = "pages://{number}", argument = "number")]
fn number(typed: &str) -> Vec<&'static str> {
    if typed.is_empty() { vec!["1", "2"] } else { Vec::new() }
}

const COMPLETIONS: &[completion::Entry] =
    &[completion::Entry::of::<city>(), completion::Entry::of::<other>(), completion::Entry::of::<number>()];
const PROMPTS: &[prompt::Entry] = &[prompt::Entry::of::<draft>()];
const TEMPLATES: &[resource_template::Entry] =
    &[resource_template::Entry::of::<song>(), resource_template::Entry::of::<page>()];

fn complete(
    reference: &Reference,
    argument: &str,
    value: &str,
) -> std::result::Result<wit::Completion, wit::ProtocolError> {
    let resolved = vec![("tone".to_owned(), "sad".to_owned())];
    completion::complete(COMPLETIONS, PROMPTS, TEMPLATES, reference, argument, value, resolved)
}

fn prompt() -> Reference {
    Reference::Prompt("draft".to_owned())
}

fn template(template: &str) -> Reference {
    Reference::ResourceTemplate(template.to_owned())
}

#[test]
fn choices_complete_themselves() {
    let values = |reference: &Reference, value| complete(reference, "tone", value).unwrap().values;
    assert_eq!(values(&prompt(), ""), ["formal", "friendly", "sad"]);
    assert_eq!(values(&prompt(), "F"), ["formal", "friendly"]);
    assert_eq!(values(&prompt(), "x"), Vec::<String>::new());
    assert_eq!(values(&template("songs://{tone}"), "sa"), ["sad"]);
}

#[test]
fn the_authors_completion_goes_first() {
    assert_eq!(complete(&prompt(), "other", "").unwrap().values, ["own"]);
    assert_eq!(complete(&template("pages://{number}"), "number", "").unwrap().values, ["1", "2"]);
}

#[test]
fn a_completion_sees_what_was_typed_and_what_is_filled_in() {
    let expected =
        wit::Completion { values: vec!["Par Some(\"sad\")".to_owned()], total: Some(7), has_more: Some(true) };
    assert_eq!(complete(&prompt(), "city", "Par"), Ok(expected));
}

#[test]
fn what_is_not_there_is_the_clients_error() {
    let message = |reference: &Reference, argument| {
        let error = complete(reference, argument, "").unwrap_err();
        assert_eq!(error.code, -32602);
        error.message
    };
    assert_eq!(message(&Reference::Prompt("none".to_owned()), "a"), "There is no prompt `none`.");
    assert_eq!(message(&prompt(), "a"), "The prompt `draft` has no argument `a`.");
    assert_eq!(message(&template("none"), "a"), "There is no resource template `none`.");
    let expected = "The resource template `songs://{tone}` has no variable `a`.";
    assert_eq!(message(&template("songs://{tone}"), "a"), expected);
}
