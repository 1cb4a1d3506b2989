//! `dacapo dev`.
//!
//! # Layout
//!
//! - [`project`]: a guest's crate: what cargo knows of it, and its build
//! - [`watch`]: word of saved files

mod project;
mod watch;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;

use super::output::Output;
use super::serve;
use super::setup::{self, Setup};
use crate::config::Settings;
use crate::registry::handler::HandlerName;
use crate::registry::{Registry, Uploaded};
use project::Project;
use watch::Watch;

#[derive(Debug, clap::Args)]
#[command(mut_arg("data_dir", |arg| arg.hide(true)))]
pub(super) struct Dev {
    /// The crate to build and serve: a directory with a Cargo.toml
    #[arg(default_value = ".")]
    path: PathBuf,

    #[command(flatten)]
    setup: Setup,
}

impl Dev {
    pub(super) fn run(self, output: Output) -> anyhow::Result<()> {
        let project = Project::find(&self.path)?;
        let settings = self.setup.settle()?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let ended = runtime.block_on(dev(settings, project, output));
        // A build under way is not waited for.
        runtime.shutdown_background();
        ended
    }
}

/// Serves what the project builds to, until it is asked to stop.
async fn dev(settings: Settings, project: Project, output: Output) -> anyhow::Result<()> {
    // Every start begins with nothing, so that no handler of another project is in the way.
    let data = tempfile::tempdir().context("can't make a directory for the handler")?;
    let name: HandlerName = project.name().parse().context("the crate's name is the handler's; rename it")?;
    let settings = Settings { data_dir: data.path().to_owned(), ..settings };
    let (server, registry) = setup::open(&settings, &settings.data_dir).await?;
    tokio::select! {
        served = serve::listen(settings, server, Arc::clone(&registry), output) => served,
        ended = follow(project, &name, &registry) => ended,
    }
}

/// Builds the project and swaps it in, at first and after each save.
async fn follow(mut project: Project, name: &HandlerName, registry: &Arc<Registry>) -> anyhow::Result<()> {
    let mut watch = Watch::of(project.watched())?;
    let mut saved = Instant::now();
    let mut live = None;
    loop {
        let building = project.clone();
        let begun = Instant::now();
        let built = tokio::task::spawn_blocking(move || building.build()).await.context("the build broke off")?;
        let cargo = begun.elapsed();
        let swapped = match built {
            Ok(wasm) => registry.upload(name.clone(), wasm).await.map_err(anyhow::Error::from),
            Err(error) => Err(error),
        };
        match swapped {
            Ok((_, Uploaded::Unchanged)) => say(format_args!("{name} is the same as before")),
            Ok((handler, _)) => {
                let own = saved.elapsed().saturating_sub(cargo);
                let tools: Vec<_> = handler.tools.iter().map(|tool| tool.name.as_str()).collect();
                let revision = handler.revision;
                live = Some(revision);
                say(format_args!(
                    "{name} revision {revision} is live in {} after cargo's {}: {}",
                    seconds(own),
                    seconds(cargo),
                    tools.join(", ")
                ));
            }
            Err(error) => match live {
                Some(revision) => say(format_args!("error: {error:#}\n{name} revision {revision} still serves")),
                None => say(format_args!("error: {error:#}\nnothing is served yet; save a change to try again")),
            },
        }
        let change = watch.change().await.context("nobody watches the files any more")?;
        saved = change.saved;
        if change.manifest {
            // What it depends on may be another now. A manifest that can't be read is the build's to complain of.
            if let Ok(found) = Project::find(project.directory()) {
                watch = Watch::of(found.watched())?;
                project = found;
            }
        }
    }
}

/// For whoever is at the terminal, beside cargo's own words.
fn say(what: std::fmt::Arguments<'_>) {
    eprintln!("{what}");
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}
