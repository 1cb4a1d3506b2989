//! Calling a tool.

use dacapo_replay::Walk;
use wasmtime::Store;
use wasmtime::component::Instance;

use super::{Entry, Returned, lacks};
use crate::protocol::tool::CallToolResult;
use crate::sandbox::attempt::{Attempt, Call};
use crate::sandbox::convert;
use crate::sandbox::engine::Sandbox;
use crate::sandbox::guest::Guest;
use crate::sandbox::program::Program;
use crate::sandbox::queue::Busy;

/// A call of a tool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallTool<'a> {
    /// The tool's name.
    pub(crate) name: &'a str,
    /// The arguments: a JSON object.
    pub(crate) arguments: &'a str,
}

impl Sandbox {
    /// Calls a tool: one attempt of its handler, from the top, along `walk`. The result is not held against the tool's schema.
    ///
    /// # Errors
    ///
    /// When too many wait already, or the turn does not come within the handler's deadline.
    pub async fn call_tool(
        &self,
        program: &Program,
        call: Call,
        name: &str,
        arguments: &str,
        walk: Walk,
    ) -> Result<Attempt<CallToolResult>, Busy> {
        self.attempt(program, call, CallTool { name, arguments }, walk).await
    }
}

impl Entry for CallTool<'_> {
    type Output = CallToolResult;

    async fn enter(
        self,
        program: &Program,
        instance: &Instance,
        store: &mut Store<Guest>,
    ) -> wasmtime::Result<Returned<CallToolResult>> {
        let export = program.exports.call_tool.as_ref().ok_or_else(|| lacks("tools"))?;
        let (result,) = export.of(instance, store)?.call_async(store, (self.name, self.arguments)).await?;
        Ok(match result {
            Ok(result) => convert::tool::tool_result(result).map(Ok),
            Err(error) => convert::protocol_error(error).map(Err),
        })
    }
}
