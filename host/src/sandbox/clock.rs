//! The conversation's clock, as WASI reads it and waits for it.

use std::sync::Arc;
use std::time::Duration;

use dacapo_replay::VirtualClock;
use tokio::time::Instant;
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

/// The steady clock, and waiting for it. Who waits finds, when it is over, that so much time has passed.
pub(super) struct Steady;

/// The steady clock of one run.
pub(super) struct SteadyView<'a> {
    pub(super) clock: &'a Arc<VirtualClock>,
    pub(super) table: &'a mut ResourceTable,
}

impl HasData for Steady {
    type Data<'a> = SteadyView<'a>;
}

impl SteadyView<'_> {
    fn alarm(&mut self, at: u64, after: Duration) -> wasmtime::Result<Resource<DynPollable>> {
        let clock = Arc::clone(self.clock);
        // Further off than this machine can count is never.
        let alarm = self.table.push(Alarm { clock, at, rings: Instant::now().checked_add(after) })?;
        subscribe(self.table, alarm)
    }
}

impl monotonic_clock::Host for SteadyView<'_> {
    fn now(&mut self) -> wasmtime::Result<u64> {
        Ok(self.clock.read())
    }

    fn resolution(&mut self) -> wasmtime::Result<u64> {
        Ok(u64::try_from(VirtualClock::TICK.as_nanos())?)
    }

    fn subscribe_instant(&mut self, when: u64) -> wasmtime::Result<Resource<DynPollable>> {
        let now = self.clock.read();
        self.alarm(when, Duration::from_nanos(when.saturating_sub(now)))
    }

    fn subscribe_duration(&mut self, duration: u64) -> wasmtime::Result<Resource<DynPollable>> {
        let now = self.clock.read();
        self.alarm(now.saturating_add(duration), Duration::from_nanos(duration))
    }
}

/// A moment on the conversation's clock that is waited for.
struct Alarm {
    clock: Arc<VirtualClock>,
    /// The moment, on the conversation's clock.
    at: u64,
    /// The moment, on this machine's; `None` for never.
    rings: Option<Instant>,
}

#[async_trait::async_trait]
impl Pollable for Alarm {
    async fn ready(&mut self) {
        match self.rings {
            Some(rings) => tokio::time::sleep_until(rings).await,
            None => std::future::pending().await,
        }
        self.clock.resume_at(self.at);
    }
}
