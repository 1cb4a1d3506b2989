//! A replay that did not ask what was answered, and how the two differ.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value as Json;

use crate::difference::{Differences, cut};
use crate::fingerprint::Fingerprint;
use crate::ledger::{ASKED_LIMIT, Slot};
use crate::request::{Request, RequestJson};

/// A replay that did not ask what was answered: the handler broke the idempotency contract.
///
/// Its text is of bounded length, whatever was asked: at most five differences, and of each the beginning of both values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the handler broke the idempotency contract (up to its last question it must ask the same on every run): \
     at position {ordinal}, key \"{}\", it {how}",
    cut(.key)
)]
pub struct Divergence {
    /// The question's position in the conversation, from 1.
    pub ordinal: usize,
    /// The key under which the answered question was asked.
    pub key: String,
    /// The answered question.
    pub recorded: Fingerprint,
    /// What was asked in its place; nothing when the handler ended instead.
    pub asked: Option<Fingerprint>,
    /// What the two are, as far as it is known.
    pub how: How,
}

/// How a replay differs from what was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// It ended without asking. What was answered, as JSON, cut to 120 characters, where it is known.
    Ended(Option<String>),
    /// It asked something else.
    Asked {
        /// Where the two differ: `key`, `method`, a place in the request's params, or the `order` of a form's fields.
        differences: Differences,
        /// The question's number in its round from 1, and how many the round asks.
        place: Place,
    },
    /// It asked something else; what was answered is known by its fingerprint alone.
    Unknown {
        /// The beginning of what was asked, as JSON.
        asked: String,
    },
}

/// A question's place among those that are asked at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its number, from 1.
    pub number: usize,
    /// How many are asked at once.
    pub of: usize,
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ended(Some(recorded)) => write!(f, "ended without asking what was answered: {recorded}"),
            Self::Ended(None) => f.write_str("ended without asking what was answered"),
            Self::Asked { differences, place } => {
                f.write_str("asked something else than what was answered")?;
                if place.of > 1 {
                    write!(f, ", as number {} of {} at once", place.number, place.of)?;
                }
                write!(f, ": {}", differences.named("recorded", "asked"))
            }
            Self::Unknown { asked } => write!(
                f,
                "asked something else than what was answered, of which only the fingerprint was recorded (a question's text \
                 is kept up to {ASKED_LIMIT} bytes, and only so many): it asked {asked}"
            ),
        }
    }
}

impl Divergence {
    /// The handler ended before it came to `slot`.
    pub(crate) fn ended(ordinal: usize, slot: &Slot) -> Self {
        let how = How::Ended(slot.asked.json().map(cut));
        Self { ordinal, key: slot.key.clone(), recorded: slot.asked.fingerprint(), asked: None, how }
    }

    /// In the place of `slot`, the handler made `request`, which is `json`, under `key`.
    pub(crate) fn asked(
        ordinal: usize,
        slot: &Slot,
        key: &str,
        request: &Request,
        json: &RequestJson,
        place: Place,
    ) -> Self {
        let (kind, json) = (request.response_kind(), json.text());
        let mut differences = Differences::default();
        let text = |text: &str| Some(Json::from(text));
        differences.compare("key", text(&slot.key).as_ref(), text(key).as_ref());
        differences.compare("method", text(slot.kind.method()).as_ref(), text(kind.method()).as_ref());
        // The params of two methods have nothing in common.
        if let Some(recorded) = slot.asked.json().filter(|_| slot.kind == kind) {
            differences.compare("", Some(&params(recorded)), Some(&params(json)));
            if differences.is_empty() && recorded != json {
                // The fields are the same, and the user would see them in another order.
                let order = |text| Json::from(Order::of(text));
                differences.add("order", Some(&order(recorded)), Some(&order(json)));
            }
        }
        let how =
            if differences.is_empty() { How::Unknown { asked: cut(json) } } else { How::Asked { differences, place } };
        let (recorded, asked) = (slot.asked.fingerprint(), Some(Fingerprint::of_json(json)));
        Self { ordinal, key: slot.key.clone(), recorded, asked, how }
    }
}

/// The names of a form's fields, in their order.
struct Order(Vec<String>);

impl Order {
    /// The order in a question's JSON; nothing where it has no form.
    fn of(json: &str) -> Vec<String> {
        #[derive(Deserialize)]
        struct Asked {
            params: Params,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Params {
            requested_schema: Schema,
        }
        #[derive(Deserialize)]
        struct Schema {
            properties: Order,
        }
        serde_json::from_str::<Asked>(json).map(|asked| asked.params.requested_schema.properties.0).unwrap_or_default()
    }
}

impl<'de> Deserialize<'de> for Order {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;

        impl<'de> Visitor<'de> for Names {
            type Value = Order;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("fields by name")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Order, A::Error> {
                let mut names = Vec::new();
                while let Some((name, IgnoredAny)) = map.next_entry()? {
                    names.push(name);
                }
                Ok(Order(names))
            }
        }

        deserializer.deserialize_map(Names)
    }
}

/// A request's params.
fn params(json: &str) -> Json {
    let request = serde_json::from_str::<Json>(json).unwrap_or_default();
    request.get("params").cloned().unwrap_or_default()
}
