//! A form with a field of each kind, and a tool that fails after its question.

use dacapo_guest::prelude::*;

/// A size.
#[derive(Choice, Serialize)]
#[serde(rename_all = "lowercase")]
enum Size {
    /// Small, without a lid
    Small,
    /// Large, with a lid
    Large,
}

/// A colour, without a title.
#[derive(Choice, Serialize)]
#[serde(rename_all = "lowercase")]
enum Colour {
    Red,
    Green,
    Blue,
}

/// A field of each kind.
#[derive(Form, Serialize)]
struct Everything {
    /// Your name
    #[form(title = "Name", min_length = 2, max_length = 8)]
    name: String,
    #[form(format = "email")]
    email: String,
    #[form(format = "uri")]
    site: String,
    #[form(format = "date")]
    day: String,
    #[form(format = "date-time")]
    moment: String,
    #[form(min = 1, max = 12, default = 3)]
    cups: u8,
    #[form(min = 0.5)]
    share: f64,
    /// Whether it is sure
    #[form(default = false)]
    sure: bool,
    size: Size,
    colour: Colour,
    #[form(min_items = 1, max_items = 2)]
    colours: Vec<Colour>,
    /// Anything else?
    note: Option<String>,
    maybe: Option<bool>,
}

/// Asks for everything, and says what came.
#[tool]
fn fill(ctx: &Context) -> String {
    match ctx.elicit_as::<Everything>("everything", "Please fill in\u{1b}[31m everything") {
        Reply::Accept(everything) => serde_json::to_string(&everything).unwrap_or_default(),
        Reply::Decline => "declined".to_owned(),
        Reply::Cancel => "cancelled".to_owned(),
    }
}

/// Whether to go on.
#[derive(Form)]
struct Consent {
    /// Yes
    sure: bool,
}

/// Asks, keeps a value, writes a line, and fails unless told not to.
#[tool]
#[expect(clippy::panic, reason = "that it fails is what it is for")]
fn fail(ctx: &Context) -> Result<String> {
    let kept: String = ctx.once("receipt", || "r-17".to_owned())?;
    println!("kept {kept}");
    match ctx.elicit("Shall it fail?") {
        Reply::Accept(Consent { sure: false }) => Ok("It does not fail.".to_owned()),
        _ => panic!("it fails, as it was told"),
    }
}

dacapo_guest::handlers! { tools: [fill, fail] }
