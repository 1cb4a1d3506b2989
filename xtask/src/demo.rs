//! A server to play with.

use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::workspace::Workspace;
use crate::{guests, shell};

/// The examples that are uploaded.
const EXAMPLES: [&str; 3] = ["hello", "onboard", "upgrade-plan"];

/// What the server says when it is ready, before its address.
const READY: &str = "listening on ";

/// How long the server may take to come to its end.
const GRACE: Duration = Duration::from_secs(5);

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
    shell::run(shell::cargo().args(["build", "--package", "dacapo"]).current_dir(workspace.root()))?;
    guests::build(workspace)?;

    let temporary = tempfile::tempdir()?;
    let data_dir = options.data_dir.as_deref().unwrap_or(temporary.path());
    let stop = on_ctrl_c()?;
    let binary = workspace.host_binary();
    let mut server = Command::new(&binary)
        .args(["serve", "--listen", &options.listen.to_string(), "--data-dir"])
        .arg(data_dir)
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("could not start {}", binary.display()))?;
    let outcome = serve(workspace, &mut server, &stop);
    if outcome.is_err() {
        server.kill()?;
    }
    end(&mut server)?;
    outcome
}

fn serve(workspace: &Workspace, server: &mut Child, stop: &Receiver<()>) -> Result<()> {
    let url = wait_until_ready(server)?;
    for example in EXAMPLES {
        let mut push = Command::new(workspace.host_binary());
        push.arg("push").arg(workspace.component(example)).args(["--name", example, "--server", &url]);
        shell::run(&mut push)?;
    }
    print!("{}", what_to_try(&url));
    std::io::stdout().flush()?;
    loop {
        match stop.recv_timeout(Duration::from_millis(200)) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Some(status) = server.try_wait()? {
            bail!("the server has ended: {status}");
        }
    }
}

/// Reads the server's address from its output, and passes the rest of the output on.
fn wait_until_ready(server: &mut Child) -> Result<String> {
    let mut lines = BufReader::new(server.stdout.take().context("the server has no output")?).lines();
    for line in lines.by_ref() {
        let line = line?;
        println!("{line}");
        if let Some(url) = line.strip_prefix(READY) {
            let url = url.to_owned();
            thread::spawn(move || lines.map_while(Result::ok).for_each(|line| println!("{line}")));
            return Ok(url);
        }
    }
    bail!("the server ended before it was ready: {}", server.wait()?)
}

/// Ctrl-C reaches the server too, as it runs in the same terminal. This program lives on until the server has ended.
fn on_ctrl_c() -> Result<Receiver<()>> {
    let (sender, receiver) = mpsc::channel();
    ctrlc::set_handler(move || {
        let _ = sender.send(());
    })?;
    Ok(receiver)
}

fn end(server: &mut Child) -> Result<()> {
    let deadline = Instant::now() + GRACE;
    while server.try_wait()?.is_none() {
        if Instant::now() >= deadline {
            server.kill()?;
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

fn what_to_try(url: &str) -> String {
    format!(
        "\nThe server is at {url}/mcp. Point an MCP client of revision 2026-07-28 at it, or go on with the README:\n\
         it shows a whole conversation by hand (\"A conversation by hand\"). Ctrl-C ends the server.\n"
    )
}
