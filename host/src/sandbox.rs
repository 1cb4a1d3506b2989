//! One attempt of a handler in a fresh instance, and what it may import.
//!
//! # Layout
//!
//! - [`engine`]: wasmtime's settings, and the clock that interrupts guests
//! - [`pool`]: memory set aside for instances
//! - [`bindings`]: the contract's types, generated from `wit/`
//! - [`program`]: a component, checked, compiled and ready to run
//! - [`describe`]: what a program says that it offers
//! - [`attempt`]: one run, and how it ended
//! - [`entry`]: what a handler can be called for
//! - [`guest`]: what belongs to one run
//! - [`imports`]: the contract's imports
//! - [`clock`]: the conversation's clock, as WASI reads it
//! - [`poll`]: waiting, by the conversation's clock
//! - [`dice`]: the conversation's randomness, as WASI draws it
//! - [`output`]: where a handler's output goes
//! - [`wasi`]: the part of WASI that handlers get
//! - [`convert`]: from the contract's types to the protocol's and back
//! - [`limits`]: how much a handler may use
//! - [`tenant`]: one handler's share of the host
//! - `queue`: whose turn it is

pub mod attempt;
mod bindings;
mod clock;
mod convert;
pub mod describe;
mod dice;
pub mod engine;
pub(crate) mod entry;
mod guest;
mod imports;
pub mod limits;
mod output;
mod poll;
pub mod pool;
pub mod program;
mod queue;
pub mod tenant;
mod wasi;

pub use attempt::{Attempt, Call};
pub use engine::Sandbox;
pub use limits::{Allotment, Limit, Limits};
pub use program::{CompileError, Program};
pub use queue::Busy;
pub use tenant::Tenant;
