//! A guest's crate: what cargo knows of it, and its build.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use serde::Deserialize;

use crate::cli::new::TARGET;

/// A crate that builds to a component.
#[derive(Clone, Debug)]
pub(super) struct Project {
    directory: PathBuf,
    package: Package,
    /// The directories of the package and of those that it depends on by path.
    sources: BTreeSet<PathBuf>,
}

/// What `cargo metadata` says, as far as it matters here.
#[derive(Debug, Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Clone, Debug, Deserialize)]
struct Package {
    id: String,
    name: String,
    manifest_path: PathBuf,
    /// Nothing for a package in a directory of this machine.
    source: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Debug, Deserialize)]
struct Node {
    id: String,
    dependencies: Vec<String>,
}

/// One line of `cargo build --message-format json`, as far as it matters here.
#[derive(Debug, Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
enum Message {
    CompilerArtifact {
        package_id: String,
        target: Target,
        filenames: Vec<PathBuf>,
    },
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
struct Target {
    kind: Vec<String>,
}

/// The cargo to run: the one that runs this program, if any does.
fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")))
}

fn started<T>(started: io::Result<T>) -> anyhow::Result<T> {
    started.context("can't run cargo; install Rust by https://rustup.rs, and have cargo on the PATH")
}

impl Project {
    /// The crate in `directory`.
    ///
    /// # Errors
    ///
    /// When there is none, or cargo can't make sense of it.
    pub(super) fn find(directory: &Path) -> anyhow::Result<Self> {
        let manifest = directory.join("Cargo.toml");
        let manifest = std::fs::canonicalize(&manifest)
            .with_context(|| format!("can't find {}; `dacapo new NAME` makes a handler's crate", manifest.display()))?;
        let mut asked = cargo();
        asked
            .args(["metadata", "--format-version", "1", "--filter-platform", TARGET, "--manifest-path"])
            .arg(&manifest);
        let told = started(asked.stderr(Stdio::inherit()).output())?;
        if !told.status.success() {
            bail!("cargo can't make sense of {}; it says why above", manifest.display());
        }
        let metadata: Metadata =
            serde_json::from_slice(&told.stdout).context("cargo metadata says what is not known")?;
        Self::of(directory, &manifest, metadata)
    }

    fn of(directory: &Path, manifest: &Path, metadata: Metadata) -> anyhow::Result<Self> {
        let packages: BTreeMap<_, _> =
            metadata.packages.into_iter().map(|package| (package.id.clone(), package)).collect();
        let nodes: BTreeMap<_, _> =
            metadata.resolve.nodes.into_iter().map(|node| (node.id, node.dependencies)).collect();
        let Some(package) = packages.values().find(|package| package.manifest_path == manifest).cloned() else {
            bail!("{} is of no crate; expected one with a [package]", manifest.display());
        };
        let mut sources = BTreeSet::new();
        let mut open = vec![&package.id];
        while let Some(id) = open.pop() {
            // A package from a registry does not change, and depends on no directory.
            let Some(package) = packages.get(id).filter(|package| package.source.is_none()) else { continue };
            let above = package.manifest_path.parent().map(Path::to_owned);
            if above.is_some_and(|above| sources.insert(above)) {
                open.extend(nodes.get(id).into_iter().flatten());
            }
        }
        Ok(Self { directory: directory.to_owned(), package, sources })
    }

    /// The crate's name.
    pub(super) fn name(&self) -> &str {
        &self.package.name
    }

    /// Where it was found.
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The directories of the packages whose sources it is built from.
    pub(super) fn watched(&self) -> &BTreeSet<PathBuf> {
        &self.sources
    }

    /// Builds the component, and reads it. What cargo has to say goes to standard error.
    ///
    /// # Errors
    ///
    /// When cargo fails, or builds no component.
    pub(super) fn build(&self) -> anyhow::Result<Vec<u8>> {
        let mut build = cargo();
        build.args(["build", "--release", "--target", TARGET, "--message-format", "json-render-diagnostics"]);
        build.arg("--manifest-path").arg(&self.package.manifest_path).args(["--package", &self.package.name]);
        if io::stderr().is_terminal() {
            build.args(["--color", "always"]);
        }
        let mut child = started(build.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn())?;
        let errors = child.stderr.take().map(|stderr| std::thread::spawn(move || pass_on(stderr)));
        let mut component = None;
        for line in child.stdout.take().into_iter().flat_map(|stdout| BufReader::new(stdout).lines()) {
            if let Ok(Message::CompilerArtifact { package_id, target, filenames }) = serde_json::from_str(&line?)
                && package_id == self.package.id
                && target.kind.iter().any(|kind| kind == "cdylib")
            {
                component = filenames.into_iter().find(|file| file.extension().is_some_and(|ending| ending == "wasm"));
            }
        }
        let built = child.wait()?;
        let said = errors.and_then(|reading| reading.join().ok()).unwrap_or_default();
        if !built.success() {
            // In cargo's words, `may not be installed`; in those of rustc alone, that it can't find `core` or `std`.
            if said.contains("target may not be installed") || said.contains("can't find crate for `core`") {
                bail!("the target {TARGET} is not installed; `rustup target add {TARGET}` installs it");
            }
            bail!("cargo could not build {}; it says why above", self.package.name);
        }
        let component = component.with_context(|| {
            format!(
                "{} has no library of the crate type \"cdylib\", which is what makes a component; add to its Cargo.toml\n\
                 [lib]\ncrate-type = [\"cdylib\"]",
                self.package.name
            )
        })?;
        std::fs::read(&component)
            .with_context(|| format!("can't read {}, which cargo says it built", component.display()))
    }
}

/// Passes on what cargo says to standard error, and gives all of it.
fn pass_on(stderr: impl io::Read) -> String {
    let mut all = String::new();
    for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        let _nobody_reads = writeln!(io::stderr(), "{line}");
        all.push_str(&line);
        all.push('\n');
    }
    all
}
