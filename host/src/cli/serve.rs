//! `dacapo serve`.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::output::Output;
use super::setup::{self, Setup};
use crate::admin::{self, Admin};
use crate::config::Settings;
use crate::registry::Registry;
use crate::server::Server;
use crate::transport::connections::Connections;
use crate::transport::front::Front;
use crate::transport::guard::Guard;
use crate::transport::http::Endpoint;

/// How long a client may take to read what it was sent, once the server is asked to stop and no handler runs any more.
const GRACE: Duration = Duration::from_secs(5);

#[derive(Debug, clap::Args)]
pub(super) struct Serve {
    #[command(flatten)]
    setup: Setup,
}

impl Serve {
    pub(super) fn run(self, output: Output) -> anyhow::Result<()> {
        let settings = self.setup.settle()?;
        tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(settings, output))
    }
}

async fn serve(settings: Settings, output: Output) -> anyhow::Result<()> {
    if settings.secret.is_none() {
        tracing::warn!(
            "NO SECRET IS SET: conversations are sealed with a key that ends with this process. A restart breaks \
             those under way, and no other host can go on with them. Set --secret, DACAPO_SECRET or the file's \
             \"secret\" (openssl rand -base64 32)."
        );
    }
    let (server, registry) = setup::open(&settings, &settings.data_dir).await?;
    listen(settings, server, registry, output).await
}

/// Listens, and serves until it is asked to stop.
pub(super) async fn listen(
    settings: Settings,
    server: Arc<Server>,
    registry: Arc<Registry>,
    output: Output,
) -> anyhow::Result<()> {
    let listener =
        TcpListener::bind(settings.listen).await.with_context(|| format!("can't listen on {}", settings.listen))?;
    let address = listener.local_addr()?;
    let guard = Guard::new(address, &settings.allowed_hosts, &settings.allowed_origins);
    let endpoint = Endpoint {
        server: Arc::clone(&server),
        principals: settings.principals,
        max_request: settings.max_request,
        body_timeout: settings.body_timeout,
    };
    let admin = Admin {
        registry,
        token: settings.admin_token,
        max_upload: settings.max_upload,
        upload_timeout: settings.body_timeout.saturating_mul(10),
    };
    let front = Front { guard, endpoint, others: admin::routes(admin) };
    let asked = setup::asked_to_stop()?;
    let (stopping, stopped) = oneshot::channel();
    let stop = async move {
        asked.await;
        // Subscriptions would go on for ever; calls under way are let finish.
        server.close();
        let _nobody_waits = stopping.send(());
    };
    // For whoever started this: the one line on stdout.
    let url = format!("http://{address}");
    output.show(&serde_json::json!({ "listening": url }), |text| text.line(format_args!("listening on {url}")))?;
    tracing::info!(%address, data = %settings.data_dir.display(), "serving");
    let connections = Connections { most: settings.max_connections, patience: settings.body_timeout };
    let serving = connections.serve(listener, front, stop);
    // A call waits for its turn as long as it may run.
    let deadline = settings.allotment.host.deadline().saturating_mul(2);
    let out_of_time = async {
        if stopped.await.is_err() {
            std::future::pending::<()>().await;
        }
        tokio::time::sleep(deadline.saturating_add(GRACE)).await;
    };
    tokio::select! {
        () = serving => {}
        () = out_of_time => tracing::warn!("clients that do not read what they are sent are left behind"),
    }
    Ok(())
}
