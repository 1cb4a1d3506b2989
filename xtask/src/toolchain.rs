//! Finds a way to compile for `wasm32-wasip2`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::debian::{self, Sysroot};
use crate::shell;
use crate::workspace::Workspace;

/// The target that guests are compiled for.
pub(crate) const TARGET: &str = "wasm32-wasip2";

/// How long rustup may take to fetch the target. Where its server is out of reach it may hang for much longer.
const RUSTUP_LIMIT: Duration = Duration::from_secs(30);

/// What can compile for [`TARGET`].
pub(crate) enum Toolchain {
    /// The toolchain that runs this program has the target.
    Installed,
    /// Debian's compiler, with a standard library that was built on this machine.
    Debian(Sysroot),
}

/// Finds a toolchain, or makes one, and says what it does.
pub(crate) fn find(workspace: &Workspace) -> Result<Toolchain> {
    if is_installed(workspace)? {
        eprintln!("{TARGET}: using the installed target");
        return Ok(Toolchain::Installed);
    }
    // Asked before rustup, for a machine that needed it once would otherwise wait for rustup on every run.
    if let Some(sysroot) = debian::built()? {
        eprintln!("{TARGET}: using Debian's compiler with the standard library at {}", sysroot.path().display());
        return Ok(Toolchain::Debian(sysroot));
    }
    eprintln!("{TARGET}: the target is not installed; asking rustup for it");
    let rustup = match add_by_rustup(workspace) {
        Ok(()) => return Ok(Toolchain::Installed),
        Err(error) => error,
    };
    eprintln!("{TARGET}: {rustup:#}");
    eprintln!("{TARGET}: building a standard library with Debian's compiler, once for this machine");
    match debian::build() {
        Ok(sysroot) => Ok(Toolchain::Debian(sysroot)),
        Err(debian) => bail!(
            "no toolchain for {TARGET}.\n  By rustup: {rustup:#}\n  By Debian's compiler: {debian:#}\n\
             Install the target with `rustup target add {TARGET}`, or on Debian, as root: `{}`",
            debian::INSTALL
        ),
    }
}

impl Toolchain {
    /// A cargo that compiles for [`TARGET`].
    pub(crate) fn cargo(&self) -> Result<Command> {
        match self {
            Self::Installed => Ok(shell::cargo()),
            Self::Debian(sysroot) => sysroot.cargo(&linkers()?),
        }
    }
}

fn is_installed(workspace: &Workspace) -> Result<bool> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", TARGET]).current_dir(workspace.root());
    Ok(Path::new(&shell::output(&mut rustc)?).is_dir())
}

fn add_by_rustup(workspace: &Workspace) -> Result<()> {
    let mut rustup = Command::new("rustup");
    shell::run_within(rustup.args(["target", "add", TARGET]).current_dir(workspace.root()), RUSTUP_LIMIT)?;
    if !is_installed(workspace)? {
        bail!("rustup added the target to another toolchain than the `rustc` on the PATH belongs to");
    }
    Ok(())
}

/// Where rustup's toolchain keeps the linkers for wasm, which Debian does not package.
fn linkers() -> Result<Vec<PathBuf>> {
    let sysroot = shell::output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let host = shell::output(Command::new("rustc").args(["--print", "host-tuple"]))?;
    let binaries = Path::new(&sysroot).join("lib/rustlib").join(host).join("bin");
    let linker = binaries.join("wasm-component-ld");
    linker.metadata().with_context(|| {
        format!(
            "no linker for components at {}; it comes with rustup's toolchains: https://rustup.rs",
            linker.display()
        )
    })?;
    Ok(vec![binaries.join("gcc-ld"), binaries])
}
