//! What belongs to one run.

use std::sync::Arc;

use dacapo_replay::Walk;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use wasmtime::Store;
use wasmtime::component::ResourceTable;
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use super::attempt::Call;
use super::clock::{SteadyView, Wall};
use super::engine::Sandbox;
use super::limits::{Limit, Meter};
use super::output::Output;

/// The state of one run: its walk through the ledger, and what its imports need.
pub(crate) struct Guest {
    pub(super) walk: Walk,
    pub(super) call: Call,
    /// The last progress reported.
    pub(super) progress: Option<f64>,
    meter: Meter,
    wasi: WasiCtx,
    table: ResourceTable,
}

impl WasiView for Guest {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl Guest {
    /// The steady clock of this run.
    pub(super) fn steady(&mut self) -> SteadyView<'_> {
        SteadyView { clock: self.walk.clock(), table: &mut self.table }
    }
}

/// The streams of one conversation's randomness, so that none repeats another.
mod stream {
    pub(super) const SECURE: u64 = 0;
    pub(super) const INSECURE: u64 = 1;
    pub(super) const HASH_SEED: u64 = 2;
}

impl Sandbox {
    /// A fresh store for one run.
    pub(super) fn store(&self, call: Call, walk: Walk) -> Store<Guest> {
        let seed = walk.ledger().opening.seed;
        let random = |stream| {
            let mut random = ChaCha20Rng::from_seed(seed);
            random.set_stream(stream);
            random
        };
        let mut hash_seed = [0; 16];
        random(stream::HASH_SEED).fill_bytes(&mut hash_seed);
        let limits = &call.tenant.limits;
        let transfer = limits.number(Limit::Transfer);
        let meter = Meter::new(limits);
        let output = Output::new(Arc::clone(&call.tenant));
        let wasi = WasiCtxBuilder::new()
            .wall_clock(Wall(Arc::clone(walk.clock())))
            .secure_random(random(stream::SECURE))
            .insecure_random(random(stream::INSECURE))
            .insecure_random_seed(u128::from_le_bytes(hash_seed))
            .max_random_size(u64::try_from(transfer).unwrap_or(u64::MAX))
            .stdout(output.clone())
            .stderr(output)
            .build();
        let guest = Guest { walk, call, progress: None, meter, wasi, table: ResourceTable::new() };
        let mut store = Store::new(&self.engine, guest);
        store.limiter(|guest| &mut guest.meter);
        store.set_hostcall_fuel(transfer);
        store.set_epoch_deadline(1);
        store.epoch_deadline_async_yield_and_update(1);
        store
    }
}
