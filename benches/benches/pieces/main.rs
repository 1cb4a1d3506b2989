//! Measures the host from inside, piece by piece: `cargo bench -p dacapo-benches --bench pieces`.
//!
//! The guests must have been built (`cargo xtask guests`). What is called "call" here is all that a request comes to but for
//! HTTP and the envelope of JSON-RPC: parameters read, arguments held against the schema, an attempt in a fresh instance, the
//! result written.
//!
//! # Layout
//!
//! - `attempts`: one attempt alone: a fresh instance, a call, and its end
//! - `calls`: a call that returns, one that traps, one that asks
//! - `conversations`: a replay of so many questions, and whole conversations
//! - `host`: a host without its transport
//! - `threads`: calls on so many threads
//! - `tokens`: sealing and opening
//! - `uploads`: from the bytes of a component to a handler that is served

// A measurement that can't be taken is of no use to anybody.
#![allow(clippy::cast_precision_loss, clippy::expect_used, clippy::panic)]

mod attempts;
mod calls;
mod conversations;
mod host;
mod threads;
mod tokens;
mod uploads;

use criterion::{Criterion, criterion_group};
use dacapo::sandbox::compiler::Task;

criterion_group!(
    pieces,
    attempts::measure,
    calls::measure,
    conversations::measure,
    threads::measure,
    tokens::measure,
    uploads::measure
);

fn main() {
    // The host starts its own program to compile what is uploaded; here that is this one.
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("compile") {
        let task: Task = arguments.next().and_then(|task| task.parse().ok()).expect("the host says what to do");
        task.run().expect("the component is compiled");
        return;
    }
    pieces();
    Criterion::default().configure_from_args().final_summary();
}
