//! `server/discover`: what this server speaks and can.

use serde::Serialize;
use serde_json::value::RawValue;

use super::Server;
use crate::protocol::SUPPORTED_VERSIONS;
use crate::protocol::error::RpcError;
use crate::protocol::result::Caching;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DiscoverResult {
    supported_versions: &'static [&'static str],
    capabilities: ServerCapabilities,
    #[serde(flatten)]
    caching: Caching,
}

#[derive(Serialize)]
struct ServerCapabilities {
    tools: Lists,
    prompts: Lists,
    resources: Resources,
    completions: Completions,
}

/// What the server does for a kind of things that it lists.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Lists {
    /// It says when the list changes.
    list_changed: bool,
}

/// What the server does for resources.
#[derive(Serialize)]
struct Resources {
    /// It says when one that a client watches has changed.
    subscribe: bool,
    #[serde(flatten)]
    lists: Lists,
}

/// That the server completes arguments.
#[derive(Serialize)]
struct Completions {}

impl Server {
    pub(super) fn discover(&self) -> Result<Box<RawValue>, RpcError> {
        self.complete(&DiscoverResult {
            supported_versions: SUPPORTED_VERSIONS,
            capabilities: ServerCapabilities {
                tools: Lists { list_changed: true },
                prompts: Lists { list_changed: true },
                resources: Resources { subscribe: true, lists: Lists { list_changed: true } },
                completions: Completions {},
            },
            caching: self.lists.caching,
        })
    }
}
