//! wasmtime's settings, and the clock that interrupts guests.

use std::num::NonZeroUsize;
use std::time::Duration;

use wasmtime::component::Linker;
use wasmtime::{Config, Engine};

use super::guest::Guest;
use super::limits::Limits;
use super::{imports, wasi};

/// How often a running guest lets others run. A guest that is to stop does so within two of these.
const EPOCH: Duration = Duration::from_millis(10);

/// Where handlers run: one engine, with what it links.
pub struct Sandbox {
    pub(super) engine: Engine,
    pub(super) linker: Linker<Guest>,
    pub(super) limits: Limits,
}

impl Sandbox {
    /// Makes a sandbox, and starts the thread that interrupts its guests; the thread ends with the sandbox.
    ///
    /// # Errors
    ///
    /// When the machine can't run wasmtime with these settings.
    pub fn new(limits: Limits) -> wasmtime::Result<Self> {
        Self::of(limits, &config())
    }

    /// Makes a sandbox that keeps track of where its guests stand: an attempt that stops says so. Slower.
    ///
    /// # Errors
    ///
    /// As [`Sandbox::new`].
    pub fn diagnostic(limits: Limits) -> wasmtime::Result<Self> {
        Self::of(limits, config().wasm_backtrace_max_frames(NonZeroUsize::new(64)))
    }

    fn of(limits: Limits, config: &Config) -> wasmtime::Result<Self> {
        let engine = Engine::new(config)?;
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
        Ok(Self { engine, linker, limits })
    }

    /// How much a run may use.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
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

fn config() -> Config {
    let mut config = Config::new();
    config
        .epoch_interruption(true)
        // A suspension is a trap: it happens on every round trip, and nobody reads a backtrace of it.
        .wasm_backtrace_max_frames(None)
        // One task a guest, so nothing to order; and instances are cheaper without.
        .concurrency_support(false)
        // Nothing is left to the machine that a guest could see.
        .cranelift_nan_canonicalization(true)
        .relaxed_simd_deterministic(true)
        .max_wasm_stack(512 << 10)
        .async_stack_size(1 << 20);
    config
}
