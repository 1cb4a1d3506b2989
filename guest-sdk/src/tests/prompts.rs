//! Prompts as the contract has them.

use crate::bindings::dacapo::handler::content::ContentBlock;
use crate::bindings::prompts as wit;
use crate::prelude::*;
use crate::prompt::{self, Entry};

#[derive(Choice, Debug)]
enum Tone {
    Formal,
    VeryFriendly,
}

#[derive(PromptArguments)]
struct Letter {
    /// Whom to write to
    #[prompt(title = "Recipient", rename = "recipient")]
    to: String,
    tone: Option<Tone>,
    lines: Option<u8>,
}

/// Drafts a letter.
#[prompt(title = "Draft", icon = "https://example.com/a.png", meta = r#"{"a/b":1}"#)]
fn draft(Letter { to, tone, lines }: Letter, _ctx: &Context) -> Result<PromptResult> {
    if to.is_empty() {
        return Err(ToolError::new("Nobody to write to."));
    }
    let messages = [Message::user(format!("{to} {tone:?} {lines:?}")), Message::assistant("Dear …")];
    Ok(PromptResult::new(messages).description("A draft").meta([("c/d", true)]))
}

/// Says a text.
#[prompt(name = "say")]
fn text() -> &'static str {
    "Hello"
}

/// Shows a picture.
#[prompt]
fn picture() -> Message {
    Message::user(Content::image([1], "image/png"))
}

/// Refuses.
#[prompt]
fn refuse() -> Result<Vec<Message>, ProtocolError> {
    Err(ProtocolError::new(1000, "No."))
}

const PROMPTS: &[Entry] = &[Entry::of::<draft>(), Entry::of::<text>(), Entry::of::<picture>(), Entry::of::<refuse>()];

fn get(name: &str, arguments: &[(&str, &str)]) -> std::result::Result<wit::PromptResult, wit::ProtocolError> {
    let arguments: Vec<_> = arguments.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    prompt::get(PROMPTS, name, &arguments)
}

fn texts(result: &wit::PromptResult) -> Vec<(wit::Role, &str)> {
    result
        .messages
        .iter()
        .map(|message| match &message.content {
            ContentBlock::Text(block) => (message.role, block.text.as_str()),
            other => panic!("expected a text, not {other:?}"),
        })
        .collect()
}

#[test]
fn a_prompts_descriptor_says_all_that_the_author_said() {
    let prompt = prompt::list(PROMPTS).remove(0);
    assert_eq!((prompt.name.as_str(), prompt.title.as_deref()), ("draft", Some("Draft")));
    assert_eq!(prompt.description.as_deref(), Some("Drafts a letter."));
    assert_eq!(prompt.icons[0].src, "https://example.com/a.png");
    assert_eq!(prompt.meta.as_deref(), Some(r#"{"a/b":1}"#));
    let argument = |name: &str, title: Option<&str>, description: Option<&str>, required| wit::PromptArgument {
        name: name.to_owned(),
        title: title.map(str::to_owned),
        description: description.map(str::to_owned),
        required,
    };
    let expected = [
        argument("recipient", Some("Recipient"), Some("Whom to write to"), true),
        argument("tone", None, None, false),
        argument("lines", None, None, false),
    ];
    assert_eq!(prompt.arguments, expected);
}

#[test]
fn a_prompt_is_worked_out_with_its_arguments() {
    let result = get("draft", &[("recipient", "Ada"), ("tone", "very-friendly")]).unwrap();
    let expected = [(wit::Role::User, "Ada Some(VeryFriendly) None"), (wit::Role::Assistant, "Dear …")];
    assert_eq!(texts(&result), expected);
    assert_eq!((result.description.as_deref(), result.meta.as_deref()), (Some("A draft"), Some(r#"{"c/d":true}"#)));
}

#[test]
fn a_text_or_a_message_is_a_prompt_of_one_message() {
    assert_eq!(texts(&get("say", &[]).unwrap()), [(wit::Role::User, "Hello")]);
    assert_eq!(get("picture", &[]).unwrap().messages.len(), 1);
}

#[test]
fn arguments_that_do_not_fit_are_the_clients_error() {
    let refused = |arguments: &[(&str, &str)]| {
        let error = get("draft", arguments).unwrap_err();
        assert_eq!(error.code, -32602);
        error.message
    };
    assert_eq!(refused(&[]), "The argument `recipient` is missing; it is required.");
    let message = "The argument `tone` is `loud`; expected one of formal, very-friendly.";
    assert_eq!(refused(&[("recipient", "Ada"), ("tone", "loud")]), message);
    let message = "The argument `lines` is `many`; expected an integer from 0 to 255.";
    assert_eq!(refused(&[("recipient", "Ada"), ("lines", "many")]), message);
}

#[test]
fn a_prompts_failure_is_an_error_of_the_protocol() {
    let error = get("draft", &[("recipient", "")]).unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (-32603, "Nobody to write to."));
    let error = get("refuse", &[]).unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (1000, "No."));
    let error = get("none", &[]).unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (-32602, "There is no prompt `none`."));
}
