//! Fuzzing: what strangers send, changed at random for a while.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::shell;
use crate::workspace::Workspace;

/// The version of the subcommand of cargo that builds and runs targets.
const CARGO_FUZZ: &str = "0.13.2";

/// The longest input, in bytes: longer ones take longer and find no more.
const MAX_LENGTH: u32 = 4096;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// For how long each target runs
    #[arg(long, default_value_t = 60)]
    seconds: u32,

    /// Which target to run; all where none is named
    target: Option<Target>,
}

/// What is fuzzed.
#[derive(Clone, Copy, ValueEnum)]
enum Target {
    /// What a client sends as `requestState`
    Token,
    /// What a client posts
    Body,
    /// What is uploaded, as far as it is looked at before it is compiled
    Upload,
}

/// Runs the targets one after the other. An input that breaks one is kept in `fuzz/artifacts`.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    install(workspace)?;
    let all = Target::value_variants();
    for target in options.target.as_ref().map_or(all, std::slice::from_ref) {
        run_target(workspace, *target, options.seconds)?;
    }
    Ok(())
}

fn run_target(workspace: &Workspace, target: Target, seconds: u32) -> Result<()> {
    let value = target.to_possible_value().context("every target has a name")?;
    let name = value.get_name();
    let built = workspace.target().join("fuzz");
    // What is found on the way is kept outside of the checkout: the corpus there is small and made by hand.
    let found = built.join("corpus").join(name);
    fs::create_dir_all(&found).with_context(|| format!("could not make the directory {}", found.display()))?;
    let mut fuzz = shell::cargo();
    // The host is safe Rust: there is nothing for a sanitizer to find, and without one any toolchain will do.
    fuzz.args(["fuzz", "run", "--sanitizer", "none", "--fuzz-dir", "fuzz", "--target-dir"]).arg(&built);
    fuzz.arg(name).arg(&found).arg(Path::new("fuzz/corpus").join(name)).arg("--");
    fuzz.args([format!("-max_total_time={seconds}"), format!("-max_len={MAX_LENGTH}"), "-timeout=10".to_owned()]);
    if let Err(error) = shell::run(fuzz.current_dir(workspace.root())) {
        bail!("{error:#}\nThe input is in fuzz/artifacts/{name}; once it is mended, keep it in fuzz/corpus/{name}");
    }
    Ok(())
}

/// Installs the subcommand of cargo, where it is missing.
fn install(workspace: &Workspace) -> Result<()> {
    let has_it = |mut cargo: Command| shell::succeeds(cargo.args(["fuzz", "--version"]));
    if has_it(shell::cargo()) {
        return Ok(());
    }
    let mut install = shell::cargo();
    install.args(["install", "--locked", "cargo-fuzz", "--version", CARGO_FUZZ]);
    shell::run(install.current_dir(workspace.root()))
}
