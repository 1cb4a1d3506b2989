//! `tools/list` and `tools/call`.

use std::sync::Arc;
use std::time::SystemTime;

use dacapo_replay::Walk;
use serde::Serialize;
use serde_json::value::RawValue;

use super::conversation::{self, Handling, Outcome};
use super::{Caller, LISTS, Server};
use crate::carrier::Binding;
use crate::protocol::error::RpcError;
use crate::protocol::header_params::HeaderParam;
use crate::protocol::meta::RequestMeta;
use crate::protocol::params::CallParams;
use crate::protocol::result::{Caching, ResultType};
use crate::sandbox::{Attempt, Call};

#[derive(Serialize)]
struct ListToolsResult<T> {
    tools: T,
    #[serde(flatten)]
    caching: Caching,
}

impl Server {
    pub(super) fn list_tools(&self, params: Option<&RawValue>) -> Result<Box<RawValue>, RpcError> {
        #[derive(serde::Deserialize)]
        struct Params {
            cursor: Option<String>,
        }
        let params = params.and_then(|params| serde_json::from_str::<Params>(params.get()).ok());
        if let Some(cursor) = params.and_then(|params| params.cursor) {
            return Err(RpcError::invalid_params(format!(
                "params.cursor \"{cursor}\" was not issued by this server; list again without it"
            )));
        }
        self.complete(&ListToolsResult { tools: self.registry.catalogue().tools(), caching: LISTS })
    }

    pub(super) async fn call_tool(
        &self,
        params: Option<&RawValue>,
        meta: &RequestMeta,
        caller: Caller,
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
        let binding = Binding {
            method: "tools/call",
            params: &params.original,
            principal: caller.principal.as_deref(),
            component: handler.digest.as_ref(),
        };
        let handling = Handling { server: self, handler: &handler, target: &name, binding: &binding };
        let now = SystemTime::now();
        let opened = self
            .wire
            .open(&binding, params.request_state.as_deref(), params.input_responses.as_ref(), now)
            .map_err(|rejected| handling.rejected(&rejected))?;
        let askable = meta.capabilities.askable();
        // A replay reads the arguments as they were written first, whatever the spelling of the retry.
        let (ledger, original) = if let Some((ledger, original)) = opened {
            (ledger, Some(original))
        } else {
            // Those of a retry are the token's, and fitted when it was issued.
            let arguments = params.original.object("arguments")?.unwrap_or("{}");
            if let Some(refusal) = schemas.refuse(arguments) {
                return self.complete(&refusal);
            }
            (conversation::begin(meta, askable, now)?, None)
        };
        let arguments = original.as_ref().unwrap_or(&params.original).object("arguments")?.unwrap_or("{}");
        let call = Call {
            handler: handler.name.clone().into(),
            target: name.clone(),
            principal: caller.principal.clone(),
            progress: caller.progress,
        };
        let walk = Walk::start(ledger, askable, self.sandbox.limits().conversation);
        let attempt = self.sandbox.call_tool(&handler.program, call, arguments, walk).await;
        let attempt = Attempt { ending: schemas.settle(attempt.ending), ..attempt };
        match handling.conclude(attempt)? {
            Outcome::InputRequired(result) => Ok(result),
            Outcome::Complete(mut result) => {
                let meta = result.meta.take();
                self.write(ResultType::Complete, meta, &result)
            }
        }
    }

    /// The arguments of a tool that its clients repeat in headers. None where there is no such tool.
    #[must_use]
    pub fn header_params(&self, tool: &str) -> Arc<[HeaderParam]> {
        let catalogue = self.registry.catalogue();
        let schemas = catalogue.tool(tool).and_then(|handler| handler.schemas.get(tool));
        schemas.map(|schemas| Arc::clone(schemas.header_params())).unwrap_or_default()
    }
}
