//! `dacapo serve`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use axum::middleware;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

use crate::admin::{self, Admin};
use crate::carrier::{Keyring, Secret, Wire};
use crate::config::{Options, Settings};
use crate::registry::Registry;
use crate::sandbox::{Limits, Sandbox};
use crate::server::Server;
use crate::transport::guard::{self, Guard};
use crate::transport::http::{self, Endpoint};
use crate::transport::linger::linger;

#[derive(Debug, clap::Args)]
pub(super) struct Serve {
    /// A configuration file (TOML); its keys are the options below
    #[arg(long, env = "DACAPO_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,

    /// What goes to the log (stderr): error, warn, info, debug or trace, or tracing directives
    #[arg(long, env = "DACAPO_LOG", value_name = "FILTER", default_value = "info")]
    log: String,

    #[command(flatten)]
    options: Options,
}

impl Serve {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let filter = EnvFilter::try_new(&self.log).with_context(|| format!("--log \"{}\"", self.log))?;
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false).init();
        let file = self.config.as_deref().map(Options::read).transpose()?.unwrap_or_default();
        let settings = self.options.settle(file);
        tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(settings))
    }
}

async fn serve(settings: Settings) -> anyhow::Result<()> {
    let limits = Limits { memory: settings.memory, deadline: settings.deadline, ..Limits::default() };
    let sandbox = Arc::new(Sandbox::new(limits).map_err(|error| anyhow::anyhow!("wasmtime: {error:#}"))?);
    let registry = Arc::new(Registry::open(Arc::clone(&sandbox), &settings.data_dir).await?);
    let secret = if let Some(secret) = settings.secret {
        secret
    } else {
        tracing::warn!(
            "NO SECRET IS SET: conversations are sealed with a key that ends with this process. A restart breaks \
             those under way, and no other host can go on with them. Set --secret, DACAPO_SECRET or the file's \
             \"secret\" (openssl rand -base64 32)."
        );
        Secret::fresh().context("no randomness for a key")?
    };
    let wire = Wire::new(Keyring::new(&secret, &settings.previous_secrets), settings.ttl, settings.max_token);
    let listener =
        TcpListener::bind(settings.listen).await.with_context(|| format!("can't listen on {}", settings.listen))?;
    let address = listener.local_addr()?;
    let guard = Arc::new(Guard::new(address, &settings.allowed_hosts, &settings.allowed_origins));
    let server = Arc::new(Server::new(
        Arc::clone(&registry),
        sandbox,
        wire,
        settings.retry_policy,
        settings.lists,
        settings.reads,
    ));
    let app = http::routes(Endpoint { server, principals: settings.principals, max_request: settings.max_request })
        .merge(admin::routes(Admin { registry, token: settings.admin_token, max_upload: settings.max_upload }))
        .layer(middleware::from_fn_with_state(guard, guard::guard))
        .layer(middleware::from_fn(linger));
    // For whoever started this: the one line on stdout.
    println!("listening on http://{address}");
    tracing::info!(%address, data = %settings.data_dir.display(), "serving");
    axum::serve(listener, app.into_make_service_with_connect_info::<SocketAddr>())
        .with_graceful_shutdown(asked_to_stop()?)
        .await?;
    Ok(())
}

/// Waits for SIGINT or SIGTERM; calls under way are let finish.
fn asked_to_stop() -> std::io::Result<impl Future<Output = ()>> {
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
