//! What every way of serving begins with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

use crate::announce::Hub;
use crate::carrier::{Keyring, Secret, Wire};
use crate::config::{Options, Settings};
use crate::registry::Registry;
use crate::registry::pinned::Retention;
use crate::sandbox::compiler::Compiler;
use crate::sandbox::{Limit, Sandbox};
use crate::server::Server;

#[derive(Debug, clap::Args)]
pub(super) struct Setup {
    /// A configuration file (TOML); its keys are the options below
    #[arg(long, env = "DACAPO_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,

    /// What goes to the log (stderr): error, warn, info, debug or trace, or tracing directives
    #[arg(long, env = "DACAPO_LOG", value_name = "FILTER", default_value = "info")]
    log: String,

    #[command(flatten)]
    options: Options,
}

impl Setup {
    /// Starts the log, and says what was typed.
    pub(super) fn settle(self) -> anyhow::Result<Settings> {
        let filter = EnvFilter::try_new(&self.log).with_context(|| format!("--log \"{}\"", self.log))?;
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false).init();
        self.read()
    }

    /// Says what was typed.
    pub(super) fn read(self) -> anyhow::Result<Settings> {
        let file = self.config.as_deref().map(Options::read).transpose()?.unwrap_or_default();
        Ok(self.options.settle(file)?)
    }
}

/// Where handlers run, by these settings.
pub(super) fn sandbox(settings: &Settings) -> anyhow::Result<Sandbox> {
    Sandbox::new(settings.allotment.clone()).map_err(|error| anyhow::anyhow!("wasmtime: {error:#}"))
}

/// The server, and the handlers in `data` that it serves. Without a secret in the settings, conversations end with the
/// process.
pub(super) async fn open(settings: &Settings, data: &Path) -> anyhow::Result<(Arc<Server>, Arc<Registry>)> {
    let sandbox = Arc::new(sandbox(settings)?);
    let compiler = Compiler::new(settings.max_functions, settings.compile);
    let hub = Hub::default();
    let retention = Retention { token: settings.ttl, keep: settings.keep_revisions };
    let registry = Registry::open(Arc::clone(&sandbox), compiler, hub.clone(), data, retention).await?;
    tokio::spawn(Registry::tend(Arc::downgrade(&registry)));
    let fresh = Secret::fresh().context("no randomness for a key")?;
    let secret = settings.secret.as_ref().unwrap_or(&fresh);
    let longest = settings.allotment.host.number(Limit::Token);
    let wire = Wire::new(Keyring::new(secret, &settings.previous_secrets), settings.ttl, longest);
    let server =
        Server::new(Arc::clone(&registry), sandbox, wire, hub, settings.retry_policy, settings.lists, settings.reads);
    Ok((Arc::new(server), registry))
}

/// Waits for SIGINT or SIGTERM.
pub(super) fn asked_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        tracing::info!("stopping");
    })
}
