//! The server: built, started, given handlers, ended.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::shell;
use crate::workspace::Workspace;

/// The server's packages. They are built and tested by themselves, so that the binary under test has the features that
/// it asks for and not those of the tests' dependencies, and so that what it stands on is compiled only once.
pub(crate) const PACKAGES: [&str; 2] = ["dacapo", "dacapo-replay"];

/// What the server says when it is ready, before its address.
const READY: &str = "listening on ";

/// How long the server may take to come to its end.
const GRACE: Duration = Duration::from_secs(5);

/// Builds the server.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    let select = PACKAGES.map(|package| ["--package", package]).concat();
    shell::run(shell::cargo().arg("build").args(select).current_dir(workspace.root()))
}

/// A running server. Dropping it kills the process.
pub(crate) struct Server {
    process: Child,
    url: String,
}

impl Server {
    /// Starts the server with the data directory, on the address `listen`, and waits until it is ready. Its output goes
    /// on to this program's. `change` may add arguments or lead its standard error elsewhere.
    pub(crate) fn start(
        workspace: &Workspace,
        listen: &str,
        data_dir: &Path,
        change: impl FnOnce(&mut Command),
    ) -> Result<Self> {
        let binary = workspace.host_binary();
        let mut command = Command::new(&binary);
        // What the user has set for servers of their own is not for this one.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("DACAPO_") {
                command.env_remove(name);
            }
        }
        command.args(["serve", "--listen", listen, "--data-dir"]).arg(data_dir);
        change(&mut command);
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("could not start {}", binary.display()))?;
        let url = wait_until_ready(&mut process);
        if url.is_err() {
            // Whether it has ended already does not matter.
            let _ = process.kill();
            process.wait()?;
        }
        Ok(Self { process, url: url? })
    }

    /// The server's address, such as `http://127.0.0.1:40123`.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Uploads the guest `package` as the handler of the same name.
    pub(crate) fn push(&self, workspace: &Workspace, package: &str) -> Result<()> {
        let mut push = Command::new(workspace.host_binary());
        push.arg("push").arg(workspace.component(package)).args(["--name", package, "--server", &self.url]);
        shell::run(&mut push)
    }

    /// How the server has ended, if it has.
    pub(crate) fn ending(&mut self) -> Result<Option<ExitStatus>> {
        Ok(self.process.try_wait()?)
    }

    /// Waits until the server, which has been told to end, has done so; kills it if it takes too long.
    pub(crate) fn wait(mut self) -> Result<()> {
        let deadline = Instant::now() + GRACE;
        while self.process.try_wait()?.is_none() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only where the process has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads the server's address from its output, and passes the rest of the output on.
fn wait_until_ready(process: &mut Child) -> Result<String> {
    let mut lines = BufReader::new(process.stdout.take().context("the server has no output")?).lines();
    for line in lines.by_ref() {
        let line = line?;
        println!("{line}");
        if let Some(url) = line.strip_prefix(READY) {
            let url = url.to_owned();
            thread::spawn(move || lines.map_while(Result::ok).for_each(|line| println!("{line}")));
            return Ok(url);
        }
    }
    bail!("the server ended before it was ready: {}", process.wait()?)
}
