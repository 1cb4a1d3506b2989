//! `notifications/cancelled`.

use serde::{Deserialize, Serialize};

use super::jsonrpc::RequestId;
use super::params::Params;

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
    pub fn read(params: &Params) -> Option<Self> {
        let reason = params.member("reason").ok()?;
        Some(Self { request_id: params.required("requestId").ok()?, reason })
    }
}
