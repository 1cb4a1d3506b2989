//! `dacapo compile`: what the host starts to compile an upload. Not for people: it reads a component from standard input, and
//! writes machine code to standard output.

use crate::sandbox::compiler::Task;

#[derive(Debug, clap::Args)]
pub(super) struct Compile {
    /// What to keep to, as JSON
    task: Task,
}

impl Compile {
    pub(super) fn run(self) -> anyhow::Result<()> {
        Ok(self.task.run()?)
    }
}
