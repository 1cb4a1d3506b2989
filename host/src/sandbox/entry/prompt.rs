//! Working out a prompt.

use std::collections::BTreeMap;

use wasmtime::Store;
use wasmtime::component::Instance;

use super::{Entry, Returned, lacks};
use crate::protocol::prompt::GetPromptResult;
use crate::sandbox::convert;
use crate::sandbox::guest::Guest;
use crate::sandbox::program::Program;

/// A request for a prompt.
#[derive(Clone, Debug)]
pub(crate) struct GetPrompt<'a> {
    /// The prompt's name.
    pub(crate) name: &'a str,
    /// The arguments, by name.
    pub(crate) arguments: BTreeMap<String, String>,
}

impl Entry for GetPrompt<'_> {
    type Output = GetPromptResult;

    async fn enter(
        self,
        program: &Program,
        instance: &Instance,
        store: &mut Store<Guest>,
    ) -> wasmtime::Result<Returned<GetPromptResult>> {
        let export = program.exports.get_prompt.as_ref().ok_or_else(|| lacks("prompts"))?;
        let arguments: Vec<_> = self.arguments.into_iter().collect();
        let (result,) = export.of(instance, store)?.call_async(store, (self.name, arguments.as_slice())).await?;
        Ok(match result {
            Ok(result) => convert::prompt::prompt_result(result).map(Ok),
            Err(error) => convert::protocol_error(error).map(Err),
        })
    }
}
