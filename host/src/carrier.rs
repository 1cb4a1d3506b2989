//! Where a ledger lives between two rounds.
//!
//! # Layout
//!
//! - [`keyring`]: the keys that seal tokens
//! - [`token`]: bytes that only this host can read or make
//! - [`wire`]: a conversation, sealed in the token that the client holds

pub mod keyring;
pub mod token;
pub mod wire;

pub use keyring::{Keyring, Secret};
pub use wire::{Binding, Conversation, Rejected, Revision, Wire};
