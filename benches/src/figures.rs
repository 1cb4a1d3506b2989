//! What a run found.

use std::time::Duration;

use hdrhistogram::Histogram;
use serde::Serialize;

/// What a run found, or a part of it.
pub(crate) struct Tally {
    times: Histogram<u64>,
    errors: u64,
    first_error: Option<String>,
}

/// What is printed.
#[derive(Debug, Serialize)]
pub(crate) struct Figures {
    /// What came to its end, a second.
    per_second: f64,
    /// How many came to their end.
    count: u64,
    /// How many did not.
    errors: u64,
    /// What the first of them said.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_error: Option<String>,
    /// In microseconds: half took no longer.
    p50_us: u64,
    /// In microseconds: 99 of 100 took no longer.
    p99_us: u64,
    /// In microseconds: none took longer.
    max_us: u64,
}

impl Tally {
    /// An empty one, for times of up to a minute, to three digits.
    pub(crate) fn new() -> anyhow::Result<Self> {
        let longest = Duration::from_mins(1).as_nanos().try_into()?;
        Ok(Self { times: Histogram::new_with_max(longest, 3)?, errors: 0, first_error: None })
    }

    /// Counts what came to its end.
    pub(crate) fn done(&mut self, time: Duration) {
        self.times.saturating_record(time.as_nanos().try_into().unwrap_or(u64::MAX));
    }

    /// Counts what did not.
    pub(crate) fn failed(&mut self, error: &anyhow::Error) {
        self.errors += 1;
        self.first_error.get_or_insert_with(|| format!("{error:#}"));
    }

    /// Takes another part in.
    pub(crate) fn merge(&mut self, other: Self) -> anyhow::Result<()> {
        self.times.add(other.times)?;
        self.errors += other.errors;
        self.first_error = self.first_error.take().or(other.first_error);
        Ok(())
    }

    /// The figures of a run that took so long.
    pub(crate) fn figures(self, elapsed: Duration) -> Figures {
        let micros = |nanos: u64| nanos / 1000;
        let count = self.times.len();
        Figures {
            #[expect(clippy::cast_precision_loss, reason = "no run gets far enough to lose any")]
            per_second: count as f64 / elapsed.as_secs_f64(),
            count,
            errors: self.errors,
            first_error: self.first_error,
            p50_us: micros(self.times.value_at_quantile(0.5)),
            p99_us: micros(self.times.value_at_quantile(0.99)),
            max_us: micros(self.times.max()),
        }
    }
}
