//! What the fuzz targets do with their input. The host's own tests do the same with the corpus (`host/tests/corpus.rs`),
//! so that the targets are up to date.
//!
//! # Layout
//!
//! - [`token`]: what a client sends as `requestState`
//! - [`body`]: what a client posts
//! - [`upload`]: what is uploaded, as far as it is looked at before it is compiled

// Under the name that the same parts have in the host.
extern crate dacapo_parts as dacapo;

pub mod body;
pub mod token;
pub mod upload;
