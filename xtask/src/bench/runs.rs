//! Every subject, again and again, in turns.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result};

use super::load::{Figures, Load};
use super::programs::Programs;
use super::server::Server;
use super::stats::Samples;
use super::subject::{Subject, Way};

/// The share of the most that a steady load is.
pub(crate) const SHARE: f64 = 0.8;
/// How many connections a steady load comes over.
pub(crate) const STEADY: usize = 32;
/// How long a server is warmed up.
const WARM_UP: Duration = Duration::from_secs(1);

/// What is measured, and how long.
pub(crate) struct Plan {
    pub(crate) subjects: Vec<Subject>,
    pub(crate) connections: Vec<usize>,
    pub(crate) runs: usize,
    /// How long each measurement goes on.
    pub(crate) time: Duration,
    /// Whether a steady load is measured too.
    pub(crate) steady: bool,
}

/// What was found of one subject.
pub(crate) struct Found {
    pub(crate) subject: Subject,
    /// By how many connections.
    pub(crate) most: BTreeMap<usize, Series>,
    /// At [`SHARE`] of the most; nothing where it was not measured.
    pub(crate) steady: Option<Series>,
}

/// A measurement's figures, as often as it was made.
#[derive(Default)]
pub(crate) struct Series {
    pub(crate) per_second: Samples,
    pub(crate) p50_us: Samples,
    pub(crate) p99_us: Samples,
    pub(crate) errors: u64,
}

impl Series {
    fn push(&mut self, figures: Figures) {
        self.per_second.push(figures.per_second);
        self.p50_us.push(figures.p50_us);
        self.p99_us.push(figures.p99_us);
        self.errors += figures.errors;
    }
}

/// Measures all subjects in turns: what else the machine does, and how warm it is, meets all alike.
pub(crate) fn measure(programs: &Programs, plan: &Plan) -> Result<Vec<Found>> {
    let found = |subject| Found { subject, most: BTreeMap::new(), steady: None };
    let mut all: Vec<Found> = plan.subjects.iter().copied().map(found).collect();
    for run in 1..=plan.runs {
        for found in &mut all {
            let subject = found.subject;
            eprintln!("run {run} of {}: {}", plan.runs, subject.name());
            let server =
                Server::start(programs, subject).with_context(|| format!("{} can't be measured", subject.name()))?;
            let load = Load::new(programs, subject, &server)?;
            load.most(STEADY, WARM_UP)?;
            for &connections in &plan.connections {
                let figures = load.most(connections, plan.time)?;
                eprintln!(
                    "{connections:>8} connections: {:>9.0} a second, {} errors",
                    figures.per_second, figures.errors
                );
                found.most.entry(connections).or_default().push(figures);
            }
            if plan.steady && matches!(subject.way(), Way::Call) {
                let figures = load.steady(SHARE, STEADY, plan.time)?;
                eprintln!("{:>8.0} a second: p50 {} µs, p99 {} µs", figures.per_second, figures.p50_us, figures.p99_us);
                found.steady.get_or_insert_default().push(figures);
            }
        }
    }
    Ok(all)
}
