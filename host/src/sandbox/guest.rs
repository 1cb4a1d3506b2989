//! What belongs to one run.

use std::sync::Arc;

use dacapo_replay::Walk;
use dacapo_replay::draws::Stream;
use wasmtime::Store;
use wasmtime::component::ResourceTable;
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use super::attempt::Call;
use super::clock::{Alarms, TimeView, Wall};
use super::dice::{self, Dice};
use super::engine::Sandbox;
use super::limits::Meter;
use super::output::Output;

/// The state of one run: its walk through the ledger, and what its imports need.
pub(crate) struct Guest {
    pub(super) walk: Walk,
    pub(super) call: Call,
    /// The last progress reported.
    pub(super) progress: Option<f64>,
    pub(super) progress_message_limit: usize,
    meter: Meter,
    alarms: Alarms,
    wasi: WasiCtx,
    table: ResourceTable,
}

impl WasiView for Guest {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl Guest {
    /// The time of this run.
    pub(super) fn time(&mut self) -> TimeView<'_> {
        TimeView { clock: self.walk.clock(), alarms: &mut self.alarms, table: &mut self.table }
    }
}

impl Sandbox {
    /// A fresh store for one run.
    pub(super) fn store(&self, call: Call, walk: Walk) -> Store<Guest> {
        let seed = walk.ledger().opening.seed;
        let output = Output::new(Arc::clone(&call.handler), self.limits.log);
        let wasi = WasiCtxBuilder::new()
            .wall_clock(Wall(Arc::clone(walk.clock())))
            .secure_random(Dice::new(seed, walk.draws(), Stream::Secure))
            .insecure_random(Dice::new(seed, walk.draws(), Stream::Insecure))
            .insecure_random_seed(dice::hash_seed(seed))
            .stdout(output.clone())
            .stderr(output)
            .build();
        let guest = Guest {
            walk,
            call,
            progress: None,
            progress_message_limit: self.limits.progress_message,
            meter: Meter::new(&self.limits),
            alarms: Alarms::default(),
            wasi,
            table: ResourceTable::new(),
        };
        let mut store = Store::new(&self.engine, guest);
        store.limiter(|guest| &mut guest.meter);
        store.set_hostcall_fuel(self.limits.transfer);
        store.set_epoch_deadline(1);
        store.epoch_deadline_async_yield_and_update(1);
        store
    }
}
