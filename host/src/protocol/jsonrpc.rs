//! JSON-RPC messages, their ids, and how they are read.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::error::RpcError;
use super::object::Object;
use super::params::Params;

/// The id of a request: a string or an integer, never null.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RequestId {
    /// An integer.
    Number(i64),
    /// A string.
    Text(String),
}

/// One message from a client.
#[derive(Debug)]
pub enum Message {
    /// It wants an answer.
    Request(Request),
    /// It wants none.
    Notification {
        /// What happened.
        method: String,
        /// The parameters.
        params: Params,
    },
}

/// A request, its parameters taken apart.
#[derive(Debug)]
pub struct Request {
    /// The client's name for it.
    pub id: RequestId,
    /// What is asked.
    pub method: String,
    /// The parameters.
    pub params: Params,
}

/// A message that could not be read, and the id to answer to where it could be made out.
#[derive(Debug)]
pub struct Unreadable {
    /// The id of the request, if it had a good one.
    pub id: Option<RequestId>,
    /// What to answer.
    pub error: RpcError,
}

impl Message {
    /// Reads one message.
    ///
    /// # Errors
    ///
    /// -32700 for what is not JSON, -32600 for what is not one request or notification (a batch, a response).
    pub fn read(body: &[u8]) -> Result<Self, Unreadable> {
        #[derive(Deserialize)]
        struct Wire<'a> {
            #[serde(borrow)]
            jsonrpc: Option<Cow<'a, str>>,
            #[serde(default, deserialize_with = "present")]
            id: Option<Box<RawValue>>,
            method: Option<String>,
            #[serde(default)]
            params: Params,
        }
        let unreadable = |id, error| Unreadable { id, error };
        let Object(wire): Object<Wire<'_>> = serde_json::from_slice(body).map_err(|error| {
            unreadable(
                None,
                if error.is_data() {
                    RpcError::invalid_request(format!(
                        "the message is not one JSON-RPC request or notification: {error}"
                    ))
                } else {
                    RpcError::parse(format!("the message is not JSON: {error}"))
                },
            )
        })?;
        let id = wire.id.as_deref().map(|id| serde_json::from_str::<RequestId>(id.get()));
        let known = || id.as_ref().and_then(|id| id.as_ref().ok()).cloned();
        if wire.jsonrpc.as_deref() != Some("2.0") {
            return Err(unreadable(known(), RpcError::invalid_request("\"jsonrpc\" must be \"2.0\"")));
        }
        let Some(method) = wire.method else {
            let error =
                RpcError::invalid_request("\"method\" is missing: this server takes requests and notifications");
            return Err(unreadable(known(), error));
        };
        match id {
            None => Ok(Self::Notification { method, params: wire.params }),
            Some(Ok(id)) => Ok(Self::Request(Request { id, method, params: wire.params })),
            Some(Err(_)) => {
                Err(unreadable(None, RpcError::invalid_request("\"id\" must be a string or an integer of 64 bits")))
            }
        }
    }
}

/// Tells `"id": null`, which is an error, from no id, which is a notification.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::<RawValue>::deserialize(deserializer).map(Some)
}

/// Writes a response: `outcome` is a result's JSON, or an error. Without an id, which only an error may lack, the member
/// is left out.
#[must_use]
pub fn response(id: Option<&RequestId>, outcome: &Result<Box<RawValue>, RpcError>) -> Vec<u8> {
    #[derive(Serialize)]
    struct Wire<'a> {
        jsonrpc: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a RequestId>,
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<&'a RawValue>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<&'a RpcError>,
    }
    let (result, error) = match outcome {
        Ok(result) => (Some(&**result), None),
        Err(error) => (None, Some(error)),
    };
    // None of these types can fail to serialize.
    serde_json::to_vec(&Wire { jsonrpc: "2.0", id, result, error }).unwrap_or_default()
}

/// Writes a notification.
#[must_use]
pub fn notification(method: &str, params: &impl Serialize) -> Vec<u8> {
    #[derive(Serialize)]
    struct Wire<'a, P> {
        jsonrpc: &'static str,
        method: &'a str,
        params: &'a P,
    }
    serde_json::to_vec(&Wire { jsonrpc: "2.0", method, params }).unwrap_or_default()
}
