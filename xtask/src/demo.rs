//! A server to play with.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;

use crate::host::Server;
use crate::workspace::Workspace;
use crate::{guests, host};

/// The examples that are uploaded.
const EXAMPLES: [&str; 3] = ["hello", "onboard", "upgrade-plan"];

/// What can be chosen.
#[derive(Args)]
pub(crate) struct Options {
    /// The address to serve
    #[arg(long, default_value = "127.0.0.1:8460")]
    listen: SocketAddr,
    /// Where the server keeps its data [default: a directory that is removed at the end]
    #[arg(long)]
    data_dir: Option<PathBuf>,
}

/// Builds everything, starts the server, uploads the examples and waits for Ctrl-C.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    host::build(workspace)?;
    guests::build(workspace)?;

    let temporary = tempfile::tempdir()?;
    let data_dir = options.data_dir.as_deref().unwrap_or(temporary.path());
    let stop = on_ctrl_c()?;
    let mut server = Server::start(workspace, &options.listen.to_string(), data_dir, |_| {})?;
    for example in EXAMPLES {
        server.push(workspace, example)?;
    }
    print!("{}", what_to_try(server.url()));
    std::io::stdout().flush()?;
    loop {
        match stop.recv_timeout(Duration::from_millis(200)) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return server.wait(),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Some(status) = server.ending()? {
            bail!("the server has ended: {status}");
        }
    }
}

/// Ctrl-C reaches the server too, as it runs in the same terminal. This program lives on until the server has ended.
fn on_ctrl_c() -> Result<Receiver<()>> {
    let (sender, receiver) = mpsc::channel();
    ctrlc::set_handler(move || {
        let _ = sender.send(());
    })?;
    Ok(receiver)
}

fn what_to_try(url: &str) -> String {
    format!(
        "\nThe server is at {url}/mcp. Point an MCP client of revision 2026-07-28 at it, or go on with the README:\n\
         it shows a whole conversation by hand (\"A conversation by hand\"). Ctrl-C ends the server.\n"
    )
}
