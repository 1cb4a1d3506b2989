//! Dacapo: a host for MCP handlers that are WebAssembly components.
//!
//! A request's way is a straight line down and back: bytes, transport, protocol, server, carrier (open the token: a
//! ledger), replay, sandbox, how the attempt ended, carrier (seal a token), protocol, bytes.
//!
//! # Layout
//!
//! Each part stands only on those above it.
//!
//! - [`dacapo_replay`]: the replay core: ledger, ordinals, fingerprints, how an attempt ended
//! - [`protocol`]: MCP's wire types, its errors and their HTTP status
//! - [`announce`]: word to clients that listen
//! - [`sandbox`]: one attempt of a handler in a fresh instance, and what it may import
//! - [`carrier`]: where a ledger lives between two rounds: sealed in the token
//! - [`registry`]: uploaded handlers, their store, and the catalogue from names to handlers
//! - [`server`]: one function a method, dispatch, capability gates
//! - [`transport`]: Streamable HTTP, and standard input and output
//! - [`admin`]: the upload API
//! - [`config`] and [`cli`]: what was typed, what it means, one way out

pub mod admin;
pub mod announce;
pub mod carrier;
pub mod cli;
pub mod config;
pub mod protocol;
pub mod registry;
pub mod sandbox;
pub mod server;
pub mod transport;
