//! Time as the handler sees it: it stands still between questions, so that a replay reads the same clock again.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// A clock that moves only by being read, by sleeping, and from one recorded reading to the next.
///
/// Readings are nanoseconds since the Unix epoch. They never go back, and what the machine's own clock says has no part in
/// them.
#[derive(Debug)]
pub struct VirtualClock {
    reading: AtomicU64,
    /// Whether the run has come further than any run before it.
    is_live: AtomicBool,
}

impl VirtualClock {
    /// How far each reading moves the clock: a handler that waits for time to pass by reading it gets on.
    pub const TICK: Duration = Duration::from_micros(1);

    /// A clock that stands at `reading`. `is_live` says whether sleeping takes time, as in [`VirtualClock::set_live`].
    #[must_use]
    pub fn at(reading: u64, is_live: bool) -> Self {
        Self { reading: AtomicU64::new(reading), is_live: AtomicBool::new(is_live) }
    }

    /// Reads the clock, and moves it by one tick.
    pub fn read(&self) -> u64 {
        let tick = nanos(Self::TICK);
        // At the end of time the clock stands; it does not begin anew.
        self.reading
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |now| Some(now.saturating_add(tick)))
            .unwrap_or(0)
    }

    /// Where the clock stands; it does not move.
    #[must_use]
    pub fn now(&self) -> u64 {
        self.reading.load(Ordering::Relaxed)
    }

    /// Moves the clock on to `reading`; never back.
    pub fn resume_at(&self, reading: u64) {
        self.reading.fetch_max(reading, Ordering::Relaxed);
    }

    /// Says whether the run has come further than any run before it. Up to there an earlier run has slept all that there is
    /// to sleep, and no one waits for it again.
    pub fn set_live(&self, is_live: bool) {
        self.is_live.store(is_live, Ordering::Relaxed);
    }

    /// Moves the clock on to `deadline`, and returns for how long to wait on the machine's clock meanwhile: zero where an
    /// earlier run has waited already.
    #[must_use]
    pub fn sleep_until(&self, deadline: u64) -> Duration {
        let before = self.reading.fetch_max(deadline, Ordering::Relaxed);
        if self.is_live.load(Ordering::Relaxed) {
            Duration::from_nanos(deadline.saturating_sub(before))
        } else {
            Duration::ZERO
        }
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
