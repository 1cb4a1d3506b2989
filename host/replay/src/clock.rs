//! Time as the handler sees it: it stands still between questions, so that a replay reads the same clock again.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A clock that moves only by being read, by sleeping, and from one recorded reading to the next.
///
/// Readings are nanoseconds since the Unix epoch.
#[derive(Debug)]
pub struct VirtualClock(AtomicU64);

impl VirtualClock {
    /// How far each reading moves the clock: a handler that waits for time to pass by reading it gets on.
    pub const TICK: Duration = Duration::from_micros(1);

    /// A clock that stands at `reading`.
    #[must_use]
    pub fn at(reading: u64) -> Self {
        Self(AtomicU64::new(reading))
    }

    /// Reads the clock, and moves it by one tick.
    pub fn read(&self) -> u64 {
        self.0.fetch_add(u64::try_from(Self::TICK.as_nanos()).unwrap_or(1), Ordering::Relaxed)
    }

    /// Moves the clock on to `reading`; never back.
    pub fn resume_at(&self, reading: u64) {
        self.0.fetch_max(reading, Ordering::Relaxed);
    }
}
