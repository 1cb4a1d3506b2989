//! From the contract's types to the protocol's and back.
//!
//! # Layout
//!
//! - [`input`]: requests to the client, and its responses
//! - [`content`]: content blocks
//! - [`tool`], [`prompt`], [`resource`]: descriptors and results

pub(super) mod content;
pub(super) mod input;
pub(super) mod prompt;
pub(super) mod resource;
pub(super) mod tool;

use dacapo_replay::Fault;
use serde_json::value::RawValue;

use super::bindings::dacapo::handler::content as wit;
use crate::protocol::error::RpcError;
use crate::protocol::result::Meta;

/// What a handler gave that is not well formed: a [`Fault::BadResult`].
pub(super) type Malformed = Fault;

fn json(what: &str, text: String) -> Result<Box<RawValue>, Malformed> {
    RawValue::from_string(text).map_err(|error| Fault::BadResult(format!("{what} is not JSON: {error}")))
}

fn object(what: &str, text: String) -> Result<Box<RawValue>, Malformed> {
    let raw = json(what, text)?;
    if raw.get().trim_start().starts_with('{') {
        Ok(raw)
    } else {
        Err(Fault::BadResult(format!("{what} is not a JSON object")))
    }
}

fn meta(meta: Option<String>) -> Result<Option<Box<RawValue>>, Malformed> {
    meta.map(|text| object("_meta", text)).transpose()
}

fn result_meta(meta: Option<String>) -> Result<Meta, Malformed> {
    meta.map(|text| {
        serde_json::from_str(&text)
            .map_err(|error| Fault::BadResult(format!("its _meta is not a JSON object: {error}")))
    })
    .transpose()
}

pub(super) fn protocol_error(error: wit::ProtocolError) -> Result<RpcError, Malformed> {
    let data = error
        .data
        .map(|text| {
            serde_json::from_str(&text)
                .map_err(|error| Fault::BadResult(format!("the data of its error is not JSON: {error}")))
        })
        .transpose()?;
    Ok(RpcError::of_handler(error.code, error.message, data))
}
