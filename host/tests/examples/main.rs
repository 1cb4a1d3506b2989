//! The examples of the protocol's schema: what clients send is read, and what servers send is written as it stands there.
//!
//! Left out are examples of what this host has no use for. Where it has words of its own, only the rest is compared.
//!
//! # Layout
//!
//! - `same`: how what the host writes is held against an example
//! - `reads`: what clients send
//! - `questions`: what clients are asked
//! - `writes`: what servers offer and answer
//! - `messages`: notifications, errors, and parts of results
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "a test")]
#![allow(clippy::needless_pass_by_value, clippy::unnecessary_wraps, reason = "the examples are shorter so")]

mod messages;
mod questions;
mod reads;
mod same;
mod writes;
