//! Sends its user to a page, and asks two things at once under keys of its own.

use dacapo_guest::prelude::*;

/// Where the user is sent.
const PAGE: &str = "https://pay.example.org/checkout?order=42";

/// What a tool is told: what was accepted, or what the user did instead.
fn told<T>(reply: Reply<T>, say: impl FnOnce(T) -> String) -> String {
    match reply {
        Reply::Accept(value) => say(value),
        Reply::Decline => "declined".to_owned(),
        Reply::Cancel => "cancelled".to_owned(),
    }
}

/// Sends the user to a page, and says what the user did.
#[tool]
fn visit(ctx: &Context) -> String {
    told(ctx.elicit_url("Please pay for your order", PAGE), |()| "accepted".to_owned())
}

/// Sends the user to a page and asks something, both in one round trip, and says what came of each.
#[tool]
fn visit_and_tell(ctx: &Context) -> String {
    let (page, name) = ctx.elicit_all((Ask::url("Please look", PAGE).key("page"), name()));
    format!("{}, {}", told(page, |()| "accepted".to_owned()), told(name, |Name { name }| name))
}

/// Who the user is.
#[derive(Form)]
struct Name {
    /// Your name
    name: String,
}

/// What the user likes.
#[derive(Form)]
struct Color {
    /// Your favourite colour
    color: String,
}

fn name() -> Ask<Name> {
    Ask::form("What is your name?").key("name")
}

/// Asks for a name and a colour, both in one round trip, and says what came of each.
#[tool]
fn survey(ctx: &Context) -> String {
    let (name, color) = ctx.elicit_all((name(), Ask::<Color>::form("What is your favourite colour?").key("color")));
    format!("{}, {}", told(name, |Name { name }| name), told(color, |Color { color }| color))
}

dacapo_guest::handlers! { tools: [visit, visit_and_tell, survey] }
