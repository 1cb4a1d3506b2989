//! Measures the host beside what can be compared with it, on this machine, in one run.
//!
//! # Layout
//!
//! - `flame`: where the time of a call goes
//! - `load`: puts a server under load, and says what came of it
//! - `machine`: what was measured on
//! - `memory`: resident memory, by handlers and by calls
//! - `message`: what is sent, and what must come back
//! - `pieces`: the host's pieces, measured from inside
//! - `programs`: what is measured with, built and installed
//! - `report`: what was found, as Markdown
//! - `restart`: how soon handlers are there again
//! - `runs`: every subject, again and again, in turns
//! - `server`: a server under measurement
//! - `stats`: a measurement, as often as it was made
//! - `subject`: what is measured

mod flame;
mod load;
mod machine;
mod memory;
mod message;
mod pieces;
mod programs;
mod report;
mod restart;
mod runs;
mod server;
mod stats;
mod subject;

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;

use self::machine::Machine;
use self::programs::Programs;
use self::runs::Plan;
use self::subject::Subject;
use crate::workspace::Workspace;

/// The packages that measure, or are measured against.
pub(crate) const PACKAGES: [&str; 2] = ["dacapo-baselines", "dacapo-benches"];

/// What can be chosen.
#[derive(Args)]
pub(crate) struct Options {
    /// Measure a few things shortly, and print the ratios: three minutes on two cores
    #[arg(long)]
    quick: bool,
    /// Use what earlier runs have built and installed
    #[arg(long)]
    no_build: bool,
    /// Measure only these
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Subject>,
    /// How often to measure each [default: 5, with --quick 3]
    #[arg(long)]
    runs: Option<usize>,
    /// How long each measurement goes on, in seconds [default: 6, with --quick 4]
    #[arg(long)]
    seconds: Option<u64>,
    /// Measure nothing; draw a flame graph of the host under load into this file
    #[arg(long, value_name = "SVG")]
    flame: Option<PathBuf>,
    /// Where the report goes [default: docs/benchmarks.md; with --quick it is only printed]
    #[arg(long)]
    output: Option<PathBuf>,
}

/// Builds everything, measures, and writes the report.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let programs = if options.no_build { Programs::built(workspace)? } else { Programs::build(workspace)? };
    if let Some(graph) = &options.flame {
        return flame::draw(&programs, graph);
    }
    let machine = Machine::look(workspace, &programs);
    let start = Instant::now();
    let plan = options.plan();
    let throughput = runs::measure(&programs, &plan)?;
    let all = !options.quick && options.only.is_empty();
    let mut failures = Vec::new();
    let pieces = part(all, &mut failures, || pieces::measure(workspace)).unwrap_or_default();
    let memory = part(all, &mut failures, || memory::measure(&programs));
    let restart = part(all, &mut failures, || restart::measure(&programs));
    let report = report::write(&machine, &plan, &throughput, &pieces, memory.as_ref(), restart.as_ref());
    println!("{report}");
    eprintln!("measured for {} s", start.elapsed().as_secs());
    let output = match (&options.output, options.quick) {
        (Some(output), _) => output.clone(),
        (None, true) => return ended(failures),
        (None, false) => workspace.root().join("docs/benchmarks.md"),
    };
    if let Some(directory) = output.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(&output, report).with_context(|| format!("could not write {}", output.display()))?;
    ended(failures)
}

/// Measures a part where it is wanted. One that fails is left out of the report, and the others are not lost.
fn part<T>(wanted: bool, failures: &mut Vec<anyhow::Error>, measure: impl FnOnce() -> Result<T>) -> Option<T> {
    let measured = wanted.then(measure)?;
    measured.inspect_err(|error| eprintln!("not measured: {error:#}")).map_err(|error| failures.push(error)).ok()
}

fn ended(failures: Vec<anyhow::Error>) -> Result<()> {
    failures.into_iter().next().map_or(Ok(()), |error| Err(error.context("the report lacks a part")))
}

impl Options {
    fn plan(&self) -> Plan {
        let all: &[Subject] = if self.quick { &Subject::QUICK } else { &Subject::ALL };
        let subjects = if self.only.is_empty() { all.to_vec() } else { self.only.clone() };
        Plan {
            subjects,
            connections: if self.quick { vec![32, 1024] } else { vec![1, 32, 256, 1024] },
            runs: self.runs.unwrap_or(if self.quick { 3 } else { 5 }),
            time: Duration::from_secs(self.seconds.unwrap_or(if self.quick { 4 } else { 6 })),
            steady: !self.quick,
        }
    }
}
