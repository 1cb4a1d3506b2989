//! What every result carries, and the result that asks for input.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::meta::SERVER_INFO;
use dacapo_replay::ending::Pending;
use dacapo_replay::request::RequestJson;

/// Who serves: goes into every result's `_meta`.
#[derive(Clone, Debug, Serialize)]
pub struct Implementation {
    /// Its name, for programs.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The `_meta` of a result, as a handler gave it.
pub type Meta = Option<Map<String, Value>>;

/// Whether a result is the last word.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultType {
    /// It is.
    Complete,
    /// The client is to answer and try again.
    InputRequired,
}

/// How long and for whom a result may be kept.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Caching {
    /// For how long, in milliseconds; 0 means not at all.
    pub ttl_ms: u64,
    /// For whom.
    pub cache_scope: CacheScope,
}

/// For whom a result may be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CacheScope {
    /// For everyone.
    Public,
    /// For the caller alone.
    Private,
}

/// Writes a result: `body` with its type and the server's name.
///
/// # Errors
///
/// When `body` can't be written, or is no JSON object.
pub fn write(
    kind: ResultType,
    server: &Implementation,
    meta: Meta,
    body: &impl Serialize,
) -> Result<Box<RawValue>, serde_json::Error> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Wire<'a, B> {
        result_type: ResultType,
        #[serde(flatten)]
        body: &'a B,
        #[serde(rename = "_meta")]
        meta: WithServer<'a>,
    }
    #[derive(Serialize)]
    struct WithServer<'a> {
        #[serde(flatten)]
        own: Map<String, Value>,
        #[serde(rename = "io.modelcontextprotocol/serverInfo")]
        server: &'a Implementation,
    }
    let mut own = meta.unwrap_or_default();
    own.remove(SERVER_INFO);
    serde_json::value::to_raw_value(&Wire { result_type: kind, body, meta: WithServer { own, server } })
}

/// The body of the result that asks for input.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InputRequired<'a> {
    input_requests: BTreeMap<&'a str, &'a RequestJson>,
    request_state: String,
}

impl<'a> InputRequired<'a> {
    /// Asks for answers to all of `pending`; the client sends `request_state` back with them.
    #[must_use]
    pub fn new(pending: &'a [Pending], request_state: String) -> Self {
        let input_requests = pending.iter().map(|Pending { key, json, .. }| (key.as_str(), json)).collect();
        Self { input_requests, request_state }
    }
}
