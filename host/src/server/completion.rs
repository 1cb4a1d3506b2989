//! `completion/complete`.

use std::sync::Arc;

use dacapo_replay::{Ending, Fault, Stop};
use serde::Serialize;
use serde_json::value::RawValue;

use super::conversation::{check_size, over, refused, within};
use super::{Caller, Server};
use crate::protocol::completion::{CompleteParams, Completion, Reference};
use crate::protocol::error::RpcError;
use crate::protocol::params::Params;
use crate::sandbox::Call;
use crate::sandbox::attempt::empty_walk;
use crate::sandbox::entry::completion::Complete;

#[derive(Serialize)]
struct CompleteResult {
    completion: Completion,
}

impl Server {
    pub(super) async fn complete_argument(&self, params: &Params, caller: &Caller) -> Result<Box<RawValue>, RpcError> {
        let size = params.size();
        let params = CompleteParams::read(params)?;
        let catalogue = self.registry.catalogue().clone();
        let (kind, target, found) = match &params.r#ref {
            Reference::Prompt { name } => ("prompt", name, catalogue.prompt(name)),
            Reference::Resource { uri } => ("resource template", uri, catalogue.template(uri)),
        };
        let missing = || RpcError::invalid_params(format!("there is no {kind} \"{target}\" to complete arguments of"));
        let handler = Arc::clone(found.ok_or_else(missing)?);
        check_size(&handler, size)?;
        let target = target.clone();
        if !handler.program.completes() {
            return self.complete(&CompleteResult { completion: Completion::default() });
        }
        let call = Call {
            tenant: Arc::clone(&handler.tenant),
            target: target.clone(),
            principal: caller.principal.clone(),
            progress: None,
            announcements: None,
        };
        let walk = empty_walk(&handler.tenant.limits);
        let attempt = self.sandbox.attempt(&handler.program, call, Complete(params), walk).await;
        let attempt = attempt.map_err(|busy| refused(&handler, busy))?;
        let what = match attempt.ending {
            Ending::Completed(completion) => {
                return within(&handler, &target, self.complete(&CompleteResult { completion: completion? })?);
            }
            // No client may be asked anything here, so none is said to take it.
            Ending::Stopped(Stop::NotAskable(_)) => "it asked for input, which a completion may not".to_owned(),
            Ending::Stopped(stop) => stop.to_string(),
            Ending::Failed(Fault::Exceeded(exceeded)) => return Err(over(&handler, &target, &exceeded)),
            Ending::Failed(fault) => fault.to_string(),
        };
        tracing::error!(handler = %handler.name, revision = handler.revision, error = what, "completion failed");
        Err(RpcError::internal("the handler failed; the server's log says more"))
    }
}
