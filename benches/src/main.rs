//! Drives a server in the two ways that ready-made load generators can't: with conversations, whose every request carries
//! what the one before brought, and at a steady rate, with the time of each answer counted from when it was due.
//!
//! It runs on one thread, so as to leave the server as much of the machine as it can, and prints what it found as JSON.
//!
//! # Layout
//!
//! - `connection`: one connection to the server
//! - `converse`: conversations, so many at a time
//! - `figures`: what a run found
//! - `request`: what is sent
//! - `steady`: one request again and again, at a rate

mod connection;
mod converse;
mod figures;
mod request;
mod steady;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::request::Request;

/// Drives a server and prints what it found as JSON.
#[derive(Parser)]
#[command(name = "dacapo-drive", arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Holds conversations: the request, and for each question the same again with an answer
    Converse {
        #[command(flatten)]
        load: Load,
        /// What to answer, as a JSON list: an object for each round, the content of every form that it asks for
        #[arg(long)]
        answers: String,
    },
    /// Sends the request again and again, at a rate
    Steady {
        #[command(flatten)]
        load: Load,
        /// How many requests to send in a second, over all connections [default: as many as are answered]
        #[arg(long)]
        rate: Option<f64>,
    },
}

/// What both have in common.
#[derive(Args)]
struct Load {
    /// Where the server listens
    #[arg(long)]
    address: SocketAddr,
    /// A JSON file: the members "headers", an object, and "body", the message
    #[arg(long)]
    request: PathBuf,
    /// How many connections to keep busy
    #[arg(long)]
    connections: usize,
    /// For how long, in seconds
    #[arg(long)]
    seconds: f64,
}

impl Load {
    fn duration(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }
}

fn main() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let figures = match Cli::parse().command {
        Command::Converse { load, answers } => {
            let request = Request::read(&load.request)?;
            let answers = serde_json::from_str(&answers)?;
            runtime.block_on(converse::run(load.address, request, answers, load.connections, load.duration()))?
        }
        Command::Steady { load, rate } => {
            let request = Request::read(&load.request)?;
            runtime.block_on(steady::run(load.address, request, load.connections, rate, load.duration()))?
        }
    };
    println!("{}", serde_json::to_string(&figures)?);
    Ok(())
}
