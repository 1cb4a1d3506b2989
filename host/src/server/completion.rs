//! `completion/complete`.

use std::sync::Arc;

use dacapo_replay::{Ending, Stop};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Caller, Server};
use crate::protocol::completion::{CompleteParams, Completion, Reference};
use crate::protocol::error::RpcError;
use crate::sandbox::Call;
use crate::sandbox::entry::completion::Complete;

#[derive(Serialize)]
struct CompleteResult {
    completion: Completion,
}

impl Server {
    pub(super) async fn complete_argument(
        &self,
        params: Option<&RawValue>,
        caller: &Caller,
    ) -> Result<Box<RawValue>, RpcError> {
        let params = params.map_or("null", RawValue::get);
        let params: CompleteParams = serde_json::from_str(params)
            .map_err(|error| RpcError::invalid_params(format!("params can't be read: {error}")))?;
        let catalogue = self.registry.catalogue().clone();
        let (kind, target, found) = match &params.r#ref {
            Reference::Prompt { name } => ("prompt", name, catalogue.prompt(name)),
            Reference::Resource { uri } => ("resource template", uri, catalogue.template(uri)),
        };
        let missing = || RpcError::invalid_params(format!("there is no {kind} \"{target}\" to complete arguments of"));
        let handler = Arc::clone(found.ok_or_else(missing)?);
        if !handler.program.completes() {
            return self.complete(&CompleteResult { completion: Completion::default() });
        }
        let call = Call {
            handler: handler.name.clone().into(),
            target: target.clone(),
            principal: caller.principal.clone(),
            progress: None,
            announcements: None,
        };
        let attempt = self.sandbox.attempt(&handler.program, call, Complete(params), self.sandbox.empty_walk()).await;
        let what = match attempt.ending {
            Ending::Completed(completion) => return self.complete(&CompleteResult { completion: completion? }),
            // No client may be asked anything here, so none is said to take it.
            Ending::Stopped(Stop::NotAskable(_)) => "it asked for input, which a completion may not".to_owned(),
            Ending::Stopped(stop) => stop.to_string(),
            Ending::Failed(fault) => fault.to_string(),
        };
        tracing::error!(handler = %handler.name, revision = handler.revision, error = what, "completion failed");
        Err(RpcError::internal("the handler failed; the server's log says more"))
    }
}
