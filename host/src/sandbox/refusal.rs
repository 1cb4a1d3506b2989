//! Why a file is no handler.

use std::time::Duration;

use bytesize::ByteSize;
use serde::{Deserialize, Serialize};

use super::capacity::Excess;
use super::contract;

/// Why a file is no handler, or none that this host takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum CompileError {
    /// It is not WebAssembly.
    #[error("this is not WebAssembly: {0}; expected a component (the output of `cargo build --target wasm32-wasip2`)")]
    NotWasm(String),
    /// It is a core module that does not say what component it is meant to be.
    #[error(
        "this is a core WebAssembly module that does not say which contract it is written for (it has no \
         \"component-type\" section); expected a component: build for wasm32-wasip2, or make one of it with `wasm-tools \
         component embed` and `wasm-tools component new`"
    )]
    CoreModule,
    /// It is a core module that can't be made the component it is meant to be.
    #[error(
        "this core module can't be made the component that it is meant to be: {0}; build for wasm32-wasip2 instead"
    )]
    NotComponentized(String),
    /// It ends too early.
    #[error(
        "this file is cut short: it ends after {length} bytes, in the middle of something ({what}); copy or build it again"
    )]
    CutShort {
        /// How long it is.
        length: usize,
        /// Where, and what was expected.
        what: String,
    },
    /// It is a component, but not a valid one.
    #[error("this component is not valid: {0}; build it again, with a current toolchain")]
    Invalid(String),
    /// It has functions that run beside each other.
    #[error(
        "this component has asynchronous functions (WASI 0.3); handlers are plain functions: build it for WASI 0.2 \
         (wasm32-wasip2)"
    )]
    Asynchronous,
    /// It has too many functions.
    #[error("this component has {found} functions; the host compiles at most {limit} (--max-functions)")]
    TooManyFunctions {
        /// How many it has.
        found: u64,
        /// How many it may have.
        limit: u64,
    },
    /// It needs more of something than the host gives.
    #[error("this component {0}")]
    OverCapacity(Excess),
    /// It offers nothing.
    #[error(
        "this component is no handler: it exports {}; expected at least one of {}tools, prompts, resources or completions \
         @{}",
        if exports.is_empty() { "nothing".to_owned() } else { exports.join(", ") },
        contract::PACKAGE,
        contract::VERSION
    )]
    NoHandler {
        /// What it exports.
        exports: Vec<String>,
    },
    /// It is a handler of another version of the contract.
    #[error(
        "this component is built against another version of the contract: {}; this host has {}* @{}. Build it with the \
         dacapo-guest or the wit/ of this host's version",
        names.join(", "),
        contract::PACKAGE,
        contract::VERSION
    )]
    OtherContract {
        /// The interfaces of the contract in a version that the host does not have.
        names: Vec<String>,
    },
    /// It wants what handlers do not get.
    #[error(
        "this component imports {}, which handlers do not get; they get {}* @{} and WASI 0.2 without HTTP{}",
        missing.join(", "),
        contract::PACKAGE,
        contract::VERSION,
        contract::hint(missing)
    )]
    Imports {
        /// The imports that can't be satisfied.
        missing: Vec<String>,
    },
    /// What it imports or exports has the contract's names, and other types.
    #[error(
        "this component's imports or exports are not of the contract's types: {0}; build it against the wit/ of this \
         host's version"
    )]
    Mismatch(String),
    /// It took too long to compile.
    #[error(
        "this component was not compiled within {} of processor time, or ten times that on the clock (--compile-timeout); are \
         there enormous functions in it?",
        humantime::format_duration(*.limit)
    )]
    Timeout {
        /// How much processor time it may take.
        limit: Duration,
    },
    /// It took too much memory to compile.
    #[error(
        "this component was not compiled within {} of memory (--compile-memory); are there enormous functions in it?",
        ByteSize::b(*.limit)
    )]
    Memory {
        /// How many bytes it may take.
        limit: u64,
    },
    /// The compiler ended in the middle of its work.
    #[error("the compiler ended in the middle of this component ({how}); the host's log says more")]
    Crashed {
        /// How it ended.
        how: String,
    },
}

impl CompileError {
    /// A stable word for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotWasm(_) => "not-wasm",
            Self::CoreModule => "core-module",
            Self::NotComponentized(_) => "not-componentized",
            Self::CutShort { .. } => "cut-short",
            Self::Invalid(_) => "invalid-component",
            Self::Asynchronous => "asynchronous",
            Self::TooManyFunctions { .. } => "too-many-functions",
            Self::OverCapacity(_) => "over-capacity",
            Self::NoHandler { .. } => "not-a-handler",
            Self::OtherContract { .. } => "other-contract",
            Self::Imports { .. } => "unsatisfied-imports",
            Self::Mismatch(_) => "contract-mismatch",
            Self::Timeout { .. } => "compile-timeout",
            Self::Memory { .. } => "compile-memory",
            Self::Crashed { .. } => "compiler-crashed",
        }
    }
}
