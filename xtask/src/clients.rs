//! Installs what the tests need from others: the real clients that they talk through, the conformance suite, and the
//! protocol's schema.
//!
//! Each is pinned by a lock file. They are installed into the target directory, so that the checkout
//! stays as it is, and anew only when the lock file has changed.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::shell;
use crate::suite::Suite;
use crate::workspace::Workspace;

/// Holds the text of the lock file that a client was installed from. Written last.
const STAMP: &str = "installed-from";

/// Installs the Node and the Python client and the schema into `<target>/clients`, and the suite that the schema comes
/// from.
pub(crate) fn install(workspace: &Workspace) -> Result<()> {
    let sources = workspace.root().join("tests/clients");
    let clients = workspace.target().join("clients");
    install_node(&sources.join("node"), &clients.join("node"))?;
    install_venv(&sources.join("python/requirements.txt"), &clients.join("python"))?;
    let suite = Suite::install(workspace)?;
    let schema = clients.join("schema.json");
    fs::write(&schema, suite.schema()?).with_context(|| format!("could not write {}", schema.display()))
}

fn install_node(source: &Path, client: &Path) -> Result<()> {
    install_npm(source, client, &[])?;
    // Node looks for a script's dependencies from where the script is.
    copy(&source.join("converse.mjs"), &client.join("converse.mjs"))
}

/// Installs the Python packages in the file `requirements` into a virtual environment of their own, `to`.
pub(crate) fn install_venv(requirements: &Path, to: &Path) -> Result<()> {
    install_once(requirements, to, || {
        let python = ["python3.11", "python3"]
            .into_iter()
            .find(|python| shell::succeeds(Command::new(python).args(["-c", "import ensurepip, venv"])))
            .context(
                "Python 3.11 or newer is needed, with its `venv` module (on Debian: python3-venv); it was not found",
            )?;
        shell::run(Command::new(python).args(["-m", "venv"]).arg(to))?;
        let pip = to.join("bin/python");
        shell::run(Command::new(pip).args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(requirements))
    })
}

/// Installs the npm package in `source`, with its dependencies as locked, into the directory `to`.
pub(crate) fn install_npm(source: &Path, to: &Path, options: &[&str]) -> Result<()> {
    install_once(&source.join("package-lock.json"), to, || {
        for name in ["package.json", "package-lock.json", ".npmrc"] {
            copy(&source.join(name), &to.join(name))?;
        }
        let mut npm = Command::new("npm");
        npm.args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]).args(options).current_dir(to);
        shell::run(&mut npm).context("Node 20 or newer is needed, with npm")
    })
}

/// Runs `install` in a new directory `client`, unless it was run there with the same lock file.
fn install_once(lock: &Path, client: &Path, install: impl FnOnce() -> Result<()>) -> Result<()> {
    let wanted = fs::read_to_string(lock).with_context(|| format!("could not read {}", lock.display()))?;
    let stamp = client.join(STAMP);
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        println!("{}: as pinned", client.display());
        return Ok(());
    }
    if client.exists() {
        fs::remove_dir_all(client).with_context(|| format!("could not remove {}", client.display()))?;
    }
    fs::create_dir_all(client).with_context(|| format!("could not make the directory {}", client.display()))?;
    install()?;
    fs::write(&stamp, wanted).with_context(|| format!("could not write {}", stamp.display()))
}

/// Copies a file.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("could not copy {} to {}", from.display(), to.display()))?;
    Ok(())
}
