//! Where things are.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use cargo_metadata::{Metadata, MetadataCommand, TargetKind};

/// Directories whose packages are guests, from the root.
const GUEST_DIRECTORIES: [&str; 3] = ["examples", "tests/guests", "tests/hostile"];

/// The checkout, as cargo sees it.
pub(crate) struct Workspace {
    metadata: Metadata,
}

/// A package that is built for wasm.
pub(crate) struct Guest {
    /// The package's name.
    pub package: String,
    /// The name of the file that cargo makes of it, without a directory.
    pub artifact: String,
}

impl Workspace {
    /// Asks cargo about the workspace that the current directory belongs to.
    pub(crate) fn find() -> Result<Self> {
        let metadata =
            MetadataCommand::new().no_deps().exec().context("`cargo metadata` failed; run this in the checkout")?;
        Ok(Self { metadata })
    }

    /// The root of the checkout.
    pub(crate) fn root(&self) -> &Path {
        self.metadata.workspace_root.as_std_path()
    }

    /// Cargo's target directory.
    pub(crate) fn target(&self) -> &Path {
        self.metadata.target_directory.as_std_path()
    }

    /// The server's binary, as `cargo build` makes it.
    pub(crate) fn host_binary(&self) -> PathBuf {
        self.target().join("debug").join(format!("dacapo{}", std::env::consts::EXE_SUFFIX))
    }

    /// Where the component of the guest `package` is put.
    pub(crate) fn component(&self, package: &str) -> PathBuf {
        self.target().join("guests").join(format!("{package}.wasm"))
    }

    /// All guests, sorted by name.
    pub(crate) fn guests(&self) -> Vec<Guest> {
        let directories = GUEST_DIRECTORIES.map(|directory| self.root().join(directory));
        let mut guests: Vec<Guest> = self
            .metadata
            .workspace_packages()
            .into_iter()
            .filter(|package| {
                directories.iter().any(|directory| package.manifest_path.as_std_path().starts_with(directory))
            })
            .filter_map(|package| {
                let target = package.targets.iter().find(|target| target.kind.contains(&TargetKind::CDyLib))?;
                Some(Guest {
                    package: package.name.to_string(),
                    artifact: format!("{}.wasm", target.name.replace('-', "_")),
                })
            })
            .collect();
        guests.sort_by(|a, b| a.package.cmp(&b.package));
        guests
    }
}
