//! Builds the example guests that are written in other languages than Rust, and tests what they are written with.
//!
//! The tools are pinned beside the wrappers in `guest-sdk/`, and are installed into `<target>/guest-tools`. A guest takes up
//! to half a minute to build, so it is built anew only when something that goes into it has changed.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::workspace::Workspace;
use crate::{clients, shell};

/// The world that the examples implement.
const WORLD: &str = "tool-handler";

/// The endings of the files that guests are made of, and of those that pin the tools.
const SOURCES: [&str; 6] = ["js", "json", "npmrc", "py", "txt", "wit"];

#[derive(Clone, Copy)]
enum Language {
    JavaScript,
    Python,
}

impl Language {
    const ALL: [Self; 2] = [Self::JavaScript, Self::Python];

    /// The name of its wrapper's directory in `guest-sdk/`, and of its tools' in `<target>/guest-tools`. Its examples start
    /// with it.
    fn name(self) -> &'static str {
        match self {
            Self::JavaScript => "js",
            Self::Python => "python",
        }
    }

    /// The directory of its wrapper.
    fn wrapper(self, workspace: &Workspace) -> PathBuf {
        workspace.root().join("guest-sdk").join(self.name())
    }

    /// The directory that its tools are installed in.
    fn tools(self, workspace: &Workspace) -> PathBuf {
        tools(workspace).join(self.name())
    }

    fn install(self, workspace: &Workspace) -> Result<()> {
        let (wrapper, tools) = (self.wrapper(workspace), self.tools(workspace));
        match self {
            Self::JavaScript => clients::install_npm(&wrapper, &tools, &[]),
            Self::Python => clients::install_venv(&wrapper.join("requirements.txt"), &tools),
        }
    }

    /// Makes a component of the example at `source`.
    fn build(self, workspace: &Workspace, source: &Path, component: &Path) -> Result<()> {
        let mut command = match self {
            Self::JavaScript => {
                // Two packages that this tool needs and does not name are pinned beside it.
                let mut node = Command::new("node");
                node.arg(self.tools(workspace).join("node_modules/@bytecodealliance/componentize-js/src/cli.js"));
                node.arg(source.join("app.js")).args(["--wit", "wit", "--world-name", WORLD]);
                // The rest of WASI is for clocks, randomness and the log.
                node.args(["--disable", "http", "--disable", "fetch-event", "--out"]).arg(component);
                node
            }
            Self::Python => {
                let mut componentize = Command::new(self.tools(workspace).join("bin/componentize-py"));
                componentize.args(["--quiet", "--wit-path", "wit", "--world", WORLD, "componentize"]);
                componentize.arg("--python-path").arg(source).args(["--python-path", "guest-sdk/python"]);
                componentize.arg("--output").arg(component).arg("app");
                componentize
            }
        };
        shell::run(command.current_dir(workspace.root()))
    }
}

/// The names of the examples that this module builds.
pub(crate) fn guests(workspace: &Workspace) -> Result<Vec<String>> {
    Ok(examples(workspace)?.into_iter().map(|(_, name)| name).collect())
}

/// Builds every example and puts it at `<target>/guests/<example>.wasm`.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    for language in Language::ALL {
        language.install(workspace)?;
    }
    for (language, name) in examples(workspace)? {
        let source = workspace.root().join("examples").join(&name);
        let component = workspace.component(&name);
        let mut parts = String::new();
        for directory in [workspace.root().join("wit"), language.wrapper(workspace), source.clone()] {
            read_sources(&directory, &mut parts)?;
        }
        // Holds the text of all that the guest was built from. Written last.
        let stamp = tools(workspace).join(format!("{name}-built-from"));
        if component.exists() && fs::read_to_string(&stamp).is_ok_and(|built| built == parts) {
            println!("{}: as built", component.display());
            continue;
        }
        language.build(workspace, &source, &component)?;
        println!("{:>6} KiB  {}", component.metadata()?.len().div_ceil(1024), component.display());
        fs::write(&stamp, parts).with_context(|| format!("could not write {}", stamp.display()))?;
    }
    Ok(())
}

/// Tests what the wrappers make of forms and tools, each with the test runner of its language.
pub(crate) fn test(workspace: &Workspace) -> Result<()> {
    let mut node = Command::new("node");
    shell::run(node.arg("--test").current_dir(Language::JavaScript.wrapper(workspace)))?;

    let tools = Language::Python.tools(workspace);
    // The contract's types as Python classes, which the build puts into the component.
    let bindings = tools.with_file_name("python-bindings");
    if bindings.exists() {
        fs::remove_dir_all(&bindings).with_context(|| format!("could not remove {}", bindings.display()))?;
    }
    let mut generate = Command::new(tools.join("bin/componentize-py"));
    generate.args(["--quiet", "--wit-path", "wit", "--world", WORLD, "bindings"]).arg(&bindings);
    shell::run(generate.current_dir(workspace.root()))?;
    let wrapper = Language::Python.wrapper(workspace);
    let mut python = Command::new(tools.join("bin/python"));
    python.args(["-m", "unittest", "discover", "--start-directory", "tests"]).current_dir(&wrapper);
    shell::run(python.env("PYTHONPATH", std::env::join_paths([&bindings, &wrapper])?))
}

fn tools(workspace: &Workspace) -> PathBuf {
    workspace.target().join("guest-tools")
}

/// The examples in other languages, sorted by name.
fn examples(workspace: &Workspace) -> Result<Vec<(Language, String)>> {
    let mut examples = Vec::new();
    for entry in fs::read_dir(workspace.root().join("examples"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let of = |language: &Language| name.split_once('-').is_some_and(|(start, _)| start == language.name());
        if let Some(language) = Language::ALL.into_iter().find(of) {
            examples.push((language, name));
        }
    }
    examples.sort_by(|(_, a), (_, b)| a.cmp(b));
    Ok(examples)
}

/// Adds the text of all sources below a directory, each with its path.
fn read_sources(directory: &Path, parts: &mut String) -> Result<()> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory).with_context(|| format!("could not read {}", directory.display()))? {
        paths.push(entry?.path());
    }
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            read_sources(&path, parts)?;
        } else if SOURCES.iter().any(|ending| name.rsplit_once('.').is_some_and(|(_, end)| end == *ending)) {
            let text = fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
            writeln!(parts, "== {}\n{text}", path.display())?;
        }
    }
    Ok(())
}
