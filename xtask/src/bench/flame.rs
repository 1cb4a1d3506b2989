//! Where the time of a call goes: a flame graph of the host under load.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::load::Load;
use super::programs::Programs;
use super::server::Server;
use super::subject::Subject;
use crate::shell;

/// What draws the graph, pinned.
const INFERNO: &str = "0.12.4";
/// How many samples a second. Each holds a piece of the stack, so more of them would slow the server down.
const FREQUENCY: &str = "499";
/// How long to look, and how many connections to look at.
const TIME: Duration = Duration::from_secs(20);
const CONNECTIONS: usize = 32;

/// Draws a graph of `hello` under load.
pub(crate) fn draw(programs: &Programs, output: &Path) -> Result<()> {
    let inferno = programs.inferno();
    if !inferno.join("bin/inferno-flamegraph").exists() {
        let mut install = shell::cargo();
        install.args(["install", "inferno", "--version", INFERNO, "--root"]).arg(inferno);
        shell::run(&mut install)?;
    }
    let files = tempfile::tempdir()?;
    let record = files.path().join("perf.data");
    let server = Server::start(programs, Subject::Hello)?;
    let load = Load::new(programs, Subject::Hello, &server)?;
    thread::scope(|scope| {
        let loading = scope.spawn(|| load.most(CONNECTIONS, TIME + Duration::from_secs(2)));
        thread::sleep(Duration::from_secs(1));
        // A clock, as virtual machines have no counters; and DWARF, as nothing is built with frame pointers.
        let mut perf = Command::new("perf");
        perf.args(["record", "--quiet", "--event", "cpu-clock", "--freq", FREQUENCY, "--mmap-pages", "2048"])
            .args(["--call-graph", "dwarf,32768", "--pid", &server.id().to_string(), "--output"])
            .arg(&record)
            .args(["--", "sleep", &TIME.as_secs().to_string()]);
        shell::run(&mut perf).context("the profile is taken by perf (on Debian: linux-perf), which may need root")?;
        loading.join().ok().context("the load broke off")?
    })?;
    drop(server);
    let stacks = files.path().join("stacks");
    let mut script = Command::new("perf");
    script.args(["script", "--no-inline", "--input"]).arg(&record);
    pipe(&mut script, &mut Command::new(inferno.join("bin/inferno-collapse-perf")), &stacks)?;
    fs::write(&stacks, plain(&fs::read_to_string(&stacks)?))?;
    let mut draw = Command::new(inferno.join("bin/inferno-flamegraph"));
    draw.args(["--title", "hello, 32 connections", "--minwidth", "0.3"]).arg(&stacks);
    let graph = shell::output(&mut draw)?;
    fs::write(output, graph + "\n").with_context(|| format!("could not write {}", output.display()))
}

/// Runs one program into another, and what comes out into a file.
fn pipe(from: &mut Command, to: &mut Command, file: &Path) -> Result<()> {
    let mut from = from.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let between = from.stdout.take().context("the first program has no output")?;
    let status = to.stdin(between).stdout(File::create(file)?).stderr(Stdio::null()).status()?;
    if !(from.wait()?.success() && status.success()) {
        bail!("perf's record could not be read");
    }
    Ok(())
}

/// Stacks without the hashes that the compiler puts behind names, and without the frames between that nobody knows. Each is a
/// line of frames, and behind them how often it was seen.
fn plain(stacks: &str) -> String {
    let line = |line: &str| {
        let (frames, count) = line.rsplit_once(' ').unwrap_or((line, "1"));
        let known: Vec<&str> = frames.split(';').filter(|frame| *frame != "[unknown]").map(without_hash).collect();
        format!("{} {count}\n", known.join(";"))
    };
    stacks.lines().map(line).collect()
}

fn without_hash(frame: &str) -> &str {
    match frame.rsplit_once("::h") {
        Some((name, hash)) if hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => name,
        _ => frame,
    }
}
