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
use super::limits::{Limit, Meter};
use super::output::Output;

/// The state of one run: its walk through the ledger, and what its imports need.
pub(crate) struct Guest {
    pub(super) walk: Walk,
    pub(super) call: Call,
    /// The last progress reported.
    pub(super) progress: Option<f64>,
    meter: Meter,
    alarms: Alarms,
    /// Made for those that use it: most runs do without.
    wasi: Option<Box<WasiCtx>>,
    table: ResourceTable,
}

impl WasiView for Guest {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        let Self { walk, call, wasi, table, .. } = self;
        WasiCtxView { ctx: wasi.get_or_insert_with(|| Box::new(self::wasi(walk, call))), table }
    }
}

fn wasi(walk: &Walk, call: &Call) -> WasiCtx {
    let seed = walk.ledger().opening.seed;
    let transfer = call.tenant.limits.number(Limit::Transfer);
    let output = Output::new(Arc::clone(&call.tenant));
    WasiCtxBuilder::new()
        .wall_clock(Wall(Arc::clone(walk.clock())))
        .secure_random(Dice::new(seed, walk.draws(), Stream::Secure))
        .insecure_random(Dice::new(seed, walk.draws(), Stream::Insecure))
        .insecure_random_seed(dice::hash_seed(seed))
        .max_random_size(u64::try_from(transfer).unwrap_or(u64::MAX))
        .stdout(output.clone())
        .stderr(output)
        .build()
}

impl Guest {
    /// The time of this run.
    pub(super) fn time(&mut self) -> TimeView<'_> {
        TimeView { clock: self.walk.clock(), alarms: &mut self.alarms, table: &mut self.table }
    }

    /// The resources that this run holds.
    pub(super) fn table(&mut self) -> &mut ResourceTable {
        &mut self.table
    }
}

impl Sandbox {
    /// A fresh store for one run.
    pub(super) fn store(&self, call: Call, walk: Walk) -> Store<Guest> {
        let limits = &call.tenant.limits;
        let transfer = limits.number(Limit::Transfer);
        let meter = Meter::new(limits);
        let (alarms, table) = (Alarms::default(), ResourceTable::new());
        let guest = Guest { walk, call, progress: None, meter, alarms, wasi: None, table };
        let mut store = Store::new(&self.engine, guest);
        store.limiter(|guest| &mut guest.meter);
        store.set_hostcall_fuel(transfer);
        store.set_epoch_deadline(1);
        store.epoch_deadline_async_yield_and_update(1);
        store
    }
}
