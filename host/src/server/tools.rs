//! `tools/list` and `tools/call`.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::conversation::Conversation;
use super::lists::List;
use super::{Caller, Server};
use crate::protocol::error::RpcError;
use crate::protocol::header_params::HeaderParam;
use crate::protocol::meta::RequestMeta;
use crate::protocol::method::Method;
use crate::protocol::params::{CallParams, Params};
use crate::registry::catalogue::Catalogue;
use crate::registry::handler::Handler;
use crate::sandbox::Attempt;
use crate::sandbox::entry::tool::CallTool;

impl Server {
    pub(super) fn list_tools(&self, params: &Params) -> Result<Box<RawValue>, RpcError> {
        let start = List::Tools.start(params)?;
        self.page(&start, self.registry.catalogue().tools(start.after()))
    }

    pub(super) async fn call_tool(
        &self,
        params: Params,
        meta: &RequestMeta,
        caller: &Caller,
    ) -> Result<Box<RawValue>, RpcError> {
        let params = CallParams::read(params)?;
        let name = params.original.text("name")?;
        params.original.object("arguments")?;
        let missing =
            || RpcError::invalid_params(format!("there is no tool \"{name}\"; tools/list names those that there are"));
        let find = |catalogue: &Catalogue| catalogue.tool(&name).cloned().ok_or_else(missing);
        let (conversation, mut opened) =
            Conversation::open(self, Method::ToolsCall, &params, &name, caller, meta, find)?;
        let schemas = conversation.handler.schemas.get(&*name).cloned().ok_or_else(missing)?;
        // A replay reads the arguments as they were written first, whatever the spelling of the retry.
        let original = opened.original.take();
        let arguments = original.as_ref().unwrap_or(&params.original).object("arguments")?.unwrap_or("{}");
        // Those of a retry are the token's, and fitted when it was issued.
        if original.is_none()
            && let Some(refusal) = schemas.refuse(arguments).await
        {
            return self.complete(&refusal);
        }
        let entry = CallTool { name: &name, arguments };
        let Attempt { ending, ledger, backtrace } = conversation.run(opened, entry, meta, caller).await?;
        let outcome = conversation.outcome(Attempt { ending: schemas.settle(ending).await, ledger, backtrace }).await?;
        conversation.write(outcome, |mut result| {
            let meta = result.meta.take();
            (result, meta)
        })
    }

    /// The arguments of a tool that its clients repeat in headers; nothing where there is no such tool.
    #[must_use]
    pub fn header_params(&self, tool: &str) -> Option<Arc<[HeaderParam]>> {
        self.registry.catalogue().tool(tool).and_then(|handler| header_params(handler, tool))
    }

    /// The same, of each replaced revision with which a retry may go on.
    #[must_use]
    pub fn replaced_header_params(&self, tool: &str) -> Vec<Arc<[HeaderParam]>> {
        let catalogue = self.registry.catalogue();
        catalogue.all_pinned().filter_map(|pinned| header_params(&pinned.handler, tool)).collect()
    }
}

fn header_params(handler: &Handler, tool: &str) -> Option<Arc<[HeaderParam]>> {
    handler.schemas.get(tool).map(|schemas| Arc::clone(schemas.header_params()))
}
