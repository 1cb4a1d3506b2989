//! `dacapo stdio`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;

use super::file;
use super::setup::{self, Setup};
use crate::config::Settings;
use crate::registry::Registry;
use crate::transport::stdio;

/// Options that say something of HTTP alone. They are taken, for the configuration file and the environment may be those of
/// `dacapo serve`, and mean nothing here.
const OF_HTTP: [&str; 7] =
    ["listen", "admin_token", "allowed_hosts", "allowed_origins", "max_upload", "body_timeout", "max_connections"];

#[derive(Debug, clap::Args)]
#[command(mut_args(|arg| { let hidden = OF_HTTP.contains(&arg.get_id().as_str()); arg.hide(hidden) }))]
pub(super) struct Stdio {
    /// A component to serve; those that were uploaded to the data directory are not served then. May be given several times
    #[arg(long = "handler", value_name = "FILE")]
    handlers: Vec<PathBuf>,

    /// Who calls
    #[arg(long, env = "DACAPO_PRINCIPAL", value_name = "NAME")]
    principal: Option<Arc<str>>,

    #[command(flatten)]
    setup: Setup,
}

impl Stdio {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let settings = self.setup.settle()?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let served = runtime.block_on(serve(&settings, &self.handlers, self.principal));
        // Reading standard input can't be interrupted, so it is not waited for.
        runtime.shutdown_background();
        served
    }
}

async fn serve(settings: &Settings, handlers: &[PathBuf], principal: Option<Arc<str>>) -> anyhow::Result<()> {
    let stop = setup::asked_to_stop()?;
    let temporary = if handlers.is_empty() {
        None
    } else {
        Some(tempfile::tempdir().context("can't make a directory for the handlers")?)
    };
    let data = temporary.as_ref().map_or(settings.data_dir.as_path(), |directory| directory.path());
    let (server, registry) = setup::open(settings, data).await?;
    for handler in handlers {
        upload(&registry, handler).await?;
    }
    tracing::info!("serving on standard input and output");
    let client = stdio::Stdio { server, principal, max_request: settings.max_request };
    client.serve(tokio::io::stdin(), tokio::io::stdout(), stop).await.context("can't read standard input")
}

async fn upload(registry: &Arc<Registry>, path: &Path) -> anyhow::Result<()> {
    let name = file::handler_name(path).unwrap_or_default();
    let name = name.parse().with_context(|| format!("{} is named after no handler; rename it", path.display()))?;
    let wasm = file::read(path)?;
    registry.upload(name, wasm).await.with_context(|| format!("can't serve {}", path.display()))?;
    Ok(())
}
