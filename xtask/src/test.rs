//! The whole test run.

use anyhow::Result;

use crate::steps::Steps;
use crate::workspace::Workspace;
use crate::{bench, clients, conformance, guests, host, languages, shell};

/// Checks and tests everything, and prints how long each step took.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let mut steps = Steps::default();
    let outcome = run_steps(workspace, &mut steps);
    println!("\n{steps}");
    outcome
}

fn run_steps(workspace: &Workspace, steps: &mut Steps) -> Result<()> {
    let root = workspace.root();
    let cargo = |arguments: &[&str]| shell::run(shell::cargo().args(arguments).current_dir(root));
    let select_host = host::PACKAGES.map(|package| ["--package", package]).concat();
    // What measures has no tests, but dependencies that would change what the tests' own are built with.
    let apart = [host::PACKAGES, bench::PACKAGES].concat();
    let select_others: Vec<_> =
        ["--workspace"].into_iter().chain(apart.iter().flat_map(|package| ["--exclude", package])).collect();

    steps.run("format", || cargo(&["fmt", "--all", "--check"]))?;
    steps.run("host", || host::build(workspace))?;
    steps.run("guests", || guests::build(workspace))?;
    steps.run("guests in other languages", || languages::build(workspace))?;
    steps.run("clients", || clients::install(workspace))?;
    steps.run("clippy", || cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    steps.run("test the host", || cargo(&[&["test"], select_host.as_slice()].concat()))?;
    steps.run("test the rest", || cargo(&[&["test"], select_others.as_slice()].concat()))?;
    steps.run("test the wrappers", || languages::test(workspace))?;
    steps.run("conformance", || conformance::check(workspace, &conformance::Options::default()))
}
