//! Questions to the user. A tool reads like a function that waits; what comes of a question is a value like any other.

use dacapo_guest::prelude::*;

/// Who the user is.
#[derive(Form)]
pub(crate) struct Name {
    /// Your name
    pub(crate) name: String,
}

/// What the user likes.
#[derive(Form)]
struct Color {
    /// Your favourite colour
    color: String,
}

/// Whether to go on.
#[derive(Form)]
pub(crate) struct Confirmation {
    /// Whether all is well
    pub(crate) ok: bool,
}

/// What is said where the user declines or dismisses a question.
pub(crate) fn declined() -> ToolError {
    ToolError::new("The user did not want to answer.")
}

/// Asks for the user's name, and greets.
#[tool(name = "test_input_required_result_elicitation")]
pub(crate) fn elicitation(ctx: &Context) -> Result<String> {
    // A key of its own: clients see the question under it.
    let Name { name } = ctx.elicit_as("user_name", "What is your name?").accepted().ok_or_else(declined)?;
    Ok(format!("Hello, {name}!"))
}

/// Asks for a confirmation. The state that travels with the question comes back with the answer.
#[tool(name = "test_input_required_result_request_state")]
pub(crate) fn request_state(ctx: &Context) -> Result<String> {
    // Kept in the state: worked out on the first run, and given back on the second.
    let kept: String = ctx.once("state", || "state-ok".to_owned())?;
    let Confirmation { ok } = ctx.elicit_as("confirm", "Please confirm").accepted().ok_or_else(declined)?;
    Ok(format!("{kept}, confirmed: {ok}"))
}

/// Asks two questions, one after the other; the second depends on the first.
#[tool(name = "test_input_required_result_multi_round")]
pub(crate) fn multi_round(ctx: &Context) -> Result<String> {
    let Name { name } = ctx.elicit_as("step1", "Step 1: What is your name?").accepted().ok_or_else(declined)?;
    let message = format!("Step 2: What is your favourite colour, {name}?");
    let Color { color } = ctx.elicit_as("step2", message).accepted().ok_or_else(declined)?;
    Ok(format!("{name} likes {color}."))
}

/// Asks for a confirmation. A client that changes the state on the way is refused, before this tool runs.
#[tool(name = "test_input_required_result_tampered_state")]
pub(crate) fn tampered_state(ctx: &Context) -> Result<String> {
    let Confirmation { ok } = ctx.elicit_as("confirm", "Please confirm").accepted().ok_or_else(declined)?;
    Ok(format!("Confirmed: {ok}"))
}

/// Asks two questions at once, each under a key of its own, and wants both answered.
#[tool(name = "test_several_questions")]
pub(crate) fn several_questions(ctx: &Context) -> Result<String> {
    let (name, color) = ctx.elicit_all((
        Ask::<Name>::form("What is your name?").key("name"),
        Ask::<Color>::form("What is your favourite colour?").key("color"),
    ));
    let Name { name } = name.accepted().ok_or_else(declined)?;
    let Color { color } = color.accepted().ok_or_else(declined)?;
    Ok(format!("{name} likes {color}."))
}

/// Asks the user to visit a page, and says what came of it.
#[tool(name = "test_url_elicitation")]
pub(crate) fn url(ctx: &Context) -> &'static str {
    match ctx.elicit_url("Please set your API key on this page.", "https://example.com/api-key") {
        // What the user did there is between them and the page.
        Reply::Accept(()) => "The user agreed to visit the page.",
        Reply::Decline => "The user declined to visit the page.",
        Reply::Cancel => "The user dismissed the question.",
    }
}
