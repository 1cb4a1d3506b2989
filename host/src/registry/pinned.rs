//! A revision that was replaced, and that the conversations which it began may still need.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::handler::Handler;

/// How long replaced revisions are held.
#[derive(Clone, Copy, Debug)]
pub struct Retention {
    /// How long a token lives.
    pub token: Duration,
    /// How many replaced revisions of each handler are kept to go back to, needed or not.
    pub keep: usize,
}

impl Retention {
    /// Until when a revision is held whose last token was issued at `now`. Long enough that it need not be written down
    /// for every token, and that a call which is under way when a token lapses still finds its revision.
    pub(super) fn from(&self, now: SystemTime) -> SystemTime {
        now + self.token * 3
    }

    /// Whether a token that is issued at `now` needs its revision for longer than until `until`.
    fn is_short(&self, until: SystemTime, now: SystemTime) -> bool {
        now + self.token * 2 > until
    }
}

/// A revision that takes no new calls, and serves the conversations which it began.
#[derive(Debug)]
pub struct Pinned {
    /// The revision.
    pub handler: Arc<Handler>,
    /// Until when it is held, in milliseconds since the Unix epoch.
    until: AtomicU64,
}

impl Pinned {
    pub(super) fn new(handler: Arc<Handler>, until: SystemTime) -> Self {
        Self { handler, until: AtomicU64::new(millis(until)) }
    }

    /// Whether no token can need it any more.
    pub(super) fn is_over(&self, now: SystemTime) -> bool {
        self.until() < now
    }

    /// Until when it is held.
    pub fn until(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(self.until.load(Ordering::Relaxed))
    }

    /// Until when it must be held because a token is issued at `now`, where that is longer than it is held anyway.
    pub(super) fn prolonged(&self, retention: &Retention, now: SystemTime) -> Option<SystemTime> {
        retention.is_short(self.until(), now).then(|| retention.from(now))
    }

    /// Holds it until then.
    pub(super) fn hold(&self, until: SystemTime) {
        self.until.fetch_max(millis(until), Ordering::Relaxed);
    }
}

fn millis(time: SystemTime) -> u64 {
    u64::try_from(time.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_revision_is_held_for_as_long_as_a_token_of_it_lives(
            token in 1_u64..10_000,
            // When each token is issued, after the one before was, as a part of the time that it lived.
            rounds in prop::collection::vec(0.0..=1.0, 0..50),
        ) {
            let retention = Retention { token: Duration::from_millis(token), keep: 0 };
            let retired = UNIX_EPOCH + Duration::from_hours(500_000);
            let mut held = retention.from(retired);
            let mut issued = retired;
            let mut writes = 0_u32;
            for part in rounds {
                issued += retention.token.mul_f64(part);
                prop_assert!(issued <= held, "a living token finds its revision");
                if retention.is_short(held, issued) {
                    held = retention.from(issued);
                    writes += 1;
                }
                prop_assert!(issued + retention.token <= held, "so does the one that is issued now");
            }
            let lifetimes = issued.duration_since(retired).unwrap_or_default().as_secs_f64() / retention.token.as_secs_f64();
            prop_assert!(f64::from(writes) <= lifetimes + 1.0, "{writes} writes in {lifetimes} lifetimes");
        }
    }
}
