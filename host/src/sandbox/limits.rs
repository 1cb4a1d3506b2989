//! How much a run may use.

use std::time::Duration;

use dacapo_replay::{Fault, walk};
use wasmtime::ResourceLimiter;

/// How much a run may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of linear memory.
    pub memory: usize,
    /// Elements of all tables together.
    pub table_elements: usize,
    /// Time on the wall clock.
    pub deadline: Duration,
    /// Bytes that one call between guest and host may carry.
    pub transfer: usize,
    /// Bytes of output that go to the log.
    pub log: usize,
    /// Bytes of one progress message.
    pub progress_message: usize,
    /// What the conversation may hold.
    pub conversation: walk::Limits,
}

impl Default for Limits {
    /// 128 MiB of memory, 100,000 table elements, 30 seconds, 16 MiB a call, 16 KiB of log, 1 KiB a progress message.
    fn default() -> Self {
        Self {
            memory: 128 << 20,
            table_elements: 100_000,
            deadline: Duration::from_secs(30),
            transfer: 16 << 20,
            log: 16 << 10,
            progress_message: 1 << 10,
            conversation: walk::Limits::default(),
        }
    }
}

/// Counts what one run takes, and traps it where it wants more: a failure that a guest could see would steer it.
#[derive(Debug)]
pub(super) struct Meter {
    memory: Count,
    table_elements: Count,
}

#[derive(Debug)]
struct Count {
    used: usize,
    limit: usize,
}

impl Count {
    fn add(&mut self, current: usize, desired: usize) -> bool {
        self.used = self.used.saturating_add(desired.saturating_sub(current));
        self.used <= self.limit
    }
}

impl Meter {
    pub(super) fn new(limits: &Limits) -> Self {
        let count = |limit| Count { used: 0, limit };
        Self { memory: count(limits.memory), table_elements: count(limits.table_elements) }
    }
}

impl ResourceLimiter for Meter {
    fn memory_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        // Beyond its own maximum no memory grows on any machine: that a guest may see.
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        if self.memory.add(current, desired) {
            Ok(true)
        } else {
            Err(wasmtime::Error::from(Fault::OutOfMemory(self.memory.limit)))
        }
    }

    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        Err(error.context("the machine did not let its memory grow"))
    }

    fn table_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        if self.table_elements.add(current, desired) {
            Ok(true)
        } else {
            Err(wasmtime::Error::from(Fault::OutOfTable(self.table_elements.limit)))
        }
    }
}
