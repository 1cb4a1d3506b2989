//! Reports on how far a call has come. Shown to the user where the client asked to see it.
//!
//! Progress must increase within one run of the handler; a replay starts anew. Get an emitter from the
//! [`Context`](crate::Context).

use crate::bindings::dacapo::handler::progress as wit;
use crate::imports;

/// Why a report was not taken.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum ProgressError {
    /// It does not exceed the last one of this run.
    #[error("progress {progress} does not exceed {last}, which was reported already; report greater values only")]
    NotIncreasing {
        /// What was reported.
        progress: f64,
        /// The last report of this run.
        last: f64,
    },
    /// The progress or the total is not a finite number.
    #[error("progress {progress} or its total is not a finite number")]
    NotFinite {
        /// What was reported.
        progress: f64,
    },
    /// The fraction is not one.
    #[error("{progress} is no fraction; expected a number from 0 to 1")]
    NotAFraction {
        /// What was reported.
        progress: f64,
    },
    /// The message is longer than the host takes.
    #[error("the message of progress {progress} is too long; the host takes at most {limit} bytes")]
    MessageTooLong {
        /// What was reported.
        progress: f64,
        /// The greatest number of bytes.
        limit: u32,
    },
}

fn report(progress: f64, total: Option<f64>, message: Option<&str>) -> Result<(), ProgressError> {
    imports::report(progress, total, message).map_err(|error| match error {
        wit::ProgressError::NotIncreasing(last) => ProgressError::NotIncreasing { progress, last },
        wit::ProgressError::NotFinite => ProgressError::NotFinite { progress },
        wit::ProgressError::MessageTooLong(limit) => ProgressError::MessageTooLong { progress, limit },
    })
}

/// The contract counts in 64-bit floats.
#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53; beyond, a step that is lost is refused by the host")]
const fn float(count: u64) -> f64 {
    count as f64
}

/// Counts its reports: 1, 2, 3, …
#[derive(Debug)]
pub struct CountingProgress {
    total: Option<u64>,
    count: u64,
}

impl CountingProgress {
    pub(crate) const fn new(total: Option<u64>) -> Self {
        Self { total, count: 0 }
    }

    fn next(&mut self, message: Option<&str>) -> Result<(), ProgressError> {
        let count = self.count.saturating_add(1);
        report(float(count), self.total.map(float), message)?;
        self.count = count;
        Ok(())
    }

    /// Reports one more.
    ///
    /// # Errors
    /// When another emitter of this run is ahead.
    pub fn emit(&mut self) -> Result<(), ProgressError> {
        self.next(None)
    }

    /// Reports one more, with a message for the user.
    ///
    /// # Errors
    /// When another emitter of this run is ahead, or the message is too long.
    pub fn emit_with(&mut self, message: impl AsRef<str>) -> Result<(), ProgressError> {
        self.next(Some(message.as_ref()))
    }
}

/// Reports whole numbers.
#[derive(Debug)]
pub struct IntegerProgress {
    total: Option<u64>,
}

impl IntegerProgress {
    pub(crate) const fn new(total: Option<u64>) -> Self {
        Self { total }
    }

    /// Reports that `progress` is done.
    ///
    /// # Errors
    /// When it does not exceed the last report of this run.
    pub fn emit(&self, progress: u64) -> Result<(), ProgressError> {
        report(float(progress), self.total.map(float), None)
    }

    /// Reports that `progress` is done, with a message for the user.
    ///
    /// # Errors
    /// When it does not exceed the last report of this run, or the message is too long.
    pub fn emit_with(&self, progress: u64, message: impl AsRef<str>) -> Result<(), ProgressError> {
        report(float(progress), self.total.map(float), Some(message.as_ref()))
    }
}

/// Reports numbers with or without a fraction.
#[derive(Debug)]
pub struct FloatProgress {
    total: Option<f64>,
}

impl FloatProgress {
    pub(crate) const fn new(total: Option<f64>) -> Self {
        Self { total }
    }

    /// Reports that `progress` is done.
    ///
    /// # Errors
    /// When it does not exceed the last report of this run, or it or the total is not finite.
    pub fn emit(&self, progress: f64) -> Result<(), ProgressError> {
        report(progress, self.total, None)
    }

    /// Reports that `progress` is done, with a message for the user.
    ///
    /// # Errors
    /// When it does not exceed the last report of this run, it or the total is not finite, or the message is too long.
    pub fn emit_with(&self, progress: f64, message: impl AsRef<str>) -> Result<(), ProgressError> {
        report(progress, self.total, Some(message.as_ref()))
    }
}

/// Reports fractions of the whole, from 0 to 1.
#[derive(Debug)]
pub struct PercentProgress(());

impl PercentProgress {
    pub(crate) const fn new() -> Self {
        Self(())
    }

    #[expect(clippy::unused_self, reason = "one shape for all emitters")]
    fn next(&self, progress: f64, message: Option<&str>) -> Result<(), ProgressError> {
        if !(0.0..=1.0).contains(&progress) {
            return Err(ProgressError::NotAFraction { progress });
        }
        report(progress, Some(1.0), message)
    }

    /// Reports that `fraction` of the whole is done: 0.25 is a quarter.
    ///
    /// # Errors
    /// When it is not from 0 to 1, or does not exceed the last report of this run.
    pub fn emit(&self, fraction: f64) -> Result<(), ProgressError> {
        self.next(fraction, None)
    }

    /// Reports that `fraction` of the whole is done, with a message for the user.
    ///
    /// # Errors
    /// When it is not from 0 to 1, does not exceed the last report of this run, or the message is too long.
    pub fn emit_with(&self, fraction: f64, message: impl AsRef<str>) -> Result<(), ProgressError> {
        self.next(fraction, Some(message.as_ref()))
    }
}
