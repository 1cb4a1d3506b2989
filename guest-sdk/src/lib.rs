//! What authors of Dacapo handlers write against.
//!
//! A handler is a WebAssembly component with tools that a model may call, prompts and resources. A tool may ask its user a question in the middle of
//! its work and go on with the answer:
//!
//! ```standalone_crate
//! use dacapo_guest::prelude::*;
//!
//! /// Your details.
//! #[derive(Form)]
//! struct Details {
//!     /// Your name
//!     name: String,
//!     /// Email address
//!     #[form(format = "email")]
//!     email: String,
//! }
//!
//! /// What came of it.
//! #[derive(Serialize, JsonSchema)]
//! struct Welcome {
//!     /// A greeting, or an apology.
//!     message: String,
//! }
//!
//! /// Onboards a new user.
//! #[tool]
//! fn onboard(ctx: &Context) -> Result<Welcome> {
//!     match ctx.elicit::<Details>("Please enter your details") {
//!         Reply::Accept(details) => Ok(Welcome { message: format!("Welcome, {}! We wrote to {}.", details.name, details.email) }),
//!         Reply::Decline | Reply::Cancel => Ok(Welcome { message: "Another time, then.".to_owned() }),
//!     }
//! }
//!
//! dacapo_guest::handlers! { tools: [onboard] }
//! # fn main() {}
//! ```
//!
//! The crate's type is `cdylib`; `cargo build --target wasm32-wasip2` makes the component. `Serialize`, `Deserialize` and
//! `JsonSchema` are derived by the crates `serde` and `schemars`, so a handler that uses them names both as dependencies.
//!
//! Prompts ([`#[prompt]`](macro@prompt)), resources ([`#[resource]`](macro@resource),
//! [`#[resource_template]`](macro@resource_template)) and completions ([`#[completion]`](macro@completion)) are functions of
//! the same kind, with the same [`Context`]; [`handlers!`] takes any of them.
//!
//! # Layout
//!
//! - [`prelude`]: all that a handler needs, in one `use`
//! - [`mod@tool`]: tools that a model may call
//!   - [`arguments`]: what a tool is given
//!   - [`returns`]: what a tool may return
//! - [`mod@prompt`]: prompts that a user may pick; [`message`]: their messages
//! - [`mod@resource`]: resources that a client may read; [`contents`]: what they hold
//! - [`mod@resource_template`]: resources whose URIs follow a template; [`template`]: matching of URIs
//! - [`textual`]: Rust types of a prompt's arguments and a template's variables
//! - [`mod@completion`]: suggestions while a user types one of those
//! - [`handler`]: tables of all that, and the contract's exports; [`handlers!`] makes them
//! - [`content`]: blocks of a result or a message; [`annotations`] and [`icon`]: hints and icons beside a descriptor
//! - [`error`]: how a tool, a prompt or a resource fails; [`protocol_error`]: how a request is refused
//! - [`context`]: what a handler may know and do: asking, progress, values kept; [`announcements`]: word to clients
//! - [`ask`]: questions; [`reply`]: what the user did with one
//! - [`form`]: forms, derived or built by hand; [`field`]: their fields
//! - [`value`]: Rust types that a field can have; [`choice`]: enums to choose from
//! - [`answers`]: the values of a form that is filled in
//! - [`once`]: values that are worked out once in a conversation
//! - [`progress`]: reports on how far a call has come
//! - [`deprecated`]: completions by the client's model, and its roots
//! - [`testing`]: handlers under test, natively and with scripted answers
//! - `guides`: the guides in `docs/`, as tests
//! - `bindings`: the contract's types, made from its WIT; `imports`: its functions

// The macros name this crate from outside; its own tests use them too.
extern crate self as dacapo_guest;

pub mod annotations;
pub mod announcements;
pub mod answers;
pub mod arguments;
pub mod ask;
#[doc(hidden)]
pub mod bindings;
pub mod choice;
pub mod completion;
pub mod content;
pub mod contents;
pub mod context;
pub mod deprecated;
pub mod error;
pub mod field;
pub mod form;
#[cfg(doctest)]
mod guides;
pub mod handler;
pub mod icon;
mod imports;
pub mod message;
pub mod once;
pub mod prelude;
pub mod progress;
pub mod prompt;
pub mod protocol_error;
pub mod reply;
pub mod resource;
pub mod resource_template;
pub mod returns;
pub mod template;
#[cfg(not(target_family = "wasm"))]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod textual;
pub mod tool;
pub mod value;

#[doc(hidden)]
pub use wit_bindgen;

pub use annotations::Annotations;
pub use announcements::ListKind;
pub use answers::{AnswerError, Answers};
pub use ask::{Ask, Asks};
pub use choice::Choice;
pub use completion::{Completion, Resolved};
pub use content::{Content, Link, Role};
pub use contents::ResourceContents;
pub use context::Context;
pub use dacapo_guest_macros::{
    Choice, Form, PromptArguments, TemplateVariables, completion, handlers, prompt, resource, resource_template, tool,
};
pub use error::{Result, ToolError};
pub use field::{Field, Format};
pub use form::{Form, FormBuilder};
pub use icon::{Icon, Theme};
pub use message::Message;
pub use once::OnceError;
pub use progress::ProgressError;
pub use prompt::{PromptArguments, PromptResult};
pub use protocol_error::ProtocolError;
pub use reply::Reply;
pub use resource::not_found;
pub use resource_template::TemplateVariables;
pub use returns::WithMeta;
