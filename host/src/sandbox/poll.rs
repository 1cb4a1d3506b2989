//! Waiting, as WASI does it, by the conversation's clock alone: what is ready is the same on every run.

use dacapo_replay::VirtualClock;
use wasmtime::component::Resource;
use wasmtime_wasi::p2::DynPollable;
use wasmtime_wasi_io::bindings::wasi::io::poll::{Host, HostPollable};

use super::clock::TimeView;

impl Host for TimeView<'_> {
    /// What is ready at once goes before what must be waited for. Streams always are: input is at its end, and output never
    /// waits. Where there is nothing but moments to come, the first of them is waited for.
    async fn poll(&mut self, pollables: Vec<Resource<DynPollable>>) -> wasmtime::Result<Vec<u32>> {
        // As the contract of WASI has it, a trap.
        let first = self.moments(&pollables).min();
        let first = first.ok_or_else(|| wasmtime::format_err!("poll: the list of pollables is empty"))?;
        // A poll is a reading: who polls a stream until it is time must come to the end of it.
        let now = self.clock.read();
        let until = if first > now { sleep(self.clock, first).await } else { now };
        Ok((0..).zip(self.moments(&pollables)).filter(|(_, at)| *at <= until).map(|(index, _)| index).collect())
    }
}

impl HostPollable for TimeView<'_> {
    async fn block(&mut self, pollable: Resource<DynPollable>) -> wasmtime::Result<()> {
        self.poll(vec![pollable]).await.map(drop)
    }

    async fn ready(&mut self, pollable: Resource<DynPollable>) -> wasmtime::Result<bool> {
        let now = self.clock.read();
        Ok(self.moments(&[pollable]).all(|at| at <= now))
    }

    fn drop(&mut self, pollable: Resource<DynPollable>) -> wasmtime::Result<()> {
        self.alarms.0.remove(&pollable.rep());
        HostPollable::drop(self.table, pollable)
    }
}

impl TimeView<'_> {
    /// When each is ready, on the conversation's clock.
    fn moments(&self, pollables: &[Resource<DynPollable>]) -> impl Iterator<Item = u64> {
        pollables.iter().map(|pollable| self.alarms.0.get(&pollable.rep()).copied().unwrap_or(0))
    }
}

/// Moves the clock on to `at`, and waits for it where no run has waited before. Returns the new reading.
async fn sleep(clock: &VirtualClock, at: u64) -> u64 {
    let wait = clock.sleep_until(at);
    if !wait.is_zero() {
        tokio::time::sleep(wait).await;
    }
    at
}
