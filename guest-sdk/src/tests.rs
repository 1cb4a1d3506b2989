//! What authors write, and what the contract's types become of it.

mod answers;
mod form;
mod progress;
mod questions;
mod returns;
mod tools;
