//! A conversation as it stands in a token.
//!
//! It is written by [postcard](https://postcard.jamesmunns.com/wire-format): without names, for whoever may read it knows what
//! it is. So a change of anything that is written here needs another version of the token.

use std::borrow::Cow;

use dacapo_replay::Ledger;
use serde::{Deserialize, Serialize};

use super::token::Draft;
use crate::protocol::params::Params;

/// A conversation as it stands in a token.
#[derive(Debug, Serialize, Deserialize)]
pub struct Conversation<'a> {
    /// The method called.
    pub method: Cow<'a, str>,
    /// Its parameters on the first round.
    #[serde(with = "members")]
    pub original_params: Cow<'a, Params>,
    /// What it remembers.
    pub ledger: Cow<'a, Ledger>,
    /// When the token was issued, in milliseconds since the Unix epoch.
    pub issued_at: u64,
    /// Who called.
    pub principal: Option<Cow<'a, str>>,
    /// The name of the handler that asked.
    pub handler: Cow<'a, str>,
    /// The digest of the component that asked.
    pub component: Cow<'a, str>,
}

impl Conversation<'_> {
    pub(super) fn write(&self) -> Result<Draft, postcard::Error> {
        postcard::to_extend(self, Draft::default())
    }

    pub(super) fn read(payload: &[u8]) -> Result<Conversation<'static>, String> {
        match postcard::take_from_bytes(payload) {
            Ok((conversation, [])) => Ok(conversation),
            Ok((_, more)) => Err(format!("{} bytes more than a conversation", more.len())),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// Parameters by name, each value as its JSON text.
mod members {
    use std::borrow::Cow;
    use std::collections::BTreeMap;

    use serde::de::{Deserialize, Deserializer, Error as _};
    use serde::ser::Serializer;
    use serde_json::value::RawValue;

    use crate::protocol::params::Params;

    pub(super) fn serialize<S: Serializer>(params: &Params, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(params.members().iter().map(|(name, value)| (name, value.get())))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cow<'static, Params>, D::Error> {
        let members = BTreeMap::<String, String>::deserialize(deserializer)?;
        let members = members.into_iter().map(|(name, value)| Ok((name, RawValue::from_string(value)?)));
        members.collect::<Result<_, serde_json::Error>>().map(Cow::Owned).map_err(D::Error::custom)
    }
}
