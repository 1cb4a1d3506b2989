//! The conversation's clock, as WASI reads it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use dacapo_replay::VirtualClock;
use wasmtime::component::{HasData, Resource, ResourceTable};
use wasmtime_wasi::HostWallClock;
use wasmtime_wasi::p2::DynPollable;
use wasmtime_wasi::p2::bindings::clocks::monotonic_clock;
use wasmtime_wasi_io::poll::{Pollable, subscribe};

/// The time of day.
pub(super) struct Wall(pub(super) Arc<VirtualClock>);

impl HostWallClock for Wall {
    fn resolution(&self) -> Duration {
        VirtualClock::TICK
    }

    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.read())
    }
}

/// The steady clock, and waiting for it.
pub(super) struct Time;

/// The time of one run.
pub(super) struct TimeView<'a> {
    pub(super) clock: &'a VirtualClock,
    pub(super) alarms: &'a mut Alarms,
    pub(super) table: &'a mut ResourceTable,
}

impl HasData for Time {
    type Data<'a> = TimeView<'a>;
}

/// The moments that are waited for, on the conversation's clock, by the number of their pollable in the run's table.
#[derive(Debug, Default)]
pub(super) struct Alarms(pub(super) BTreeMap<u32, u64>);

/// What stands in the table for a moment. When it comes is decided where it is polled, by the conversation's clock.
struct Alarm;

#[async_trait::async_trait]
impl Pollable for Alarm {
    async fn ready(&mut self) {}
}

impl TimeView<'_> {
    fn alarm(&mut self, at: u64) -> wasmtime::Result<Resource<DynPollable>> {
        let alarm = self.table.push(Alarm)?;
        let pollable = subscribe(self.table, alarm)?;
        self.alarms.0.insert(pollable.rep(), at);
        Ok(pollable)
    }
}

impl monotonic_clock::Host for TimeView<'_> {
    fn now(&mut self) -> wasmtime::Result<u64> {
        Ok(self.clock.read())
    }

    fn resolution(&mut self) -> wasmtime::Result<u64> {
        Ok(u64::try_from(VirtualClock::TICK.as_nanos())?)
    }

    fn subscribe_instant(&mut self, when: u64) -> wasmtime::Result<Resource<DynPollable>> {
        self.alarm(when)
    }

    fn subscribe_duration(&mut self, duration: u64) -> wasmtime::Result<Resource<DynPollable>> {
        let now = self.clock.read();
        self.alarm(now.saturating_add(duration))
    }
}
