//! What was measured on.

use std::fs;
use std::process::Command;

use super::programs::Programs;
use crate::shell;
use crate::workspace::Workspace;

/// The machine, and the versions of what ran on it.
pub(crate) struct Machine(Vec<(&'static str, String)>);

impl Machine {
    /// Has a look. What can't be made out is said to be unknown.
    pub(crate) fn look(workspace: &Workspace, programs: &Programs) -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let field = |path: &str, name: &str| {
            let text = read(path);
            let line = text.lines().find(|line| line.starts_with(name)).and_then(|line| line.split_once(':'));
            line.map_or_else(|| "unknown".to_owned(), |(_, value)| value.trim().to_owned())
        };
        let said = |command: &mut Command| {
            let output = shell::output(command).unwrap_or_else(|_| "unknown".to_owned());
            output.lines().next().unwrap_or_default().to_owned()
        };
        let cores =
            std::thread::available_parallelism().map_or_else(|_| "unknown".to_owned(), |cores| cores.to_string());
        let git = |arguments: &[&str]| said(Command::new("git").args(arguments).current_dir(workspace.root()));
        let changed = if git(&["status", "--porcelain"]).is_empty() { "" } else { ", with changes" };
        Self(vec![
            ("Processor", field("/proc/cpuinfo", "model name")),
            ("Cores", cores),
            ("Memory", field("/proc/meminfo", "MemTotal")),
            ("Kernel", read("/proc/sys/kernel/osrelease").trim().to_owned()),
            ("Load before", read("/proc/loadavg").trim().to_owned()),
            ("Commit", git(&["rev-parse", "--short", "HEAD"]) + changed),
            ("Rust", said(Command::new("rustc").arg("--version"))),
            ("Node", said(Command::new("node").arg("--version"))),
            ("Python", said(Command::new(programs.python.join("bin/python")).arg("--version"))),
        ])
    }

    /// What there is to say, and what it is called.
    pub(crate) fn facts(&self) -> &[(&'static str, String)] {
        &self.0
    }
}
