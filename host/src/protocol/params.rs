//! The parameters of a call that may ask for input, and what a retry adds to them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::error::RpcError;

/// A call's parameters.
#[derive(Debug)]
pub struct CallParams {
    /// What was asked for: the same on every retry.
    pub original: OriginalParams,
    /// The answers of this round, by key.
    pub input_responses: Option<BTreeMap<String, Box<RawValue>>>,
    /// The state that the last round's result carried.
    pub request_state: Option<String>,
}

/// A call's parameters without `_meta` and what a retry adds, as the client wrote them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OriginalParams(BTreeMap<String, Box<RawValue>>);

impl CallParams {
    /// Reads a call's parameters. `"inputResponses": null` and `"requestState": null` count as absent.
    ///
    /// # Errors
    ///
    /// -32602 when they are no object, or a member that the host reads is of another type.
    pub fn read(params: Option<&RawValue>) -> Result<Self, RpcError> {
        let mut members: BTreeMap<String, Box<RawValue>> = match params {
            Some(params) => read("params", params)?,
            None => BTreeMap::new(),
        };
        members.remove("_meta");
        let input_responses = take("inputResponses", &mut members)?;
        let request_state = take("requestState", &mut members)?;
        Ok(Self { original: OriginalParams(members), input_responses, request_state })
    }
}

impl OriginalParams {
    /// Bytes of all members, as the client wrote them.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.iter().map(|(name, value)| name.len() + value.get().len()).sum()
    }

    /// A member that must be a string.
    ///
    /// # Errors
    ///
    /// -32602 when it is missing or no string.
    pub fn text(&self, name: &str) -> Result<String, RpcError> {
        let raw = self.0.get(name).ok_or_else(|| RpcError::invalid_params(format!("params.{name} is missing")))?;
        read(&format!("params.{name}"), raw)
    }

    /// A member of this type, where it is there and not null.
    ///
    /// # Errors
    ///
    /// -32602 when it is of another type.
    pub fn member<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<Option<T>, RpcError> {
        match self.0.get(name) {
            Some(raw) if raw.get() != "null" => read(&format!("params.{name}"), raw).map(Some),
            _ => Ok(None),
        }
    }

    /// A member that must be a JSON object where it is there; its text as the client wrote it.
    ///
    /// # Errors
    ///
    /// -32602 when it is something else.
    pub fn object(&self, name: &str) -> Result<Option<&str>, RpcError> {
        match self.0.get(name).map(|raw| raw.get()) {
            None | Some("null") => Ok(None),
            Some(text) if text.starts_with('{') => Ok(Some(text)),
            Some(_) => Err(RpcError::invalid_params(format!("params.{name} must be an object"))),
        }
    }

    /// Whether both say the same, however it is written: the order of members, white space, and the spelling of strings
    /// and numbers do not count.
    #[must_use]
    pub fn same_as(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self.0.iter().zip(&other.0).all(|((name, value), (other_name, other_value))| {
                name == other_name && (value.get() == other_value.get() || same_json(value, other_value))
            })
    }
}

/// Whether two JSON texts hold the same value.
fn same_json(one: &RawValue, other: &RawValue) -> bool {
    match (serde_json::from_str(one.get()), serde_json::from_str(other.get())) {
        (Ok(one), Ok(other)) => same(&one, &other),
        // Nested too deeply to read: not known to be the same.
        _ => false,
    }
}

fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        // Whole numbers exactly; `1` and `1.0` are one number.
        (Value::Number(one), Value::Number(other)) => {
            one == other || ((one.is_f64() || other.is_f64()) && one.as_f64() == other.as_f64())
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| other.get(name).is_some_and(|other| same(value, other)))
        }
        _ => one == other,
    }
}

fn take<T: serde::de::DeserializeOwned>(
    name: &str,
    members: &mut BTreeMap<String, Box<RawValue>>,
) -> Result<Option<T>, RpcError> {
    match members.remove(name) {
        Some(raw) if raw.get() != "null" => read(&format!("params.{name}"), &raw).map(Some),
        _ => Ok(None),
    }
}

fn read<T: serde::de::DeserializeOwned>(what: &str, raw: &RawValue) -> Result<T, RpcError> {
    serde_json::from_str(raw.get()).map_err(|error| RpcError::invalid_params(format!("{what} can't be read: {error}")))
}
