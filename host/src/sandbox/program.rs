//! A component, compiled and ready to run.

use std::sync::Arc;

use wasmtime::component::{Component, InstancePre, Linker};

use super::compile::{compile, invalid};
use super::engine::Sandbox;
use super::examine::Terms;
use super::exports::Exports;
use super::guest::Guest;
use super::network;
use super::refusal::CompileError;

/// A handler's code, ready to run. Cheap to clone.
#[derive(Clone)]
pub struct Program {
    pub(super) instance: InstancePre<Guest>,
    pub(super) exports: Arc<Exports>,
}

impl Program {
    /// Whether it completes arguments.
    #[must_use]
    pub fn completes(&self) -> bool {
        self.exports.complete.is_some()
    }
}

impl Sandbox {
    /// Checks, against `terms`, and compiles a component or a core module in this process: for files of whoever started it. What others upload
    /// is for a [`Compiler`](super::compiler::Compiler). Takes from milliseconds to seconds of all cores.
    ///
    /// # Errors
    ///
    /// When it is no handler, and why.
    pub fn compile(&self, wasm: &[u8], terms: &Terms) -> Result<Program, CompileError> {
        let compiled = compile(&self.engine, wasm, terms)?;
        // SAFETY: compiled here, right now.
        #[expect(unsafe_code, reason = "see above")]
        unsafe {
            self.load(&compiled)
        }
    }

    /// Takes up compiled code.
    ///
    /// # Errors
    ///
    /// When it was made by another version of wasmtime or with other settings, or does not fit the contract.
    ///
    /// # Safety
    ///
    /// `compiled` must be what [`compile`] or a [`Compiler`](super::compiler::Compiler) returned, untouched: it is machine
    /// code, and runs as such.
    #[expect(unsafe_code, reason = "wasmtime trusts compiled code; the caller vouches for it")]
    pub unsafe fn load(&self, compiled: &[u8]) -> Result<Program, CompileError> {
        // SAFETY: passed on to the caller.
        let component = unsafe { Component::deserialize(&self.engine, compiled) }.map_err(invalid)?;
        self.link(&self.linker, &component)
    }

    /// Gives a component what it imports, and finds what it exports.
    pub(super) fn link(&self, linker: &Linker<Guest>, component: &Component) -> Result<Program, CompileError> {
        let ty = component.component_type();
        let mismatch = |error: wasmtime::Error| CompileError::Mismatch(format!("{error:#}"));
        let mut linker = linker.clone();
        network::link(&mut linker, &ty, &self.engine).map_err(mismatch)?;
        let instance = linker.instantiate_pre(component).map_err(mismatch)?;
        let exports = Exports::find(component, &instance, &self.engine).map_err(mismatch)?;
        Ok(Program { instance, exports: Arc::new(exports) })
    }
}
