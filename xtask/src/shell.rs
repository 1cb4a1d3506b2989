//! Runs programs.

use std::ffi::OsStr;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// How long to wait between two looks at a program that runs.
const POLL: Duration = Duration::from_millis(50);

/// The cargo that runs this program. It does not get the variables that cargo set for this program: build scripts watch some
/// of them, and would run again whenever a build is started from here after one that was not.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in std::env::vars_os() {
        let set_by_cargo = |name: &str| {
            ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"]
                .iter()
                .any(|prefix| name.starts_with(prefix))
        };
        if name.to_str().is_some_and(set_by_cargo) {
            cargo.env_remove(name);
        }
    }
    cargo
}

/// Runs a program to its end, with its output on this terminal. Any ending but success is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = line(command);
    eprintln!("$ {line}");
    let status = command.status().with_context(|| format!("could not start `{line}`"))?;
    check(&line, status)
}

/// As [`run`], with the program's output on stderr: for where stdout is for others to read.
pub(crate) fn run_aside(command: &mut Command) -> Result<()> {
    run(command.stdout(std::io::stderr()))
}

/// Runs a program that may take `limit` at most: it is ended then, which is an error as any other failure is.
pub(crate) fn run_within(command: &mut Command, limit: Duration) -> Result<()> {
    let line = line(command);
    eprintln!("$ {line}   (for at most {} s)", limit.as_secs());
    let mut child = command
        .stdin(Stdio::null())
        .stdout(std::io::stderr())
        .spawn()
        .with_context(|| format!("could not start `{line}`"))?;
    let deadline = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait()? {
            return check(&line, status);
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            bail!("`{line}` did not end within {} s", limit.as_secs());
        }
        thread::sleep(POLL);
    }
}

/// Runs a program and returns what it wrote on its standard output, without the white space around it. Its standard error
/// is not seen.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let line = line(command);
    let output = command.output().with_context(|| format!("could not start `{line}`"))?;
    check(&line, output.status)?;
    let text = String::from_utf8(output.stdout).with_context(|| format!("`{line}` wrote something else than UTF-8"))?;
    Ok(text.trim().to_owned())
}

/// Whether a program can be run and ends well, its output unseen.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn check(line: &str, status: ExitStatus) -> Result<()> {
    if !status.success() {
        bail!("`{line}` failed: {status}");
    }
    Ok(())
}

fn line(command: &Command) -> String {
    let words: Vec<_> =
        std::iter::once(command.get_program()).chain(command.get_args()).map(OsStr::to_string_lossy).collect();
    words.join(" ")
}
