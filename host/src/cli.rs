//! The command line.
//!
//! # Layout
//!
//! - [`serve`]: `dacapo serve`
//! - [`stdio`]: `dacapo stdio`
//! - [`push`]: `dacapo push`
//! - [`setup`]: what every way of serving begins with
//! - [`file`]: components in files

mod file;
mod push;
mod serve;
mod setup;
mod stdio;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// An MCP host that runs untrusted handlers as WebAssembly components and keeps no state.
#[derive(Debug, Parser)]
#[command(name = "dacapo", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve MCP over HTTP at /mcp, and the upload API at /v1/handlers
    Serve(Box<serve::Serve>),
    /// Serve MCP to the program that started this, over standard input and output
    Stdio(Box<stdio::Stdio>),
    /// Upload a component to a running server
    Push(push::Push),
    /// Print the reference of the configuration: docs/configuration.md
    #[command(hide = true)]
    Reference,
}

/// Runs what was typed. Exit codes: 0 done, 1 it failed, 2 the command line is wrong.
#[must_use]
pub fn run() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Serve(serve) => serve.run(),
        Command::Stdio(stdio) => stdio.run(),
        Command::Push(push) => push.run(),
        Command::Reference => {
            print!("{}", crate::config::reference());
            Ok(())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
