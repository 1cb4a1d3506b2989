//! The command line.
//!
//! # Layout
//!
//! - [`serve`]: `dacapo serve`
//! - [`stdio`]: `dacapo stdio`
//! - [`new`]: `dacapo new`
//! - [`dev`]: `dacapo dev`
//! - [`push`]: `dacapo push`
//! - [`verify`]: `dacapo verify`
//! - [`handlers`]: `dacapo list`, `show`, `remove` and `rollback`
//! - [`inspect`]: `dacapo inspect`
//! - [`compile`]: what the host starts to compile an upload
//! - [`api`]: a client of the upload API
//! - [`call`]: `dacapo call`
//! - [`token`]: `dacapo token`
//! - [`setup`]: what every way of serving begins with
//! - [`file`]: components in files
//! - [`answers`]: answers in a file
//! - [`output`]: how commands show what they came to, and the exit codes

mod answers;
mod api;
mod call;
mod compile;
mod dev;
mod file;
mod handlers;
mod inspect;
mod new;
mod output;
mod push;
mod serve;
mod setup;
mod stdio;
mod token;
mod verify;

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
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
    /// Make a crate for a handler of your own, with tests of it
    New(new::New),
    /// Build a handler's crate and serve it, and do so again on each save
    Dev(Box<dev::Dev>),
    /// Upload a component to a running server
    Push(push::Push),
    /// Check that a handler does the same suspended and replayed as straight through
    Verify(verify::Verify),
    /// Show what a component offers and needs, and whether a server would take it
    Inspect(Box<inspect::Inspect>),
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
    #[command(hide = true)]
    Compile(compile::Compile),
    /// Print the reference of the configuration: docs/configuration.md
    #[command(hide = true)]
    Reference,
}

/// What is wrong with the command line, without the value where that was meant for a secret.
fn without_secrets(mut wrong: clap::Error) -> clap::Error {
    let argument = wrong.get(ContextKind::InvalidArg).map(ToString::to_string);
    if argument.is_some_and(|argument| argument.contains("secret")) {
        wrong.insert(ContextKind::InvalidValue, ContextValue::String("…".to_owned()));
    }
    wrong
}

/// Runs what was typed. Exit codes: 0 done, 1 it failed or was refused, 2 the command line is wrong, 3 the server can't be
/// reached.
#[must_use]
pub fn run() -> ExitCode {
    let Cli { json, command } = Cli::try_parse().unwrap_or_else(|wrong| without_secrets(wrong).exit());
    let output = Output::new(json);
    let done = match command {
        Command::Serve(serve) => serve.run(output),
        Command::Stdio(stdio) => stdio.run(),
        Command::New(new) => new.run(output),
        Command::Dev(dev) => dev.run(output),
        Command::Push(push) => push.run(output),
        Command::Call(call) => call.run(output),
        Command::Token(token) => token.run(output),
        Command::Reference => {
            print!("{}", crate::config::reference());
            Ok(())
        }
        Command::Verify(verify) => return verify.run(output),
        Command::Inspect(inspect) => inspect.run(output),
        Command::List(list) => list.run(output),
        Command::Show(show) => show.run(output),
        Command::Remove(remove) => remove.run(output),
        Command::Rollback(rollback) => rollback.run(output),
        Command::Compile(compile) => compile.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => output.fail(&error),
    }
}
