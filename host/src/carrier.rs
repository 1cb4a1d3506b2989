//! Where a ledger lives between two rounds.
//!
//! # Layout
//!
//! - [`keyring`]: the keys that seal tokens
//! - [`token`]: bytes that only this host can read or make
//! - [`conversation`]: what a token holds
//! - [`wire`]: a conversation, sealed in the token that the client holds

pub mod conversation;
pub mod keyring;
pub mod token;
pub mod wire;

pub use conversation::Conversation;
pub use keyring::{Keyring, Secret};
pub use wire::{Binding, Rejected, Revision, Wire};
