//! Prompts: a text, arguments, blocks of content, and a question on the way. And a completion.

use dacapo_guest::prelude::*;

use crate::samples::{PIXEL, PNG};

/// A prompt without arguments.
#[prompt(name = "test_simple_prompt", title = "A simple prompt")]
pub(crate) fn simple() -> &'static str {
    "This is a simple prompt for testing."
}

/// What the prompt is given.
#[derive(PromptArguments)]
pub(crate) struct Pair {
    /// The first argument
    arg1: String,
    /// The second argument
    arg2: String,
}

/// A prompt with two arguments.
#[prompt(name = "test_prompt_with_arguments")]
pub(crate) fn with_arguments(Pair { arg1, arg2 }: Pair) -> String {
    format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
}

/// Suggests values for the first argument while the user types.
#[completion(prompt = "test_prompt_with_arguments", argument = "arg1")]
pub(crate) fn first_argument(typed: &str) -> Vec<&'static str> {
    ["paris", "park", "party"].into_iter().filter(|value| value.starts_with(typed)).collect()
}

/// Which resource to talk about.
#[derive(PromptArguments)]
pub(crate) struct About {
    /// The resource's URI
    #[prompt(title = "Resource", rename = "resourceUri")]
    uri: String,
}

/// A prompt that carries a resource along.
#[prompt(name = "test_prompt_with_embedded_resource")]
pub(crate) fn with_embedded_resource(About { uri }: About) -> PromptResult {
    let description = format!("Talks about {uri}");
    let resource = Content::resource_text(uri, "text/plain", "Embedded resource content for testing.");
    PromptResult::new([Message::user(resource), Message::user("Please work on the resource above.")])
        .description(description)
}

/// A prompt with a picture.
#[prompt(name = "test_prompt_with_image")]
pub(crate) fn with_image() -> Vec<Message> {
    vec![Message::user(Content::image(PIXEL, PNG)), Message::user("Please describe the picture above.")]
}

/// What the prompt should know.
#[derive(Form)]
struct Topic {
    /// What the prompt is to be about
    context: String,
}

/// A prompt that asks its user first.
#[prompt(name = "test_input_required_result_prompt")]
pub(crate) fn with_question(ctx: &Context) -> Result<String> {
    let reply = ctx.elicit_as("user_context", "What is the prompt to be about?");
    let Topic { context } = reply.accepted().ok_or_else(|| ToolError::new("The user did not say what it is about."))?;
    Ok(format!("Please write about {context}."))
}
