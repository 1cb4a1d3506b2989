//! What authors write, and what the contract's types become of it.

mod answers;
mod completions;
mod deprecated;
mod form;
mod progress;
mod prompts;
mod questions;
mod resources;
mod returns;
mod template;
mod testing;
mod tools;
