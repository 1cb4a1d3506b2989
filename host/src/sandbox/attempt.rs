//! One run of a handler, and how it ended.

use std::sync::Arc;

use dacapo_replay::{Askable, Ending, Fault, Ledger, Opening, Stop, Walk};
use tokio::sync::mpsc;
use wasmtime::WasmBacktrace;
use wasmtime_wasi::I32Exit;

use super::engine::Sandbox;
use super::entry::Entry;
use super::program::Program;
use crate::announce::Hub;
use crate::protocol::error::RpcError;

/// What a handler is called for, and by whom.
#[derive(Clone, Debug)]
pub struct Call {
    /// The handler's name, for the log.
    pub handler: Arc<str>,
    /// The name of the tool or prompt, or the URI of the resource.
    pub target: String,
    /// Who calls, as the host has verified.
    pub principal: Option<Arc<str>>,
    /// Where progress goes; nowhere when the client did not ask for it.
    pub progress: Option<mpsc::Sender<Progress>>,
    /// Where announcements go; nowhere without.
    pub announcements: Option<Hub>,
}

/// One report of a handler's progress.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// How far it has come.
    pub progress: f64,
    /// How far it has to go.
    pub total: Option<f64>,
    /// What it is doing.
    pub message: Option<String>,
}

/// One run, over.
#[derive(Debug)]
pub struct Attempt<T> {
    /// How it ended.
    pub ending: Ending<Result<T, RpcError>>,
    /// The ledger as the run left it.
    pub ledger: Ledger,
    /// Where the guest stood when it was stopped or failed; only a [diagnostic](Sandbox::diagnostic) sandbox knows.
    pub backtrace: Option<String>,
}

impl Sandbox {
    /// Runs a handler from the top, in an instance of its own.
    ///
    /// Dropping the future stops the guest and frees all that it held.
    pub(crate) async fn attempt<E: Entry>(
        &self,
        program: &Program,
        call: Call,
        entry: E,
        walk: Walk,
    ) -> Attempt<E::Output> {
        let mut store = self.store(call, walk);
        let running = async {
            let instance = program.instance.instantiate_async(&mut store).await?;
            entry.enter(program, &instance, &mut store).await
        };
        let returned = self.bounded(running).await;
        let walk = store.into_data().walk;
        let stopped = returned.as_ref().err();
        let backtrace = stopped.and_then(|error| Some(error.downcast_ref::<WasmBacktrace>()?.to_string()));
        let ending = match returned {
            Ok(returned) => match (walk.finish(), returned) {
                (Err(divergence), _) => Ending::Stopped(divergence.into()),
                (Ok(()), Ok(result)) => Ending::Completed(result),
                (Ok(()), Err(fault)) => Ending::Failed(fault),
            },
            Err(error) => classify(&error),
        };
        Attempt { ending, ledger: walk.into_ledger(), backtrace }
    }

    /// Runs a guest up to its deadline.
    pub(super) async fn bounded<T>(&self, guest: impl Future<Output = wasmtime::Result<T>>) -> wasmtime::Result<T> {
        match tokio::time::timeout(self.limits.deadline, guest).await {
            Ok(returned) => returned,
            Err(_elapsed) => Err(wasmtime::Error::from(Fault::OutOfTime(self.limits.deadline))),
        }
    }

    /// A walk for a run that must not ask.
    pub(crate) fn empty_walk(&self) -> Walk {
        let opening = Opening {
            started: 0,
            seed: [0; 32],
            protocol_version: crate::protocol::VERSION.to_owned(),
            askable: Askable::default(),
        };
        Walk::start(Ledger::open(opening), Askable::default(), self.limits.conversation)
    }
}

/// How a run ended that did not return: the one place that says so.
pub(super) fn classify<T>(error: &wasmtime::Error) -> Ending<T> {
    if let Some(stop) = error.downcast_ref::<Stop>() {
        Ending::Stopped(stop.clone())
    } else if let Some(fault) = error.downcast_ref::<Fault>() {
        Ending::Failed(fault.clone())
    } else if let Some(exit) = error.downcast_ref::<I32Exit>() {
        Ending::Failed(Fault::Exited(exit.0))
    } else if let Some(trap) = error.downcast_ref::<wasmtime::Trap>() {
        Ending::Failed(Fault::Trapped(trap.to_string()))
    } else {
        // What wasmtime refuses by itself: more bytes in one call than allowed, more resources than a table takes.
        Ending::Failed(Fault::Trapped(format!("{error:#}")))
    }
}
