//! `subscriptions/listen`.

use serde::Serialize;
use serde_json::value::RawValue;

use super::Server;
use crate::announce::{Announcement, Filter, Listener};
use crate::protocol::error::RpcError;
use crate::protocol::jsonrpc::{Request, RequestId};
use crate::protocol::result::ResultType;
use crate::protocol::subscription::{SubscriptionFilter, tag, tagged};

/// A client that listens. Dropping it ends that.
pub struct Subscription {
    id: RequestId,
    acknowledgement: Option<Vec<u8>>,
    listener: Listener,
    result: Box<RawValue>,
}

#[derive(Serialize)]
struct Acknowledged<'a> {
    notifications: &'a SubscriptionFilter,
}

#[derive(Serialize)]
struct ResourceUpdated<'a> {
    uri: &'a str,
}

#[derive(Serialize)]
struct Nothing {}

impl Server {
    pub(super) fn listen(&self, request: &Request) -> Result<Subscription, RpcError> {
        let filter = SubscriptionFilter::read(&request.params)?;
        let acknowledged = Acknowledged { notifications: &filter };
        let acknowledgement = tagged(&request.id, "notifications/subscriptions/acknowledged", &acknowledged);
        let result = self.write(ResultType::Complete, Some(tag(&request.id)), &Nothing {})?;
        let filter = Filter {
            tools: filter.tools_list_changed,
            prompts: filter.prompts_list_changed,
            resources: filter.resources_list_changed,
            uris: filter.resource_subscriptions.unwrap_or_default(),
        };
        let listener = self.hub.listen(filter).map_err(|not_heard| {
            tracing::warn!(reason = %not_heard, "subscription refused");
            RpcError::internal(not_heard.to_string())
        })?;
        Ok(Subscription { id: request.id.clone(), acknowledgement: Some(acknowledgement), listener, result })
    }
}

impl Subscription {
    /// Waits for the next message to the client, the acknowledgement first; `None` when the server ends the subscription,
    /// and its result is to be sent. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<Vec<u8>> {
        if let Some(acknowledgement) = self.acknowledgement.take() {
            return Some(acknowledgement);
        }
        let announcement = self.listener.next().await?;
        let list_changed = |method| tagged(&self.id, method, &Nothing {});
        Some(match announcement {
            Announcement::ToolsListChanged => list_changed("notifications/tools/list_changed"),
            Announcement::PromptsListChanged => list_changed("notifications/prompts/list_changed"),
            Announcement::ResourcesListChanged => list_changed("notifications/resources/list_changed"),
            Announcement::ResourceUpdated(uri) => {
                tagged(&self.id, "notifications/resources/updated", &ResourceUpdated { uri: &uri })
            }
        })
    }

    /// The result of the request, for when the server has ended the subscription.
    #[must_use]
    pub fn into_result(self) -> Box<RawValue> {
        self.result
    }
}
