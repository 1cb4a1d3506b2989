//! Names the steps of a run and times them.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// The steps run so far.
#[derive(Default)]
pub(crate) struct Steps {
    taken: Vec<Step>,
}

struct Step {
    name: &'static str,
    time: Duration,
    passed: bool,
}

impl Steps {
    /// Says the step's name, runs it, and keeps its time. An error is given back with the step's name on it.
    pub(crate) fn run(&mut self, name: &'static str, step: impl FnOnce() -> Result<()>) -> Result<()> {
        println!("\n== {name}");
        let start = Instant::now();
        let outcome = step();
        self.taken.push(Step { name, time: start.elapsed(), passed: outcome.is_ok() });
        outcome.with_context(|| format!("the step `{name}` failed"))
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.taken.iter().map(|step| step.name.len()).max().unwrap_or_default().max("total".len());
        for step in &self.taken {
            let failed = if step.passed { "" } else { "  FAILED" };
            writeln!(f, "{:width$}  {:>8.1} s{failed}", step.name, step.time.as_secs_f64())?;
        }
        let total: Duration = self.taken.iter().map(|step| step.time).sum();
        write!(f, "{:width$}  {:>8.1} s", "total", total.as_secs_f64())
    }
}
