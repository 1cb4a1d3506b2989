//! A component, checked, compiled and ready to run.

use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, InstancePre};

use super::bindings::exports::dacapo::handler::{completions, prompts, resources, tools};
use super::engine::Sandbox;
use super::guest::Guest;
use super::network;

/// The package of the contract, as it stands in the names of interfaces.
const CONTRACT: &str = "dacapo:handler/";
const CONTRACT_VERSION: &str = "@0.1.0";

/// The interfaces that make a component a handler, without package and version.
const EXPORTS: [&str; 4] = ["tools", "prompts", "resources", "completions"];

/// A handler's code, ready to run. Cheap to clone.
#[derive(Clone)]
pub struct Program {
    pub(super) instance: InstancePre<Guest>,
    pub(super) tools: Option<tools::GuestIndices>,
    pub(super) prompts: Option<prompts::GuestIndices>,
    pub(super) resources: Option<resources::GuestIndices>,
    pub(super) completions: Option<completions::GuestIndices>,
}

/// Why a file is no handler.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// It is not WebAssembly.
    #[error("this is not WebAssembly: {0}; expected a component (the output of `cargo build --target wasm32-wasip2`)")]
    NotWasm(String),
    /// It is a core module.
    #[error(
        "this is a core WebAssembly module; expected a component (build for wasm32-wasip2, or run `wasm-tools component new`)"
    )]
    CoreModule,
    /// It is a component, but not a valid one.
    #[error("this component is not valid, or cut short: {0}")]
    Invalid(String),
    /// It offers nothing.
    #[error(
        "this component is no handler: it exports {found}; expected at least one of {CONTRACT}tools, prompts, resources or completions {CONTRACT_VERSION}"
    )]
    NoHandler {
        /// What it exports.
        found: String,
    },
    /// It wants what handlers do not get.
    #[error(
        "this component imports {missing}, which handlers do not get; they get {CONTRACT}* {CONTRACT_VERSION} and WASI 0.2 without HTTP"
    )]
    Imports {
        /// The imports that can't be satisfied.
        missing: String,
    },
}

impl Program {
    /// Whether it completes arguments.
    #[must_use]
    pub fn completes(&self) -> bool {
        self.completions.is_some()
    }
}

impl CompileError {
    /// A stable word for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotWasm(_) => "not-wasm",
            Self::CoreModule => "core-module",
            Self::Invalid(_) => "invalid-component",
            Self::NoHandler { .. } => "not-a-handler",
            Self::Imports { .. } => "unsatisfied-imports",
        }
    }
}

impl Sandbox {
    /// Checks and compiles a component. Takes from milliseconds to seconds of all cores.
    ///
    /// # Errors
    ///
    /// When it is no handler, and why.
    pub fn compile(&self, wasm: &[u8]) -> Result<(Program, Vec<u8>), CompileError> {
        let header = wasm.get(..8).ok_or_else(|| CompileError::NotWasm(format!("it has {} bytes", wasm.len())))?;
        match header {
            [b'\0', b'a', b's', b'm', 0x0d, 0, 1, 0] => {}
            [b'\0', b'a', b's', b'm', 1, 0, 0, 0] => return Err(CompileError::CoreModule),
            [b'\0', b'a', b's', b'm', version @ ..] => {
                return Err(CompileError::NotWasm(format!("its version is {version:02x?}")));
            }
            _ => {
                let start = String::from_utf8_lossy(header);
                return Err(CompileError::NotWasm(format!("it starts with \"{}\"", start.escape_debug())));
            }
        }
        let invalid = |error: wasmtime::Error| CompileError::Invalid(format!("{error:#}"));
        let component = Component::from_binary(&self.engine, wasm).map_err(invalid)?;
        let compiled = component.serialize().map_err(invalid)?;
        Ok((self.link(&component)?, compiled))
    }

    /// Takes up compiled code again.
    ///
    /// # Errors
    ///
    /// When it was made by another version of wasmtime or with other settings.
    ///
    /// # Safety
    ///
    /// `compiled` must be what [`Sandbox::compile`] returned, untouched: it is machine code, and runs as such.
    #[expect(unsafe_code, reason = "wasmtime trusts compiled code; the caller vouches for it")]
    pub unsafe fn load(&self, compiled: &[u8]) -> Result<Program, CompileError> {
        // SAFETY: passed on to the caller.
        let component = unsafe { Component::deserialize(&self.engine, compiled) };
        self.link(&component.map_err(|error| CompileError::Invalid(format!("{error:#}")))?)
    }

    fn link(&self, component: &Component) -> Result<Program, CompileError> {
        let ty = component.component_type();
        let exports: Vec<String> = ty.exports(&self.engine).map(|(name, _)| name.to_owned()).collect();
        let exported = |interface: &str| {
            exports.iter().any(|name| {
                name.strip_prefix(CONTRACT).and_then(|name| name.strip_suffix(CONTRACT_VERSION)) == Some(interface)
            })
        };
        if !EXPORTS.into_iter().any(exported) {
            let found = if exports.is_empty() { "nothing".to_owned() } else { exports.join(", ") };
            return Err(CompileError::NoHandler { found });
        }
        let mut missing: Vec<&str> = ty
            .imports(&self.engine)
            .filter(|(name, import)| !is_linked(name, &import.ty))
            .map(|(name, _)| name)
            .collect();
        if !missing.is_empty() {
            missing.sort_unstable();
            return Err(CompileError::Imports { missing: missing.join(", ") });
        }
        let unlinked = |error: wasmtime::Error| CompileError::Imports { missing: format!("{error:#}") };
        let mut linker = self.linker.clone();
        network::link(&mut linker, &ty, &self.engine).map_err(unlinked)?;
        let instance = linker.instantiate_pre(component).map_err(unlinked)?;
        let mismatch = |error: wasmtime::Error| CompileError::NoHandler { found: format!("{error:#}") };
        let tools = exported("tools").then(|| tools::GuestIndices::new(&instance));
        let prompts = exported("prompts").then(|| prompts::GuestIndices::new(&instance));
        let resources = exported("resources").then(|| resources::GuestIndices::new(&instance));
        let completions = exported("completions").then(|| completions::GuestIndices::new(&instance));
        Ok(Program {
            tools: tools.transpose().map_err(mismatch)?,
            prompts: prompts.transpose().map_err(mismatch)?,
            resources: resources.transpose().map_err(mismatch)?,
            completions: completions.transpose().map_err(mismatch)?,
            instance,
        })
    }
}

/// Whether an import is of a kind that handlers get; that its functions fit is checked when it is linked.
fn is_linked(name: &str, import: &ComponentItem) -> bool {
    // An interface of types alone asks for nothing.
    let (package, version) = name.split_once('@').unwrap_or((name, ""));
    match package.split_once('/') {
        Some(("dacapo:handler", _)) => version == CONTRACT_VERSION.trim_start_matches('@'),
        Some(("wasi:io" | "wasi:clocks" | "wasi:random" | "wasi:cli" | "wasi:filesystem", _)) => {
            version.starts_with("0.2.")
        }
        Some((network::PACKAGE, _)) => version.starts_with("0.2."),
        _ => !matches!(import, ComponentItem::ComponentInstance(_) | ComponentItem::ComponentFunc(_)),
    }
}
