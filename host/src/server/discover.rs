//! `server/discover`: what this server speaks and can.

use serde::Serialize;
use serde_json::value::RawValue;

use super::{LISTS, Server};
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
}

/// What the server does for a kind of things that it lists.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Lists {
    /// It says when the list changes.
    list_changed: bool,
}

impl Server {
    pub(super) fn discover(&self) -> Result<Box<RawValue>, RpcError> {
        self.complete(&DiscoverResult {
            supported_versions: SUPPORTED_VERSIONS,
            capabilities: ServerCapabilities { tools: Lists { list_changed: true } },
            caching: LISTS,
        })
    }
}
