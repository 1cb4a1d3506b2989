//! Builds the guests that are written in Rust.

use std::ffi::OsStr;
use std::fs;

use anyhow::{Context, Result, bail};

use crate::workspace::Workspace;
use crate::{languages, shell, toolchain};

/// The profile that guests are built with, of the workspace's own.
const PROFILE: &str = "guest";

/// Builds every guest in Rust and puts it at `<target>/guests/<package>.wasm`.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    let guests = workspace.guests();
    if guests.is_empty() {
        bail!(
            "no guests found; a guest is a workspace member with the crate type `cdylib` in examples/, tests/guests/ or tests/hostile/"
        );
    }

    let build_directory = workspace.target().join("guests-build");
    let mut cargo = toolchain::find(workspace)?.cargo()?;
    cargo.current_dir(workspace.root());
    cargo.args(["build", "--profile", PROFILE, "--target", toolchain::TARGET, "--target-dir"]).arg(&build_directory);
    for guest in &guests {
        cargo.args(["--package", &guest.package]);
    }
    shell::run(&mut cargo)?;

    let out = workspace.target().join("guests");
    fs::create_dir_all(&out).with_context(|| format!("could not make the directory {}", out.display()))?;
    for guest in &guests {
        let from = build_directory.join(toolchain::TARGET).join(PROFILE).join(&guest.artifact);
        let to = workspace.component(&guest.package);
        let bytes =
            fs::copy(&from, &to).with_context(|| format!("could not copy {} to {}", from.display(), to.display()))?;
        println!("{:>6} KiB  {}", bytes.div_ceil(1024), to.display());
    }
    let others = languages::guests(workspace)?;
    // A guest that is no longer in the workspace must not be found by a test.
    for entry in fs::read_dir(&out)? {
        let path = entry?.path();
        let mut names = guests.iter().map(|guest| &guest.package).chain(&others);
        let known = names.any(|name| workspace.component(name) == path);
        if !known && path.extension() == Some(OsStr::new("wasm")) {
            fs::remove_file(&path).with_context(|| format!("could not remove {}", path.display()))?;
        }
    }
    Ok(())
}
