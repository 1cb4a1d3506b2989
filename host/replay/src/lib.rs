//! The replay core: what a conversation remembers, and how one attempt of a handler walks through it.
//!
//! A handler runs from the top on every round trip. Its Nth question of the conversation is the ledger's Nth slot: with an
//! answer in the slot the handler goes on at once, without one the attempt stops there and the question goes to the client.
//! This crate knows nothing of WebAssembly, of HTTP, or of where a ledger is kept between two rounds.
//!
//! # Layout
//!
//! - [`question`]: what can be asked: forms and their fields, pages to visit
//! - [`request`]: all that a handler can ask of its client
//! - [`schema`]: a question as the protocol writes it
//! - [`reply`]: what came back, checked against what was asked
//! - [`fingerprint`]: a question's identity
//! - [`ledger`]: the journal of a conversation
//! - [`walk`]: one attempt's way through a ledger
//! - [`difference`]: where two JSON values differ
//! - [`divergence`]: a replay that asked something else
//! - [`ending`]: how an attempt ended
//! - [`amount`]: how much of something
//! - [`clock`]: time as the handler sees it
//! - [`draws`]: how far a run has drawn from its conversation's randomness

pub mod amount;
pub mod clock;
pub mod difference;
pub mod divergence;
pub mod draws;
pub mod ending;
pub mod fingerprint;
pub mod ledger;
pub mod question;
pub mod reply;
pub mod request;
pub mod schema;
pub mod walk;

pub use amount::Amount;
pub use clock::VirtualClock;
pub use difference::{Difference, Differences};
pub use divergence::Divergence;
pub use draws::Draws;
pub use ending::{Ending, Exceeded, Fault, Stop};
pub use fingerprint::Fingerprint;
pub use ledger::{Ledger, Opening, Rejection, RetryPolicy, Slot};
pub use question::{Field, FieldKind, Question};
pub use reply::{ElicitResult, Input, InputResponse, InvalidAnswer, Reply, Value};
pub use request::{Askable, Asked, Request};
pub use walk::{Limits, OnceError, Walk};
