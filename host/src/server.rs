//! One function a method, dispatch, capability gates.
//!
//! # Layout
//!
//! - `discover`: the method `server/discover`
//! - `tools`: the methods `tools/list` and `tools/call`
//! - `prompts`: the methods `prompts/list` and `prompts/get`
//! - `resources`: the methods `resources/list`, `resources/templates/list` and `resources/read`
//! - `completion`: the method `completion/complete`
//! - `subscriptions`: the method `subscriptions/listen`
//! - `lists`: lists, page by page
//! - `conversation`: from how an attempt ended to what the client is told

mod completion;
mod conversation;
mod discover;
mod lists;
mod prompts;
mod resources;
mod subscriptions;
mod tools;

pub use subscriptions::Subscription;

use std::sync::Arc;

use dacapo_replay::RetryPolicy;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::mpsc;

use crate::announce::Hub;
use crate::carrier::Wire;
use crate::protocol::error::RpcError;
use crate::protocol::jsonrpc::Request;
use crate::protocol::meta::RequestMeta;
use crate::protocol::method::Method;
use crate::protocol::result::{Caching, Implementation, ResultType, write};
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
    policy: RetryPolicy,
    lists: Lists,
    /// How long a resource that was read is good.
    reads: Caching,
}

/// How lists are given out.
#[derive(Clone, Copy, Debug)]
pub struct Lists {
    /// How many items one page has at most; at least 1.
    pub page_size: usize,
    /// How long a page is good.
    pub caching: Caching,
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
    pub fn new(
        registry: Arc<Registry>,
        sandbox: Arc<Sandbox>,
        wire: Wire,
        hub: Hub,
        policy: RetryPolicy,
        lists: Lists,
        reads: Caching,
    ) -> Self {
        let info = Implementation { name: env!("CARGO_PKG_NAME").into(), version: env!("CARGO_PKG_VERSION").into() };
        Self { registry, sandbox, wire, hub, info, policy, lists, reads }
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
        request: Request,
        meta: &RequestMeta,
        caller: Caller,
    ) -> Result<Answer, RpcError> {
        let result = match method {
            Method::Listen => return self.listen(&request).map(Answer::Subscription),
            Method::Discover => self.discover(),
            Method::ToolsList => self.list_tools(&request.params),
            Method::ToolsCall => self.call_tool(request.params, meta, &caller).await,
            Method::PromptsList => self.list_prompts(&request.params),
            Method::PromptsGet => self.get_prompt(request.params, meta, &caller).await,
            Method::ResourcesList => self.list_resources(&request.params),
            Method::ResourceTemplatesList => self.list_templates(&request.params),
            Method::ResourcesRead => self.read_resource(request.params, meta, &caller).await,
            Method::Complete => self.complete_argument(&request.params, &caller).await,
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
