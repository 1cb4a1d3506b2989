//! Looking at what was uploaded, before anything is compiled: the checks in their order.
//!
//! Everything here is a function of the bytes alone, and needs nothing that runs WebAssembly.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use wasi_preview1_component_adapter_provider::{
    WASI_SNAPSHOT_PREVIEW1_ADAPTER_NAME, WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER,
};
use wit_component::ComponentEncoder;

use super::capacity::Capacity;
use super::census::{Census, Kind};
use super::contract;
use super::refusal::CompileError;

/// What a component must keep to.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// How many functions it may have.
    pub max_functions: u64,
    /// What one run of it may take.
    pub capacity: Capacity,
}

/// How many functions a component may have, where nobody says otherwise. JavaScript's and Python's engines, the greatest
/// handlers by far, have some 13,000 each.
pub const MAX_FUNCTIONS: u64 = 100_000;

/// What was found out about an upload without compiling it.
#[derive(Debug)]
pub struct Examined<'a> {
    /// What was uploaded: a component or a core module.
    pub kind: Kind,
    /// What the component holds.
    pub census: Census,
    /// The component: what was uploaded, or what was made of it.
    pub component: Cow<'a, [u8]>,
    /// All reasons not to take it.
    pub refusals: Vec<CompileError>,
}

/// Looks at what was uploaded, and makes a component of it where it is a core module that embeds the contract.
///
/// # Errors
///
/// Where it can't even be looked at. Other reasons not to take it are in [`Examined::refusals`].
pub fn examine<'a>(wasm: &'a [u8], terms: &Terms) -> Result<Examined<'a>, CompileError> {
    let encoding = header(wasm)?;
    let census = Census::take(wasm)?;
    match (encoding, census.kind) {
        (Encoding::Component, kind) => {
            let refusals = refusals(&census, terms);
            Ok(Examined { kind, census, component: wasm.into(), refusals })
        }
        (Encoding::Module, kind @ Kind::EmbeddingModule) => {
            if let Some(refusal) = too_many(&census, terms) {
                return Err(refusal);
            }
            let component = componentize(wasm)?;
            let census = Census::take(&component)?;
            let refusals = refusals(&census, terms);
            Ok(Examined { kind, census, component: component.into(), refusals })
        }
        (Encoding::Module, Kind::Module | Kind::Component) => Err(CompileError::CoreModule),
    }
}

enum Encoding {
    Component,
    Module,
}

/// What the first bytes say that it is.
fn header(wasm: &[u8]) -> Result<Encoding, CompileError> {
    let not_wasm = |what: String| Err(CompileError::NotWasm(what));
    match wasm {
        [b'\0', b'a', b's', b'm', 0x0d, 0, 1, 0, ..] => Ok(Encoding::Component),
        [b'\0', b'a', b's', b'm', 1, 0, 0, 0, ..] => Ok(Encoding::Module),
        [b'\0', b'a', b's', b'm', a, b, c, d, ..] => {
            not_wasm(format!("its version is {:02x?}, which is no component's", [a, b, c, d]))
        }
        [b'P', b'K', 3, 4, ..] => not_wasm("it is a ZIP archive; unpack it".to_owned()),
        [0x1f, 0x8b, ..] => not_wasm("it is compressed (gzip); unpack it".to_owned()),
        [0x7f, b'E', b'L', b'F', ..] => not_wasm("it is a program of this machine (ELF)".to_owned()),
        [b'(', b'm' | b'c', ..] => {
            not_wasm("it is WebAssembly's text form; translate it (`wasm-tools parse`)".to_owned())
        }
        [] => not_wasm("the file is empty".to_owned()),
        _ => {
            let start = wasm.get(..wasm.len().min(8)).unwrap_or_default();
            not_wasm(format!("it starts with \"{}\"", String::from_utf8_lossy(start).escape_debug()))
        }
    }
}

/// All reasons not to take a component that can be seen without compiling it; the dearest come first.
fn refusals(census: &Census, terms: &Terms) -> Vec<CompileError> {
    let mut refusals: Vec<CompileError> = too_many(census, terms).into_iter().collect();
    if census.asynchronous {
        refusals.push(CompileError::Asynchronous);
    }
    refusals.extend(contract::refusals(census));
    refusals.extend(terms.capacity.exceeded_by(&census.needs).into_iter().map(CompileError::OverCapacity));
    refusals
}

fn too_many(census: &Census, terms: &Terms) -> Option<CompileError> {
    let (found, limit) = (census.functions, terms.max_functions);
    (found > limit).then_some(CompileError::TooManyFunctions { found, limit })
}

/// Makes the component that a core module is meant to be. What it wants of WASI 0.1 it gets by WASI 0.2.
fn componentize(module: &[u8]) -> Result<Vec<u8>, CompileError> {
    let encoded = ComponentEncoder::default().validate(true).module(module).and_then(|encoder| {
        encoder.adapter(WASI_SNAPSHOT_PREVIEW1_ADAPTER_NAME, WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER)?.encode()
    });
    encoded.map_err(|error| CompileError::NotComponentized(format!("{error:#}")))
}
