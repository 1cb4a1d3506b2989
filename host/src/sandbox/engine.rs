//! wasmtime's settings, and the clock that interrupts guests.

use std::num::NonZeroUsize;
use std::time::Duration;

use tokio::sync::Semaphore;
use wasmtime::component::Linker;
use wasmtime::{Config, Engine, WasmFeatures};

use super::guest::Guest;
use super::limits::{Allotment, Limit, Limits};
use super::tenant::Tenants;
use super::{imports, pool, wasi};

/// How often a running guest lets others run. A guest that is to stop does so within two of these.
const EPOCH: Duration = Duration::from_millis(10);

/// Where handlers run: one engine, with what it links.
pub struct Sandbox {
    pub(super) engine: Engine,
    pub(super) linker: Linker<Guest>,
    pub(super) allotment: Allotment,
    /// The shares of those that are served.
    pub(super) tenants: Tenants,
    /// Places for runs of all handlers.
    pub(super) places: Semaphore,
}

impl Sandbox {
    /// Makes a sandbox, and starts the thread that interrupts its guests; the thread ends with the sandbox.
    ///
    /// # Errors
    ///
    /// When the machine can't run wasmtime with these settings.
    pub fn new(allotment: Allotment) -> wasmtime::Result<Self> {
        Self::of(allotment, None)
    }

    /// Makes a sandbox that keeps track of where its guests stand: an attempt that stops says so. Slower.
    ///
    /// # Errors
    ///
    /// As [`Sandbox::new`].
    pub fn diagnostic(allotment: Allotment) -> wasmtime::Result<Self> {
        Self::of(allotment, NonZeroUsize::new(64))
    }

    fn of(allotment: Allotment, frames: Option<NonZeroUsize>) -> wasmtime::Result<Self> {
        let host = &allotment.host;
        let size = pool::Size {
            places: host.number(Limit::Attempts),
            memory: host.number(Limit::Memory),
            table_elements: host.number(Limit::TableElements),
        };
        let stack = host.number(Limit::Stack);
        let (engine, places) = pool::engine(|| config(stack, frames), size)?;
        let mut linker = Linker::new(&engine);
        imports::link(&mut linker)?;
        wasi::link(&mut linker)?;
        let ticking = engine.weak();
        std::thread::Builder::new().name("epochs".into()).spawn(move || {
            while let Some(engine) = ticking.upgrade() {
                engine.increment_epoch();
                drop(engine);
                std::thread::sleep(EPOCH);
            }
        })?;
        let places = Semaphore::new(places.min(Semaphore::MAX_PERMITS));
        Ok(Self { engine, linker, allotment, tenants: Tenants::default(), places })
    }

    /// What compiled code depends on besides the component: a change of it makes a cache stale.
    #[must_use]
    pub fn compatibility(&self) -> u64 {
        use std::hash::{Hash, Hasher};
        // Stable within one build of the host, which is all that a cache needs.
        let mut hasher = std::hash::DefaultHasher::new();
        self.engine.precompile_compatibility_hash().hash(&mut hasher);
        hasher.finish()
    }
}

/// An engine that compiles for sandboxes, and runs nothing.
pub(super) fn compiling() -> wasmtime::Result<Engine> {
    // How much stack a run has does not show in the code.
    Engine::new(&config(Limits::default().number(Limit::Stack), None))
}

/// What the host itself needs of the stack on which a guest runs, in bytes.
const HOST_STACK: usize = 512 << 10;

fn config(stack: usize, frames: Option<NonZeroUsize>) -> Config {
    let mut config = Config::new();
    config
        .epoch_interruption(true)
        // A suspension is a trap: it happens on every round trip, and nobody but an operator reads a backtrace of it.
        .wasm_backtrace_max_frames(frames)
        // One task a guest, so nothing to order; and instances are cheaper without.
        .concurrency_support(false)
        // Nothing is left to the machine that a guest could see.
        .cranelift_nan_canonicalization(true)
        .relaxed_simd_deterministic(true)
        .wasm_features(concurrent(), false)
        .shared_memory(false)
        .max_wasm_stack(stack)
        .async_stack_size(stack.saturating_add(HOST_STACK));
    config
}

/// What would let a guest do two things at a time, in an order that nobody decides. Most of it is not even built in; this
/// keeps it out if it ever is.
fn concurrent() -> WasmFeatures {
    WasmFeatures::THREADS
        | WasmFeatures::SHARED_EVERYTHING_THREADS
        | WasmFeatures::STACK_SWITCHING
        | WasmFeatures::CM_ASYNC
        | WasmFeatures::CM_ASYNC_STACKFUL
        | WasmFeatures::CM_MORE_ASYNC_BUILTINS
        | WasmFeatures::CM_THREADING
}
