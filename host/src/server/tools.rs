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
use crate::protocol::params::CallParams;
use crate::sandbox::Attempt;
use crate::sandbox::entry::tool::CallTool;

impl Server {
    pub(super) fn list_tools(&self, params: Option<&RawValue>) -> Result<Box<RawValue>, RpcError> {
        let start = List::Tools.start(params)?;
        self.page(&start, self.registry.catalogue().tools(start.after()))
    }

    pub(super) async fn call_tool(
        &self,
        params: Option<&RawValue>,
        meta: &RequestMeta,
        caller: &Caller,
    ) -> Result<Box<RawValue>, RpcError> {
        let params = CallParams::read(params)?;
        let name = params.original.text("name")?;
        // The catalogue may change while the handler runs; this call goes on with what it found.
        let handler = self.registry.catalogue().tool(&name).map(Arc::clone);
        let schemas = handler.as_ref().and_then(|handler| handler.schemas.get(&name)).map(Arc::clone);
        let (handler, schemas) = handler.zip(schemas).ok_or_else(|| {
            RpcError::invalid_params(format!("there is no tool \"{name}\"; tools/list names those that there are"))
        })?;
        params.original.object("arguments")?;
        let conversation = Conversation::new(self, Method::ToolsCall, &params, &handler, &name, caller)?;
        let (opened, original) = conversation.open(&params, meta)?;
        // A replay reads the arguments as they were written first, whatever the spelling of the retry.
        let arguments = original.as_ref().unwrap_or(&params.original).object("arguments")?.unwrap_or("{}");
        // Those of a retry are the token's, and fitted when it was issued.
        if original.is_none()
            && let Some(refusal) = schemas.refuse(arguments).await
        {
            return self.complete(&refusal);
        }
        let entry = CallTool { name: &name, arguments };
        let Attempt { ending, ledger } = conversation.run(opened, entry, meta, caller).await?;
        let outcome = conversation.outcome(Attempt { ending: schemas.settle(ending).await, ledger })?;
        conversation.write(outcome, |mut result| {
            let meta = result.meta.take();
            (result, meta)
        })
    }

    /// The arguments of a tool that its clients repeat in headers. None where there is no such tool.
    #[must_use]
    pub fn header_params(&self, tool: &str) -> Arc<[HeaderParam]> {
        let catalogue = self.registry.catalogue();
        let schemas = catalogue.tool(tool).and_then(|handler| handler.schemas.get(tool));
        schemas.map(|schemas| Arc::clone(schemas.header_params())).unwrap_or_default()
    }
}
