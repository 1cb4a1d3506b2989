//! Word of saved files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use notify::event::ModifyKind;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc;

/// How long no file must have been saved for: editors write in several steps, and several files at once.
const QUIET: Duration = Duration::from_millis(30);

/// Files were saved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    /// When the last of them was.
    pub(super) saved: Instant,
    /// Whether one was a Cargo.toml.
    pub(super) manifest: bool,
}

/// Watches the sources of packages.
pub(super) struct Watch {
    changes: mpsc::UnboundedReceiver<Change>,
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Watches the packages in these directories: `src`, `Cargo.toml` and `build.rs`.
    ///
    /// # Errors
    ///
    /// When the operating system can't watch them.
    pub(super) fn of(packages: &BTreeSet<PathBuf>) -> anyhow::Result<Self> {
        let (changed, changes) = mpsc::unbounded_channel();
        let roots = packages.clone();
        let tell = move |event: notify::Result<Event>| {
            // An error means that words were lost, so it counts as one.
            let manifest = event.as_ref().map_or(Some(true), |event| concerns(&roots, event));
            if let Some(manifest) = manifest {
                let _nobody_builds = changed.send(Change { saved: Instant::now(), manifest });
            }
        };
        let mut watcher = notify::recommended_watcher(tell).context("can't watch files")?;
        for package in packages {
            // The directory by itself, for editors put a new file in an old one's place.
            let mut watch = |path: &Path, mode| {
                watcher.watch(path, mode).with_context(|| format!("can't watch {}", path.display()))
            };
            watch(package, RecursiveMode::NonRecursive)?;
            let sources = package.join("src");
            if sources.is_dir() {
                watch(&sources, RecursiveMode::Recursive)?;
            }
        }
        Ok(Self { changes, _watcher: watcher })
    }

    /// Waits for files to be saved, and then for a moment in which none is. `None` when nobody watches any more.
    pub(super) async fn change(&mut self) -> Option<Change> {
        let mut change = self.changes.recv().await?;
        while let Ok(Some(next)) = tokio::time::timeout(QUIET, self.changes.recv()).await {
            change = Change { saved: next.saved, manifest: change.manifest || next.manifest };
        }
        Some(change)
    }
}

/// Whether the event is of a file that a build reads: then, whether it is a Cargo.toml.
fn concerns(packages: &BTreeSet<PathBuf>, event: &Event) -> Option<bool> {
    // Reading is no change, and neither is what the file system notes of it.
    if matches!(event.kind, EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_))) {
        return None;
    }
    let parts =
        event.paths.iter().flat_map(|path| packages.iter().filter_map(|package| path.strip_prefix(package).ok()));
    let mut concerned = None;
    for part in parts {
        let manifest = part == Path::new("Cargo.toml");
        if manifest || part == Path::new("build.rs") || part.starts_with("src") {
            concerned = Some(concerned.unwrap_or(false) || manifest);
        }
    }
    concerned
}

#[cfg(test)]
mod tests {
    use notify::event::{AccessKind, CreateKind, DataChange, MetadataKind};

    use super::*;

    #[test]
    fn what_a_build_reads_concerns_it_and_nothing_else() {
        let packages: BTreeSet<_> = [PathBuf::from("/a"), PathBuf::from("/b/c")].into();
        let of = |kind, path: &str| concerns(&packages, &Event::new(kind).add_path(path.into()));
        let written = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        assert_eq!(of(written, "/a/src/lib.rs"), Some(false));
        assert_eq!(of(EventKind::Create(CreateKind::File), "/b/c/src/deep/file.rs"), Some(false));
        assert_eq!(of(written, "/b/c/build.rs"), Some(false));
        assert_eq!(of(written, "/b/c/Cargo.toml"), Some(true));
        for path in ["/a/Cargo.lock", "/a/target/x", "/b/Cargo.toml", "/a/target/src/lib.rs", "/c/src/lib.rs"] {
            assert_eq!(of(written, path), None, "{path}");
        }
        assert_eq!(of(EventKind::Access(AccessKind::Read), "/a/src/lib.rs"), None);
        assert_eq!(of(EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any)), "/a/src/lib.rs"), None);
    }
}
