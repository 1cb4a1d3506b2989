//! What the tests of the whole host share. Everything here panics where it can't go on: it is for tests only.
//!
//! # Layout
//!
//! - `answer`: what came back over HTTP, as JSON or as a stream of events.
//! - `client`: a client whose every byte a test can choose.
//! - `command`: the real binary as a script runs it.
//! - `filling`: values that fit a schema, for handlers that a test knows nothing of.
//! - `guests`: the components that tests upload.
//! - `host`: the real binary, started on a free port.
//! - `log`: what a host has logged.
//! - `project`: a handler's crate, made by `dacapo new`.
//! - `schema`: the protocol's own JSON Schema, which every message is held against.
//! - `script`: clients that others have written in other languages.
//! - `pipe`: the real binary as a client starts it, over standard input and output.
//! - `stream`: a stream of events that is read while it goes on.
//! - `terminal`: the real binary in a terminal, with a user at it.
//! - `wasm`: components and modules that no toolchain would make.
//! - `target`: where cargo and `cargo xtask` have put things.
//! - `verifier`: the real binary as authors run it on their handlers.

mod answer;
mod client;
pub mod command;
pub mod filling;
pub mod guests;
mod host;
mod log;
mod pipe;
mod project;
pub mod schema;
mod script;
mod stream;
pub mod target;
pub mod terminal;
mod verifier;
pub mod wasm;

pub use answer::Answer;
pub use client::{Client, PROTOCOL_VERSION};
pub use host::{Builder, Host};
pub use log::Log;
pub use pipe::Pipe;
pub use project::Project;
pub use script::Script;
pub use stream::EventStream;
pub use verifier::Verified;
