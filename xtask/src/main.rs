//! The workshop: `cargo xtask <command>`.
//!
//! # Layout
//!
//! - `bench`: measures the host beside what can be compared with it.
//! - `checks`: what the conformance suite found, and how it is judged.
//! - `clients`: installs the real clients that the tests talk through.
//! - `conformance`: runs the conformance suite against the server.
//! - `debian`: a standard library for `wasm32-wasip2`, built with Debian's own compiler.
//! - `demo`: a server to play with.
//! - `fuzz`: what strangers send, changed at random for a while.
//! - `guests`: builds the guests that are written in Rust.
//! - `host`: the server: built, started, given handlers, ended.
//! - `languages`: builds the guests that are written in other languages.
//! - `shell`: runs programs.
//! - `steps`: names the steps of a run and times them.
//! - `suite`: the official conformance suite, as installed.
//! - `test`: the whole test run.
//! - `toolchain`: finds a way to compile for `wasm32-wasip2`.
//! - `wasm_env`: what a shell needs to compile for `wasm32-wasip2`.
//! - `workspace`: where things are.

mod bench;
mod checks;
mod clients;
mod conformance;
mod debian;
mod demo;
mod fuzz;
mod guests;
mod host;
mod languages;
mod shell;
mod steps;
mod suite;
mod test;
mod toolchain;
mod wasm_env;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::workspace::Workspace;

/// Drives Dacapo's workshop.
#[derive(Parser)]
#[command(bin_name = "cargo xtask", arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Builds the example guests and the test guests into <target>/guests
    Guests,
    /// Installs the pinned clients that the tests talk through into <target>/clients, and the protocol's schema
    Clients,
    /// Runs the official conformance suite against the server and says what it found
    Conformance(conformance::Options),
    /// Measures the host beside what can be compared with it, and writes docs/benchmarks.md
    Bench(bench::Options),
    /// Starts a server with the examples uploaded and says what to try
    Demo(demo::Options),
    /// Runs the fuzz targets for a while
    Fuzz(fuzz::Options),
    /// Checks and tests everything
    Test,
    /// Prints what a shell needs to compile for wasm32-wasip2: eval "$(cargo xtask wasm-env)"
    WasmEnv,
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    let workspace = Workspace::find()?;
    match command {
        Command::Guests => guests::build(&workspace).and_then(|()| languages::build(&workspace)),
        Command::Bench(options) => bench::run(&workspace, &options),
        Command::Clients => clients::install(&workspace),
        Command::Conformance(options) => conformance::run(&workspace, &options),
        Command::Demo(options) => demo::run(&workspace, &options),
        Command::Fuzz(options) => fuzz::run(&workspace, &options),
        Command::Test => test::run(&workspace),
        Command::WasmEnv => wasm_env::print(&workspace),
    }
}
