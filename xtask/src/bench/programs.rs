//! What is measured with, built and installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace::Workspace;
use crate::{clients, guests, host, shell};

/// The load generator's version, as it says it, and the Debian packages that it and its library come in.
const WRK: &str = "4.1.0";
const PACKAGES: [&str; 3] = ["wrk=4.1.0-3+b2", "libluajit-5.1-2", "libluajit-5.1-common"];

/// A key for the hosts under measurement, so that none warns that it has none.
const SECRET: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

/// Where everything is.
pub(crate) struct Programs {
    host: PathBuf,
    guests: PathBuf,
    pub(crate) ceiling: PathBuf,
    pub(crate) sandbox: PathBuf,
    pub(crate) floor: PathBuf,
    drive: PathBuf,
    pub(crate) rmcp: PathBuf,
    /// The directory of the TypeScript server.
    pub(crate) typescript: PathBuf,
    /// The directory of the Python server, which is its virtual environment too.
    pub(crate) python: PathBuf,
    /// Where wrk was unpacked; the machine's own is used where it is of the same version.
    wrk: PathBuf,
    inferno: PathBuf,
}

impl Programs {
    /// Where everything is that earlier runs have built.
    pub(crate) fn built(workspace: &Workspace) -> Result<Self> {
        let release = workspace.target().join("release");
        let tools = workspace.target().join("bench-tools");
        let programs = Self {
            host: release.join("dacapo"),
            guests: workspace.target().join("guests"),
            ceiling: release.join("ceiling"),
            sandbox: release.join("sandbox"),
            floor: release.join("floor"),
            drive: release.join("dacapo-drive"),
            rmcp: tools.join("rmcp/release/dacapo-peer-rmcp"),
            typescript: tools.join("typescript"),
            python: tools.join("python"),
            wrk: tools.join("wrk"),
            inferno: tools.join("inferno"),
        };
        let programs_of_ours = [&programs.host, &programs.drive, &programs.ceiling, &programs.sandbox, &programs.floor];
        for program in programs_of_ours.into_iter().chain([&programs.rmcp]) {
            if !program.exists() {
                bail!("there is no {}; run this without --no-build once", program.display());
            }
        }
        Ok(programs)
    }

    /// Builds and installs everything.
    pub(crate) fn build(workspace: &Workspace) -> Result<Self> {
        let root = workspace.root();
        let tools = workspace.target().join("bench-tools");
        fs::create_dir_all(&tools).with_context(|| format!("could not make the directory {}", tools.display()))?;
        guests::build(workspace)?;
        let cargo = |arguments: &[&str]| {
            shell::run(shell::cargo().args(["build", "--release"]).args(arguments).current_dir(root))
        };
        // Together, so that what both stand on is compiled once.
        let host = [host::PACKAGES.as_slice(), &["dacapo-baselines"]].concat();
        cargo(&host.iter().flat_map(|package| ["--package", package]).collect::<Vec<_>>())?;
        cargo(&["--package", "dacapo-benches", "--bin", "dacapo-drive"])?;
        let peers = root.join("tests/peers");
        let mut rmcp = shell::cargo();
        rmcp.args(["build", "--release", "--locked", "--target-dir"]).arg(tools.join("rmcp"));
        shell::run(rmcp.current_dir(peers.join("rmcp")))?;
        install_wrk(&tools.join("wrk"))?;
        let (typescript, python) = (tools.join("typescript"), tools.join("python"));
        clients::install_npm(&peers.join("typescript"), &typescript, &[])?;
        clients::copy(&peers.join("typescript/server.mjs"), &typescript.join("server.mjs"))?;
        clients::install_venv(&peers.join("python/requirements.txt"), &python)?;
        clients::copy(&peers.join("python/server.py"), &python.join("server.py"))?;
        Self::built(workspace)
    }

    /// What starts the host on a port, with its data in a directory.
    pub(crate) fn host(&self, port: &str, data: &Path) -> Command {
        let mut host = Command::new(&self.host);
        // What the user has set for servers of their own is not for this one.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("DACAPO_") {
                host.env_remove(name);
            }
        }
        host.args(["serve", "--log", "warn", "--listen", &format!("127.0.0.1:{port}"), "--data-dir"]).arg(data);
        host.env("DACAPO_SECRET", SECRET);
        host
    }

    /// The component of a guest.
    pub(crate) fn guest(&self, guest: &str) -> PathBuf {
        self.guests.join(format!("{guest}.wasm"))
    }

    /// Where what draws flame graphs is installed, once it is.
    pub(crate) fn inferno(&self) -> &Path {
        &self.inferno
    }

    /// The load generator.
    pub(crate) fn wrk(&self) -> Command {
        wrk(&self.wrk, generator)
    }

    /// The other one.
    pub(crate) fn drive(&self) -> Command {
        generator(&self.drive)
    }
}

/// A load generator that runs where the servers do, as a batch process: it takes its turn, and does not interrupt a server whenever
/// there is an answer.
fn generator(program: &Path) -> Command {
    let mut chrt = Command::new("chrt");
    chrt.args(["--batch", "0"]).arg(program);
    chrt
}

/// The machine's own wrk, or the one that was unpacked.
fn wrk(unpacked: &Path, start: impl Fn(&Path) -> Command) -> Command {
    let own = Path::new("wrk");
    if is_wrk(&mut Command::new(own)) {
        return start(own);
    }
    let mut wrk = start(&unpacked.join("usr/bin/wrk"));
    let libraries = unpacked.join(format!("usr/lib/{}-linux-gnu", std::env::consts::ARCH));
    wrk.env("LD_LIBRARY_PATH", libraries);
    wrk
}

/// Whether this is the version that measurements are made with. wrk says its version and fails.
fn is_wrk(wrk: &mut Command) -> bool {
    wrk.arg("-v").output().is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(WRK))
}

/// Unpacks Debian's wrk, where the machine has none of its own. Nothing is installed outside of the directory.
fn install_wrk(directory: &Path) -> Result<()> {
    if is_wrk(&mut wrk(directory, |program| Command::new(program))) {
        return Ok(());
    }
    fs::create_dir_all(directory).with_context(|| format!("could not make the directory {}", directory.display()))?;
    shell::run(Command::new("apt-get").args(["--quiet", "download"]).args(PACKAGES).current_dir(directory))
        .with_context(|| format!("the load generator is wrk {WRK}; where there is no apt-get, install it by hand"))?;
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "deb") {
            shell::run(Command::new("dpkg-deb").arg("--extract").arg(&path).arg(directory))?;
        }
    }
    if !is_wrk(&mut wrk(directory, |program| Command::new(program))) {
        bail!("the wrk in {} does not run, or is not {WRK}", directory.display());
    }
    Ok(())
}
