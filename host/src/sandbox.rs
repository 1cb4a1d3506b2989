//! One attempt of a handler in a fresh instance, and what it may import.
//!
//! # Layout
//!
//! - [`engine`]: wasmtime's settings, and the clock that interrupts guests
//! - [`pool`]: memory set aside for instances
//! - [`bindings`]: the contract's types, generated from `wit/`
//! - `contract`: the contract's names
//! - [`census`]: what a file holds, counted without compiling it
//! - [`capacity`]: what a run is given, and what a component takes of it
//! - [`refusal`]: why a file is no handler
//! - [`examine`]: looking at what was uploaded, before it is compiled
//! - [`compile`]: from what was uploaded to code
//! - [`compiler`]: the same in a process of its own
//! - `export`: a function that a handler exports
//! - `exports`: what a component exports of the contract
//! - [`program`]: a component, compiled and ready to run
//! - [`inspect`]: what a file offers and needs, taken or not
//! - [`describe`]: what a program says that it offers
//! - [`attempt`]: one run, and how it ended
//! - [`entry`]: what a handler can be called for
//! - [`guest`]: what belongs to one run
//! - [`imports`]: the contract's imports
//! - [`clock`]: the conversation's clock, as WASI reads it
//! - [`poll`]: waiting, by the conversation's clock
//! - [`dice`]: the conversation's randomness, as WASI draws it
//! - [`network`]: the network, which is closed
//! - [`output`]: where a handler's output goes
//! - [`wasi`]: the part of WASI that handlers get
//! - [`convert`]: from the contract's types to the protocol's and back
//! - [`limits`]: how much a handler may use
//! - [`tenant`]: one handler's share of the host
//! - `queue`: whose turn it is

pub mod attempt;
mod bindings;
pub mod capacity;
pub mod census;
mod clock;
pub mod compile;
pub mod compiler;
mod contract;
mod convert;
pub mod describe;
mod dice;
pub mod engine;
pub(crate) mod entry;
pub mod examine;
mod export;
mod exports;
mod guest;
mod imports;
pub mod inspect;
pub mod limits;
mod network;
mod output;
mod poll;
pub mod pool;
pub mod program;
mod queue;
pub mod refusal;
pub mod tenant;
mod wasi;

pub use attempt::{Attempt, Call};
pub use engine::Sandbox;
pub use limits::{Allotment, Limit, Limits};
pub use program::Program;
pub use queue::Busy;
pub use refusal::CompileError;
pub use tenant::Tenant;
