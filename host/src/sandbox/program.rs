//! A component, compiled and ready to run.

use std::sync::Arc;

use wasmtime::component::{Component, InstancePre, Linker};

use super::bindings::exports::dacapo::handler::{completions, prompts, resources, tools};
use super::compile::{compile, invalid};
use super::contract;
use super::engine::Sandbox;
use super::entry::completion::Complete;
use super::entry::prompt::GetPrompt;
use super::entry::resource::ReadResource;
use super::entry::tool::CallTool;
use super::examine::Terms;
use super::export::Export;
use super::guest::Guest;
use super::network;
use super::refusal::CompileError;

/// A handler's code, ready to run. Cheap to clone.
#[derive(Clone)]
pub struct Program {
    pub(super) instance: InstancePre<Guest>,
    pub(super) exports: Arc<Exports>,
}

/// What a component exports of the contract.
pub(super) struct Exports {
    /// What lists its tools, and so on.
    pub(super) tools: Option<tools::GuestIndices>,
    pub(super) prompts: Option<prompts::GuestIndices>,
    pub(super) resources: Option<resources::GuestIndices>,
    /// What calls are made of.
    pub(super) call_tool: Option<Export<CallTool<'static>>>,
    pub(super) get_prompt: Option<Export<GetPrompt<'static>>>,
    pub(super) read_resource: Option<Export<ReadResource<'static>>>,
    pub(super) complete: Option<Export<Complete>>,
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
        let exported = |interface: &str| ty.exports(&self.engine).any(|(name, _)| contract::is(name, interface));
        let mismatch = |error: wasmtime::Error| CompileError::Mismatch(format!("{error:#}"));
        let mut linker = linker.clone();
        network::link(&mut linker, &ty, &self.engine).map_err(mismatch)?;
        let instance = linker.instantiate_pre(component).map_err(mismatch)?;
        let tools = exported("tools").then(|| tools::GuestIndices::new(&instance));
        let prompts = exported("prompts").then(|| prompts::GuestIndices::new(&instance));
        let resources = exported("resources").then(|| resources::GuestIndices::new(&instance));
        let completions = exported("completions").then(|| completions::GuestIndices::new(&instance));
        completions.transpose().map_err(mismatch)?;
        let exports = Exports {
            tools: tools.transpose().map_err(mismatch)?,
            prompts: prompts.transpose().map_err(mismatch)?,
            resources: resources.transpose().map_err(mismatch)?,
            call_tool: Export::find(component),
            get_prompt: Export::find(component),
            read_resource: Export::find(component),
            complete: Export::find(component),
        };
        Ok(Program { instance, exports: Arc::new(exports) })
    }
}
