//! Measures the host from inside, piece by piece: `cargo bench -p dacapo-benches --bench pieces`.
//!
//! The guests must have been built (`cargo xtask guests`). What is called "call" here is all that a request comes to but for
//! HTTP and the envelope of JSON-RPC: parameters read, arguments held against the schema, an attempt in a fresh instance, the
//! result written.
//!
//! # Layout
//!
//! - `calls`: a call that returns, one that traps, one that asks
//! - `conversations`: a replay of so many questions, and whole conversations
//! - `host`: a host without its transport
//! - `threads`: calls on so many threads
//! - `tokens`: sealing and opening
//! - `uploads`: from the bytes of a component to a handler that is served

// A measurement that can't be taken is of no use to anybody.
#![allow(clippy::expect_used, clippy::panic)]

mod calls;
mod conversations;
mod host;
mod threads;
mod tokens;
mod uploads;

use criterion::{criterion_group, criterion_main};

criterion_group!(pieces, calls::measure, conversations::measure, threads::measure, tokens::measure, uploads::measure);
criterion_main!(pieces);
