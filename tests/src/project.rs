//! A handler's crate, made by `dacapo new` in a directory that goes at the end.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::target;

/// A handler's crate, made by `dacapo new`.
pub struct Project {
    directory: TempDir,
    path: PathBuf,
    /// What a shell needs to compile for the guests' target.
    environment: Vec<(String, String)>,
}

impl Project {
    /// Makes the crate `name`.
    ///
    /// Panics where that fails.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        let project = Self { path: directory.path().join(name), directory, environment: environment() };
        project.run(Command::new(target::host_binary()).arg("new").arg(&project.path));
        project
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What a file of it holds.
    #[must_use]
    pub fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.path.join(file)).expect("the file is there")
    }

    /// Writes a file of it, at once and as a whole, as editors do.
    pub fn write(&self, file: &str, text: &str) {
        let written = self.directory.path().join("written");
        std::fs::write(&written, text).expect("writable");
        std::fs::rename(written, self.path.join(file)).expect("writable");
    }

    /// A command that may compile for the guests' target. What cargo makes on the way is kept for the next time.
    #[must_use]
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.path)
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("RUSTFLAGS")
            // Set by the cargo that runs the tests, for that workspace.
            .env_remove("CARGO")
            .env("CARGO_BUILD_BUILD_DIR", target::directory().join("readme-build"))
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs a command to its end.
    ///
    /// Panics, with what it printed, where it fails.
    pub fn run(&self, command: &mut Command) -> Output {
        let output = command.output().expect("the program starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{command:?}\n{}\n{}", text(&output.stdout), text(&output.stderr));
        output
    }
}

/// What `cargo xtask wasm-env` says.
fn environment() -> Vec<(String, String)> {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the checkout");
    let told = Command::new("cargo").args(["xtask", "wasm-env"]).current_dir(checkout).output().expect("cargo starts");
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let text = String::from_utf8(told.stdout).expect("UTF-8");
    let variables = text.lines().filter_map(|line| line.strip_prefix("export ")?.split_once('='));
    variables.map(|(name, value)| (name.to_owned(), value.trim_matches('\'').to_owned())).collect()
}
