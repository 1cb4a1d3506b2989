//! From what was uploaded to code.
//!
//! This is a function of the bytes alone, so that it can be done in a process of its own ([`compiler`](super::compiler)) as
//! well as in this one.

use wasmtime::Engine;

use super::examine::{Terms, examine};
use super::refusal::CompileError;

/// Checks what was uploaded, and compiles it for engines with the settings of `engine`.
///
/// # Errors
///
/// The first reason not to take it.
pub fn compile(engine: &Engine, wasm: &[u8], terms: &Terms) -> Result<Vec<u8>, CompileError> {
    let examined = examine(wasm, terms)?;
    match examined.refusals.into_iter().next() {
        Some(refusal) => Err(refusal),
        None => engine.precompile_component(&examined.component).map_err(invalid),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in `map_err`")]
pub(super) fn invalid(error: wasmtime::Error) -> CompileError {
    CompileError::Invalid(format!("{error:#}"))
}
