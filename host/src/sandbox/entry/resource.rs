//! Reading a resource.

use wasmtime::Store;
use wasmtime::component::Instance;

use super::{Entry, Returned, lacks};
use crate::protocol::error::RpcError;
use crate::protocol::resource::ReadResourceResult;
use crate::sandbox::bindings::exports::dacapo::handler::resources::ReadError;
use crate::sandbox::convert;
use crate::sandbox::guest::Guest;
use crate::sandbox::program::Program;

/// A reading of a resource.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadResource<'a> {
    /// The resource's URI.
    pub(crate) uri: &'a str,
}

impl Entry for ReadResource<'_> {
    type Output = ReadResourceResult;

    async fn enter(
        self,
        program: &Program,
        instance: &Instance,
        store: &mut Store<Guest>,
    ) -> wasmtime::Result<Returned<ReadResourceResult>> {
        let export = program.exports.read_resource.as_ref().ok_or_else(|| lacks("resources"))?;
        let (result,) = export.of(instance, store)?.call_async(store, (self.uri,)).await?;
        Ok(match result {
            Ok(result) => convert::resource::read_result(result).map(Ok),
            Err(ReadError::NotFound) => Ok(Err(RpcError::resource_not_found(self.uri))),
            Err(ReadError::Protocol(error)) => convert::protocol_error(error).map(Err),
        })
    }
}
