//! A tool that asks one question.
//!
//! It shows a form, the three things that a user can do with one, and a structured result. The tool reads like a function
//! that waits; in truth it runs twice, and the second run finds the answer at hand.

use dacapo_guest::prelude::*;

/// Your details.
#[derive(Form)]
struct Details {
    /// Your name
    #[form(min_length = 1, max_length = 100)]
    name: String,
    /// Email address
    #[form(format = "email")]
    email: String,
}

/// What came of it.
#[derive(Serialize, JsonSchema)]
struct Welcome {
    /// A sentence for the user
    message: String,
    /// Who is on board now; missing if the user did not want to be
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<User>,
    /// Whether the user declined or dismissed the form
    cancelled: bool,
}

/// A user who is on board.
#[derive(Serialize, JsonSchema)]
struct User {
    /// Their name
    name: String,
    /// Their email address
    email: String,
}

impl Welcome {
    fn to(Details { name, email }: Details) -> Self {
        Self { message: format!("Welcome on board, {name}!"), user: Some(User { name, email }), cancelled: false }
    }

    fn cancelled() -> Self {
        Self { message: "Nobody was onboarded.".to_owned(), user: None, cancelled: true }
    }
}

/// Onboards a new user. Asks the user for a name and an email address.
#[tool(title = "Onboard a user", destructive = false)]
fn onboard(ctx: &Context) -> Result<Welcome> {
    match ctx.elicit::<Details>("Please enter your details") {
        Reply::Accept(details) => Ok(Welcome::to(details)),
        Reply::Decline | Reply::Cancel => Ok(Welcome::cancelled()),
    }
}

dacapo_guest::handlers! { tools: [onboard] }
