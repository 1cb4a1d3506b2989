//! Handlers under test: run natively, with answers from a script, in an ordinary `cargo test`.
//!
//! A question without an answer ends the run, and the handler is run again from the top with the answer, as on the host: the
//! core that keeps the journal of a conversation is the host's own. So a test sees what a client sees, the second run of
//! what stands before a question included.
//!
//! ```
//! use dacapo_guest::prelude::*;
//! use dacapo_guest::testing::{self, accept, decline, json};
//!
//! /// What to transfer.
//! #[derive(Deserialize, JsonSchema)]
//! struct Transfer {
//!     amount: u32,
//! }
//!
//! /// The user's word.
//! #[derive(Form)]
//! struct Consent {
//!     /// Yes, transfer it
//!     sure: bool,
//! }
//!
//! /// Transfers money, once the user has agreed.
//! #[tool]
//! fn transfer(ctx: &Context, Transfer { amount }: Transfer) -> String {
//!     match ctx.elicit::<Consent>(format!("Transfer {amount} cents?")) {
//!         Reply::Accept(Consent { sure: true }) => format!("{amount} cents are on their way."),
//!         _ => "Nothing was transferred.".to_owned(),
//!     }
//! }
//!
//! let transfer = testing::call::<transfer>().with(json!({"amount": 1000}));
//! let run = transfer.clone().answer("elicit-1", accept(json!({"sure": true}))).assert_faithful();
//! assert_eq!(run.questions()[0].message(), "Transfer 1000 cents?");
//! assert_eq!(run.text(), "1000 cents are on their way.");
//!
//! assert_eq!(transfer.answer("elicit-1", decline()).run().text(), "Nothing was transferred.");
//! ```
//!
//! # What is not as on the host
//!
//! - Clocks and randomness are the machine's own, and differ from run to run. A handler that puts them into a question
//!   diverges here, though not on the host; keep them by [`Context::once`](crate::Context::once).
//! - The handler ends at a question by unwinding, so destructors run; a component is gone at once. One that catches panics
//!   around a question is told not to.
//! - All runs share one process: a `static` keeps its value from one to the next, while each run of a component starts
//!   afresh. [`assert_faithful`](Script::assert_faithful) finds handlers that build on that.
//! - Arguments are read by the handler's own types; the host checks them against the schema before.
//! - There are no limits on time and memory.
//!
//! # Layout
//!
//! - [`call`], [`get`], [`read`], [`read_at`]: a script for a tool, a prompt, a resource, a resource by its template, here
//! - [`accept`], [`decline`], [`cancel`]: answers, here
//! - [`Script`]: what is called, and what the user answers, in `script.rs`
//! - [`Run`]: what came of it, in `run.rs`
//! - [`Question`]: a question as it was asked, in `question.rs`
//! - [`ScriptError`]: why a script does not play, in `error.rs`
//! - `session.rs`: the contract's imports, by the thread that runs a script; `convert.rs`: between its types and the core's

mod convert;
mod error;
mod question;
mod run;
mod script;
pub(crate) mod session;

pub use serde_json::{Value, json};

pub use error::ScriptError;
pub use question::Question;
pub use run::{Report, Run, ToolOutcome};
pub use script::Script;

use crate::contents::ResourceContents;
use crate::context::Context;
use crate::error::ToolError;
use crate::prompt::{Prompt, PromptResult};
use crate::resource::Resource;
use crate::resource_template::ResourceTemplate;
use crate::returns::outcome;
use crate::template;
use crate::tool::Tool;

/// A script that calls the tool `T`, without arguments until [`with`](Script::with) gives some.
pub fn call<T: Tool>() -> Script<ToolOutcome> {
    Script::new(T::NAME, |arguments| outcome(T::call(&Context::new(), &arguments.to_string())).map(ToolOutcome::from))
}

/// A script that gets the prompt `P`, without arguments until [`with`](Script::with) gives some.
pub fn get<P: Prompt>() -> Script<PromptResult> {
    Script::new(P::DESCRIPTOR.name, |arguments| {
        P::get(&Context::new(), &texts(arguments)).map_err(ToolError::into_protocol)
    })
}

/// A script that reads the resource `R`.
pub fn read<R: Resource>() -> Script<Vec<ResourceContents>> {
    let descriptor = R::DESCRIPTOR;
    Script::new(descriptor.uri, move |_| filled(R::read(&Context::new()), descriptor.uri, descriptor.mime_type))
}

/// A script that reads the resource at `uri`, which fits the template `T` or not.
pub fn read_at<T: ResourceTemplate>(uri: impl Into<String>) -> Script<Vec<ResourceContents>> {
    let (uri, descriptor) = (uri.into(), T::DESCRIPTOR);
    Script::new(uri.clone(), move |_| {
        let read = match template::values(descriptor.parts, &uri) {
            Some(values) => T::read(&Context::new(), &values),
            None => Err(ToolError::not_found()),
        };
        filled(read, &uri, descriptor.mime_type)
    })
}

/// The user fills in the form with `content`, a JSON object. For a page to visit: `accept(json!({}))`.
#[must_use]
#[expect(clippy::needless_pass_by_value, reason = "what `json!` makes is handed on most shortly by value")]
pub fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

/// The user says no.
#[must_use]
pub fn decline() -> Value {
    json!({ "action": "decline" })
}

/// The user dismisses the question.
#[must_use]
pub fn cancel() -> Value {
    json!({ "action": "cancel" })
}

/// The members of a JSON object, as a prompt's arguments come over the wire. Those that are no texts are written as JSON.
fn texts(arguments: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    arguments.as_object().into_iter().flatten().map(|(name, value)| (name.clone(), text(value))).collect()
}

/// What was read, with what the resource says of it filled in.
fn filled(
    read: Result<Vec<ResourceContents>, ToolError>,
    uri: &str,
    mime_type: Option<&str>,
) -> Result<Vec<ResourceContents>, crate::ProtocolError> {
    let contents = read.map_err(ToolError::into_protocol)?;
    Ok(contents.into_iter().map(|contents| contents.at(uri, mime_type).into()).collect())
}
