//! What authors of Dacapo handlers write against.
//!
//! A handler is a WebAssembly component whose tools a model may call. A tool may ask its user a question in the middle of
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
//! # Layout
//!
//! - [`prelude`]: all that a handler needs, in one `use`
//! - [`mod@tool`]: tools, their descriptors, and [`handlers!`]
//! - [`arguments`]: what a tool is given
//! - [`returns`]: what a tool may return
//! - [`content`]: blocks of a result
//! - [`error`]: how a tool fails; [`protocol_error`]: how a request is refused
//! - [`context`]: what a tool may know and do: asking, progress, values kept
//! - [`ask`]: questions; [`reply`]: what the user did with one
//! - [`form`]: forms, derived or built by hand; [`field`]: their fields
//! - [`value`]: Rust types that a field can have; [`choice`]: enums to choose from
//! - [`answers`]: the values of a form that is filled in
//! - [`once`]: values that are worked out once in a conversation
//! - [`progress`]: reports on how far a call has come
//! - `bindings`: the contract's types, made from its WIT

// The macros name this crate from outside; its own tests use them too.
extern crate self as dacapo_guest;

pub mod answers;
pub mod arguments;
pub mod ask;
#[doc(hidden)]
pub mod bindings;
pub mod choice;
pub mod content;
pub mod context;
pub mod error;
pub mod field;
pub mod form;
pub mod once;
pub mod prelude;
pub mod progress;
pub mod protocol_error;
pub mod reply;
pub mod returns;
#[cfg(test)]
mod tests;
pub mod tool;
pub mod value;

#[doc(hidden)]
pub use wit_bindgen;

pub use answers::{AnswerError, Answers};
pub use ask::{Ask, Asks};
pub use choice::Choice;
pub use content::{Content, Link, Role};
pub use context::Context;
pub use dacapo_guest_macros::{Choice, Form, tool};
pub use error::{Result, ToolError};
pub use field::{Field, Format};
pub use form::{Form, FormBuilder};
pub use once::OnceError;
pub use progress::ProgressError;
pub use protocol_error::ProtocolError;
pub use reply::Reply;
