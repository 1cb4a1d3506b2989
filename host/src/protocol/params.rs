//! The parameters of a request, and what a retry adds to those of a call.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::error::RpcError;

/// A request's parameters, each as the client wrote it. They are taken apart once, and a member is read by whoever needs it;
/// of several of one name the last one counts, for everyone.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Params {
    members: BTreeMap<String, Box<RawValue>>,
    /// What was found in place of an object.
    #[serde(skip)]
    odd: Option<&'static str>,
}

impl<'de> Deserialize<'de> for Params {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Params;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("parameters")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Params, A::Error> {
                let mut members = BTreeMap::new();
                while let Some((name, value)) = map.next_entry()? {
                    members.insert(name, value);
                }
                Ok(Params { members, odd: None })
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Params, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Params::odd("an array"))
            }

            fn visit_unit<E>(self) -> Result<Params, E> {
                Ok(Params::default())
            }

            fn visit_bool<E>(self, _: bool) -> Result<Params, E> {
                Ok(Params::odd("a boolean"))
            }

            fn visit_i64<E>(self, _: i64) -> Result<Params, E> {
                Ok(Params::odd("a number"))
            }

            fn visit_u64<E>(self, _: u64) -> Result<Params, E> {
                Ok(Params::odd("a number"))
            }

            fn visit_f64<E>(self, _: f64) -> Result<Params, E> {
                Ok(Params::odd("a number"))
            }

            fn visit_str<E>(self, _: &str) -> Result<Params, E> {
                Ok(Params::odd("a string"))
            }
        }

        deserializer.deserialize_any(Members)
    }
}

impl FromIterator<(String, Box<RawValue>)> for Params {
    fn from_iter<I: IntoIterator<Item = (String, Box<RawValue>)>>(members: I) -> Self {
        Self { members: members.into_iter().collect(), odd: None }
    }
}

/// The parameters of a call that may ask for input.
#[derive(Debug)]
pub struct CallParams {
    /// What was asked for: the same on every retry, without `_meta` and what a retry adds.
    pub original: Params,
    /// The answers of this round, by key.
    pub input_responses: Option<BTreeMap<String, Box<RawValue>>>,
    /// The state that the last round's result carried.
    pub request_state: Option<String>,
}

impl CallParams {
    /// Reads a call's parameters. `"inputResponses": null` and `"requestState": null` count as absent.
    ///
    /// # Errors
    ///
    /// -32602 when one of the two is of another type.
    pub fn read(params: Params) -> Result<Self, RpcError> {
        let mut original = params;
        original.members.remove("_meta");
        let input_responses = original.member("inputResponses")?;
        original.members.remove("inputResponses");
        let request_state = original.member("requestState")?;
        original.members.remove("requestState");
        Ok(Self { original, input_responses, request_state })
    }
}

impl Params {
    fn odd(found: &'static str) -> Self {
        Self { members: BTreeMap::new(), odd: Some(found) }
    }

    /// Checks that the parameters are an object, or absent.
    ///
    /// # Errors
    ///
    /// -32602 when they are something else. They seem to be empty then.
    pub fn check(&self) -> Result<(), RpcError> {
        match self.odd {
            Some(found) => Err(RpcError::invalid_params(format!("params must be an object, and is {found}"))),
            None => Ok(()),
        }
    }

    /// All members, each as the client wrote it.
    #[must_use]
    pub fn members(&self) -> &BTreeMap<String, Box<RawValue>> {
        &self.members
    }

    /// Bytes of all members, as the client wrote them.
    #[must_use]
    pub fn size(&self) -> usize {
        self.members.iter().map(|(name, value)| name.len() + value.get().len()).sum()
    }

    /// A member that must be a string.
    ///
    /// # Errors
    ///
    /// -32602 when it is missing or no string.
    pub fn text(&self, name: &str) -> Result<Cow<'_, str>, RpcError> {
        let raw = self.members.get(name).ok_or_else(|| missing(name))?;
        // Only a string with escapes in it needs a copy.
        match serde_json::from_str(raw.get()) {
            Ok(text) => Ok(Cow::Borrowed(text)),
            Err(_) => read(name, raw).map(Cow::Owned),
        }
    }

    /// A member of this type, where it is there and not null.
    ///
    /// # Errors
    ///
    /// -32602 when it is of another type.
    pub fn member<'a, T: Deserialize<'a>>(&'a self, name: &str) -> Result<Option<T>, RpcError> {
        match self.members.get(name) {
            Some(raw) if raw.get() != "null" => read(name, raw).map(Some),
            _ => Ok(None),
        }
    }

    /// A member of this type.
    ///
    /// # Errors
    ///
    /// -32602 when it is missing or of another type.
    pub fn required<'a, T: Deserialize<'a>>(&'a self, name: &str) -> Result<T, RpcError> {
        self.member(name)?.ok_or_else(|| missing(name))
    }

    /// A member that must be a JSON object where it is there; its text as the client wrote it.
    ///
    /// # Errors
    ///
    /// -32602 when it is something else.
    pub fn object(&self, name: &str) -> Result<Option<&str>, RpcError> {
        match self.members.get(name).map(|raw| raw.get()) {
            None | Some("null") => Ok(None),
            Some(text) if text.starts_with('{') => Ok(Some(text)),
            Some(_) => Err(RpcError::invalid_params(format!("params.{name} must be an object"))),
        }
    }

    /// Whether both say the same, however it is written: the order of members, white space, and the spelling of strings
    /// and numbers do not count.
    #[must_use]
    pub fn same_as(&self, other: &Self) -> bool {
        self.members.len() == other.members.len()
            && self.members.iter().zip(&other.members).all(|((name, value), (other_name, other_value))| {
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

fn missing(name: &str) -> RpcError {
    RpcError::invalid_params(format!("params.{name} is missing"))
}

fn read<'a, T: Deserialize<'a>>(name: &str, raw: &'a RawValue) -> Result<T, RpcError> {
    serde_json::from_str(raw.get())
        .map_err(|error| RpcError::invalid_params(format!("params.{name} can't be read: {error}")))
}
