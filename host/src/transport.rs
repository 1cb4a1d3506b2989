//! How messages come and go: Streamable HTTP (one endpoint, POST only), and standard input and output.
//!
//! # Layout
//!
//! - `underway`: a request under way, and what is sent for it
//! - [`stdio`]: standard input and output
//! - [`connections`]: connections, so many at once
//! - [`front`]: the way of every request, to the endpoint or to the upload API
//! - [`http`]: the endpoint
//! - [`headers`]: the headers that repeat the body, and their rules
//! - [`header_params`]: the headers that repeat arguments of a tool, where it wants that
//! - [`stream`]: an answer as server-sent events, where something happens on the way
//! - `head`: how long a request's headers may be
//! - [`guard`]: who may reach the server at all: Host and Origin
//! - [`principal`]: who calls
//! - `linger`: hearing a request out
//! - [`body`]: reading a body of bounded size

pub mod body;
pub mod connections;
pub mod front;
pub mod guard;
mod head;
pub mod header_params;
pub mod headers;
pub mod http;
mod linger;
pub mod principal;
pub mod stdio;
mod stream;
mod underway;
