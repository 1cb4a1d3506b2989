//! What a component exports of the contract.

use wasmtime::Engine;
use wasmtime::component::{Component, InstancePre};

use super::bindings::dacapo::handler::content::ProtocolError;
use super::bindings::exports::dacapo::handler::{completions, prompts, resources, tools};
use super::contract;
use super::export::{Export, Function};
use super::guest::Guest;

/// What a component exports of the contract; nothing where it lacks the interface.
pub(super) struct Exports {
    /// What lists its tools, and so on.
    pub(super) tools: Option<tools::GuestIndices>,
    pub(super) prompts: Option<prompts::GuestIndices>,
    pub(super) resources: Option<resources::GuestIndices>,
    /// What calls are made of.
    pub(super) call_tool: Option<Export<CallTool>>,
    pub(super) get_prompt: Option<Export<GetPrompt>>,
    pub(super) read_resource: Option<Export<ReadResource>>,
    pub(super) complete: Option<Export<Complete>>,
}

impl Exports {
    /// Finds them.
    ///
    /// # Errors
    ///
    /// When an interface lacks one of its functions.
    pub(super) fn find(
        component: &Component,
        instance: &InstancePre<Guest>,
        engine: &Engine,
    ) -> wasmtime::Result<Self> {
        let ty = component.component_type();
        let exported = |interface: &str| ty.exports(engine).any(|(name, _)| contract::is(name, interface));
        exported("completions").then(|| completions::GuestIndices::new(instance)).transpose()?;
        Ok(Self {
            tools: exported("tools").then(|| tools::GuestIndices::new(instance)).transpose()?,
            prompts: exported("prompts").then(|| prompts::GuestIndices::new(instance)).transpose()?,
            resources: exported("resources").then(|| resources::GuestIndices::new(instance)).transpose()?,
            call_tool: Export::find(component),
            get_prompt: Export::find(component),
            read_resource: Export::find(component),
            complete: Export::find(component),
        })
    }
}

/// `tools.call-tool`
pub(super) enum CallTool {}

impl Function for CallTool {
    const INTERFACE: &'static str = "tools";
    const NAME: &'static str = "call-tool";
    type Params<'a> = (&'a str, &'a str);
    type Return = (Result<tools::ToolResult, ProtocolError>,);
}

/// `prompts.get-prompt`
pub(super) enum GetPrompt {}

impl Function for GetPrompt {
    const INTERFACE: &'static str = "prompts";
    const NAME: &'static str = "get-prompt";
    type Params<'a> = (&'a str, &'a [(String, String)]);
    type Return = (Result<prompts::PromptResult, ProtocolError>,);
}

/// `resources.read-resource`
pub(super) enum ReadResource {}

impl Function for ReadResource {
    const INTERFACE: &'static str = "resources";
    const NAME: &'static str = "read-resource";
    type Params<'a> = (&'a str,);
    type Return = (Result<resources::ReadResult, resources::ReadError>,);
}

/// `completions.complete`
pub(super) enum Complete {}

impl Function for Complete {
    const INTERFACE: &'static str = "completions";
    const NAME: &'static str = "complete";
    type Params<'a> = (&'a completions::Reference, &'a str, &'a str, &'a [(String, String)]);
    type Return = (Result<completions::Completion, ProtocolError>,);
}
