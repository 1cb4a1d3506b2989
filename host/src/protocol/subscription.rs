//! `subscriptions/listen`: what is asked for, and what is sent on its stream.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::error::RpcError;
use super::jsonrpc::{RequestId, notification};
use super::meta::SUBSCRIPTION_ID;
use super::object::Object;
use super::params::Params;

/// The greatest number of resources that one subscription may watch.
pub const MAX_RESOURCES: usize = 256;
/// The greatest length of a URI that is watched, in bytes.
pub const MAX_URI: usize = 2048;

/// What a client wants to be told. Members that this host does not know are left out when it is written again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SubscriptionFilter {
    /// Changes of the list of tools.
    #[serde(deserialize_with = "flag", skip_serializing_if = "std::ops::Not::not")]
    pub tools_list_changed: bool,
    /// Changes of the list of prompts.
    #[serde(deserialize_with = "flag", skip_serializing_if = "std::ops::Not::not")]
    pub prompts_list_changed: bool,
    /// Changes of the lists of resources and their templates.
    #[serde(deserialize_with = "flag", skip_serializing_if = "std::ops::Not::not")]
    pub resources_list_changed: bool,
    /// The URIs of resources to watch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_subscriptions: Option<BTreeSet<Arc<str>>>,
}

/// `null` counts as absent.
fn flag<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Option::<bool>::deserialize(deserializer).map(Option::unwrap_or_default)
}

impl SubscriptionFilter {
    /// Reads the filter out of a request's parameters.
    ///
    /// # Errors
    ///
    /// -32602 when it is missing, malformed or too large.
    pub fn read(params: &Params) -> Result<Self, RpcError> {
        let Object(filter): Object<Self> = params
            .member("notifications")?
            .ok_or_else(|| RpcError::invalid_params("params.notifications is missing; it says what to listen for"))?;
        let uris = filter.resource_subscriptions.as_ref();
        let count = uris.map_or(0, BTreeSet::len);
        if count > MAX_RESOURCES {
            return Err(RpcError::invalid_params(format!(
                "params.notifications.resourceSubscriptions has {count} URIs, and one subscription takes \
                 {MAX_RESOURCES}; open several"
            )));
        }
        if let Some(uri) = uris.into_iter().flatten().find(|uri| uri.len() > MAX_URI) {
            return Err(RpcError::invalid_params(format!(
                "params.notifications.resourceSubscriptions has a URI of {} bytes, and the limit is {MAX_URI}",
                uri.len()
            )));
        }
        Ok(filter)
    }
}

/// The `_meta` that ties a message to the subscription of this id.
#[must_use]
pub fn tag(subscription: &RequestId) -> Map<String, Value> {
    Map::from_iter([(SUBSCRIPTION_ID.to_owned(), json!(subscription))])
}

/// Writes a notification of the subscription of this id.
#[must_use]
pub fn tagged(subscription: &RequestId, method: &str, params: &impl Serialize) -> Vec<u8> {
    #[derive(Serialize)]
    struct Wire<'a, P> {
        _meta: Map<String, Value>,
        #[serde(flatten)]
        params: &'a P,
    }
    notification(method, &Wire { _meta: tag(subscription), params })
}
