//! The host's pieces, measured from inside.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::shell;
use crate::workspace::Workspace;

/// How long a piece is warmed up and measured, in seconds.
const WARM_UP: &str = "1";
const TIME: &str = "3";

/// What one takes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    /// What it is one of, such as `attempt`.
    pub(crate) group: String,
    /// Which one, such as `hello` or the number of its questions.
    pub(crate) name: String,
    /// In microseconds: half of the measurements took no longer.
    pub(crate) median_us: f64,
    /// The same, with a confidence of 95%: the least and the most.
    pub(crate) range_us: (f64, f64),
}

#[derive(Deserialize)]
struct Benchmark {
    group_id: String,
    title: String,
}

#[derive(Deserialize)]
struct Estimates {
    median: Estimate,
}

#[derive(Deserialize)]
struct Estimate {
    point_estimate: f64,
    confidence_interval: Interval,
}

#[derive(Deserialize)]
struct Interval {
    lower_bound: f64,
    upper_bound: f64,
}

/// Measures all of them.
pub(crate) fn measure(workspace: &Workspace) -> Result<Vec<Piece>> {
    let home = workspace.target().join("bench-pieces");
    if home.exists() {
        fs::remove_dir_all(&home).with_context(|| format!("could not remove {}", home.display()))?;
    }
    let mut cargo = shell::cargo();
    cargo.args(["bench", "--package", "dacapo-benches", "--bench", "pieces", "--"]);
    cargo.args(["--warm-up-time", WARM_UP, "--measurement-time", TIME]);
    // Backtraces are not taken in production.
    cargo.env("CRITERION_HOME", &home).env_remove("RUST_BACKTRACE").current_dir(workspace.root());
    shell::run(&mut cargo)?;
    let mut pieces = Vec::new();
    collect(&home, &mut pieces)?;
    // By group, those of numbers by number.
    let number = |name: &str| name.split(' ').next().and_then(|word| word.parse::<u64>().ok());
    pieces.sort_by(|one, other| {
        one.group
            .cmp(&other.group)
            .then_with(|| number(&one.name).cmp(&number(&other.name)))
            .then_with(|| one.name.cmp(&other.name))
    });
    Ok(pieces)
}

/// Takes up what was measured last, in a directory and in those below it.
fn collect(directory: &Path, pieces: &mut Vec<Piece>) -> Result<()> {
    if directory.ends_with("new") && directory.join("estimates.json").exists() {
        let Benchmark { group_id, title } = read(&directory.join("benchmark.json"))?;
        let Estimates { median } = read(&directory.join("estimates.json"))?;
        let us = |nanoseconds: f64| nanoseconds / 1e3;
        let Interval { lower_bound, upper_bound } = median.confidence_interval;
        let name = title.strip_prefix(&group_id).map_or(title.as_str(), |name| name.trim_start_matches('/')).to_owned();
        let range_us = (us(lower_bound), us(upper_bound));
        pieces.push(Piece { group: group_id, name, median_us: us(median.point_estimate), range_us });
        return Ok(());
    }
    let entries = fs::read_dir(directory).with_context(|| format!("could not read {}", directory.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, pieces)?;
        }
    }
    Ok(())
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).with_context(|| format!("could not read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not what criterion writes", path.display()))
}
