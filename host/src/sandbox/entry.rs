//! What a handler can be called for.
//!
//! # Layout
//!
//! - [`tool`], [`prompt`], [`resource`], [`completion`]: one way in each

pub(crate) mod completion;
pub(crate) mod prompt;
pub(crate) mod resource;
pub(crate) mod tool;

use dacapo_replay::Fault;
use wasmtime::Store;
use wasmtime::component::Instance;

use super::guest::Guest;
use super::program::Program;
use crate::protocol::error::RpcError;

/// What a handler returned, brought into the protocol's form: a result, or an error of its own; or a fault where it is not
/// well formed.
pub(crate) type Returned<T> = Result<Result<T, RpcError>, Fault>;

/// One way into a handler.
pub(crate) trait Entry: Send {
    /// What it results in.
    type Output: Send;

    /// Calls the handler's export.
    fn enter(
        self,
        program: &Program,
        instance: &Instance,
        store: &mut Store<Guest>,
    ) -> impl Future<Output = wasmtime::Result<Returned<Self::Output>>> + Send;
}

/// The error for a program that lacks what the catalogue says it has: a bug of the host's.
fn lacks(what: &str) -> wasmtime::Error {
    wasmtime::format_err!("the component does not export {what}")
}
