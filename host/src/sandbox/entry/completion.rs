//! Completing an argument.

use wasmtime::Store;
use wasmtime::component::Instance;

use super::{Entry, Returned, lacks};
use crate::protocol::completion::{CompleteParams, Completion, MAX_VALUES, Reference};
use crate::sandbox::bindings::exports::dacapo::handler::completions;
use crate::sandbox::convert;
use crate::sandbox::guest::Guest;
use crate::sandbox::program::Program;

/// A request for suggestions.
#[derive(Debug)]
pub(crate) struct Complete(pub(crate) CompleteParams);

impl Entry for Complete {
    type Output = Completion;

    async fn enter(
        self,
        program: &Program,
        instance: &Instance,
        store: &mut Store<Guest>,
    ) -> wasmtime::Result<Returned<Completion>> {
        let export = program.exports.complete.as_ref().ok_or_else(|| lacks("completions"))?;
        let Self(params) = self;
        let reference = match params.r#ref {
            Reference::Prompt { name } => completions::Reference::Prompt(name),
            Reference::Resource { uri } => completions::Reference::ResourceTemplate(uri),
        };
        let resolved: Vec<_> = params.context.unwrap_or_default().arguments.into_iter().collect();
        let params = (&reference, params.argument.name.as_str(), params.argument.value.as_str(), resolved.as_slice());
        let (result,) = export.of(instance, store)?.call_async(store, params).await?;
        Ok(match result {
            Ok(mut completion) => {
                let more = completion.values.len() > MAX_VALUES;
                completion.values.truncate(MAX_VALUES);
                Ok(Ok(Completion {
                    values: completion.values,
                    total: completion.total,
                    has_more: if more { Some(true) } else { completion.has_more },
                }))
            }
            Err(error) => convert::protocol_error(error).map(Err),
        })
    }
}
