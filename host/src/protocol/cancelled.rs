//! `notifications/cancelled`.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::jsonrpc::RequestId;
use super::object::Object;

/// The notification's method.
pub const CANCELLED: &str = "notifications/cancelled";

/// A request that its sender does not wait for any more, or that its receiver has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cancelled {
    /// Which one.
    pub request_id: RequestId,
    /// Why, for the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Cancelled {
    /// Reads the notification's parameters. A notification can't be answered, so one that is malformed is nothing.
    #[must_use]
    pub fn read(params: Option<&RawValue>) -> Option<Self> {
        serde_json::from_str::<Object<Self>>(params?.get()).ok().map(|Object(cancelled)| cancelled)
    }
}
