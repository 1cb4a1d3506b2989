//! `dacapo push`.

use std::path::PathBuf;

use super::api::{self, Api};
use super::file;
use super::handlers::live;
use super::output::{Output, Usage};

#[derive(Debug, clap::Args)]
pub(super) struct Push {
    /// The component to upload
    file: PathBuf,

    /// The handler's name [default: the file's, without its ending]
    #[arg(long)]
    name: Option<String>,

    #[command(flatten)]
    api: Api,
}

impl Push {
    pub(super) fn run(self, output: Output) -> anyhow::Result<()> {
        let name = match &self.name {
            Some(name) => api::name(name)?,
            None => file::handler_name(&self.file)
                .unwrap_or_default()
                .parse()
                .map_err(|error| Usage(format!("{}: {error}; name the handler with --name", self.file.display())))?,
        };
        let wasm = file::read(&self.file)?;
        let uploaded = self.api.upload(&name, wasm).map_err(|error| error.context(self.file.display().to_string()))?;
        live(output, &uploaded)
    }
}
