//! The command line.
//!
//! # Layout
//!
//! - [`serve`]: `dacapo serve`
//! - [`stdio`]: `dacapo stdio`
//! - [`push`]: `dacapo push`
//! - [`handlers`]: `dacapo list`, `show`, `remove` and `rollback`
//! - [`api`]: a client of the upload API
//! - [`call`]: `dacapo call`
//! - [`answers`]: answers in a file
//! - [`token`]: `dacapo token`
//! - [`verify`]: `dacapo verify`
//! - [`setup`]: what every way of serving begins with
//! - [`file`]: components in files
//! - [`output`]: how commands show what they came to, and the exit codes

mod answers;
mod api;
mod call;
mod file;
mod handlers;
mod output;
mod push;
mod serve;
mod setup;
mod stdio;
mod token;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use output::Output;

/// An MCP host that runs untrusted handlers as WebAssembly components and keeps no state.
#[derive(Debug, Parser)]
#[command(name = "dacapo", version, propagate_version = true, after_help = output::EXIT_CODES)]
struct Cli {
    /// Print one JSON document instead of text
    #[arg(long, global = true)]
    json: bool,

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
    /// List the handlers of a running server
    List(handlers::List),
    /// Show one handler of a running server, with its revisions
    Show(handlers::Show),
    /// Remove a handler from a running server
    Remove(handlers::Remove),
    /// Go back to an earlier revision of a handler
    Rollback(handlers::Rollback),
    /// Call a tool of an MCP server, and answer its questions
    Call(Box<call::Call>),
    /// Open the state of a conversation with the key that sealed it, and show what it holds
    Token(Box<token::Token>),
    /// Print the reference of the configuration: docs/configuration.md
    #[command(hide = true)]
    Reference,
    /// Check that a handler does the same suspended and replayed as straight through
    Verify(verify::Verify),
}

/// Runs what was typed. Exit codes: 0 done, 1 it failed or was refused, 2 the command line is wrong, 3 the server can't be
/// reached.
#[must_use]
pub fn run() -> ExitCode {
    let Cli { json, command } = Cli::parse();
    let output = Output::new(json);
    let done = match command {
        Command::Serve(serve) => serve.run(output),
        Command::Stdio(stdio) => stdio.run(),
        Command::Push(push) => push.run(output),
        Command::List(list) => list.run(output),
        Command::Show(show) => show.run(output),
        Command::Remove(remove) => remove.run(output),
        Command::Rollback(rollback) => rollback.run(output),
        Command::Call(call) => call.run(output),
        Command::Token(token) => token.run(output),
        Command::Reference => {
            print!("{}", crate::config::reference());
            Ok(())
        }
        Command::Verify(verify) => return verify.run(output),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => output.fail(&error),
    }
}
