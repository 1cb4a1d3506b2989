//! One function a method, dispatch, capability gates.
//!
//! # Layout
//!
//! - [`discover`]: `server/discover`
//! - [`tools`]: `tools/list` and `tools/call`
//! - [`subscriptions`]: the method `subscriptions/listen`
//! - [`conversation`]: from how an attempt ended to what the client is told

mod conversation;
mod discover;
mod subscriptions;
mod tools;

pub use subscriptions::Subscription;

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::mpsc;

use crate::announce::Hub;
use crate::carrier::Wire;
use crate::protocol::error::RpcError;
use crate::protocol::jsonrpc::Request;
use crate::protocol::meta::RequestMeta;
use crate::protocol::method::Method;
use crate::protocol::result::{CacheScope, Caching, Implementation, ResultType, write};
use crate::registry::Registry;
use crate::sandbox::Sandbox;
use crate::sandbox::attempt::Progress;

/// Serves the protocol's methods, whatever brings them here.
pub struct Server {
    registry: Arc<Registry>,
    sandbox: Arc<Sandbox>,
    wire: Wire,
    hub: Hub,
    info: Implementation,
}

/// What a request is answered with.
pub enum Answer {
    /// Its result, as JSON.
    Result(Box<RawValue>),
    /// Messages, until one side ends it.
    Subscription(Subscription),
}

/// Who calls, and where to send what happens on the way.
#[derive(Clone, Debug, Default)]
pub struct Caller {
    /// Who calls, as the host has verified.
    pub principal: Option<Arc<str>>,
    /// Where progress goes; nowhere when the client did not ask for it.
    pub progress: Option<mpsc::Sender<Progress>>,
}

impl Server {
    /// A server over `registry`, whose handlers run in `sandbox`, whose conversations travel by `wire`, and whose
    /// clients listen at `hub`.
    #[must_use]
    pub fn new(registry: Arc<Registry>, sandbox: Arc<Sandbox>, wire: Wire, hub: Hub) -> Self {
        let info = Implementation { name: env!("CARGO_PKG_NAME").into(), version: env!("CARGO_PKG_VERSION").into() };
        Self { registry, sandbox, wire, hub, info }
    }

    /// Serves one request.
    ///
    /// Dropping the future cancels the request.
    ///
    /// # Errors
    ///
    /// What the client is to be told instead.
    pub async fn handle(
        &self,
        method: Method,
        request: &Request,
        meta: &RequestMeta,
        caller: Caller,
    ) -> Result<Answer, RpcError> {
        let params = request.params.as_deref();
        let result = match method {
            Method::Listen => return self.listen(request).map(Answer::Subscription),
            Method::Discover => self.discover(),
            Method::ToolsList => self.list_tools(params),
            Method::ToolsCall => self.call_tool(params, meta, caller).await,
        };
        result.map(Answer::Result)
    }

    /// Ends every subscription, and takes no more.
    pub fn close(&self) {
        self.hub.close();
    }

    /// Writes a result that is the last word.
    fn complete(&self, body: &impl Serialize) -> Result<Box<RawValue>, RpcError> {
        self.write(ResultType::Complete, None, body)
    }

    fn write(
        &self,
        kind: ResultType,
        meta: Option<serde_json::Map<String, serde_json::Value>>,
        body: &impl Serialize,
    ) -> Result<Box<RawValue>, RpcError> {
        write(kind, &self.info, meta, body).map_err(|error| {
            tracing::error!(%error, "a result can't be written");
            RpcError::internal("the result can't be written; the server's log says why")
        })
    }
}

/// A list may change with the next upload, so it is stale at once. It is the same for every caller.
const LISTS: Caching = Caching { ttl_ms: 0, cache_scope: CacheScope::Public };
