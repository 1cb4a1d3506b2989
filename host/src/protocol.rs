//! MCP's wire types, revision 2026-07-28.
//!
//! # Layout
//!
//! - [`jsonrpc`]: messages, their ids, and how they are read
//! - [`meta`]: what every request says of its client
//! - [`error`]: errors and their HTTP status
//! - [`content`]: content blocks
//! - [`tool`]: tools and their results
//! - [`prompt`]: prompts and their results
//! - [`resource`]: resources, their templates, and their contents
//! - [`template`]: URI templates
//! - [`completion`]: completions of arguments
//! - [`header_params`]: the arguments that a tool wants repeated in headers
//! - [`result`]: what every result carries
//! - [`method`]: the methods that this host serves
//! - [`subscription`]: what clients listen for, and what they hear
//! - [`cancelled`]: the word that a request is cancelled
//! - [`check`]: the rules that every request keeps, whatever brings it
//! - `object`: JSON objects alone
//! - [`params`]: the parameters of a call, and what a retry adds

pub mod cancelled;
pub mod check;
pub mod completion;
pub mod content;
pub mod error;
pub mod header_params;
pub mod jsonrpc;
pub mod meta;
pub mod method;
mod object;
pub mod params;
pub mod prompt;
pub mod resource;
pub mod result;
pub mod subscription;
pub mod template;
pub mod tool;

/// The protocol revision that this host speaks.
pub const VERSION: &str = "2026-07-28";

/// Every protocol revision that this host speaks.
pub const SUPPORTED_VERSIONS: &[&str] = &[VERSION];
