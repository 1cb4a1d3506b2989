//! One run of a handler, and how it ended.

use std::sync::Arc;

use dacapo_replay::{Askable, Ending, Fault, Ledger, Opening, Stop, Walk};
use tokio::sync::mpsc;
use wasmtime::WasmBacktrace;
use wasmtime_wasi::I32Exit;

use super::engine::Sandbox;
use super::entry::Entry;
use super::limits::{Limit, Limits};
use super::program::Program;
use super::queue::Busy;
use super::tenant::Tenant;
use crate::announce::Hub;
use crate::protocol::error::RpcError;

/// What a handler is called for, and by whom.
#[derive(Clone, Debug)]
pub struct Call {
    /// The handler's share of the host.
    pub tenant: Arc<Tenant>,
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
    /// Runs a handler from the top, in an instance of its own, once it is the call's turn.
    ///
    /// Dropping the future leaves the queue, or stops the guest and frees all that it held.
    ///
    /// # Errors
    ///
    /// When too many wait already, or the turn does not come within the handler's deadline.
    pub(crate) async fn attempt<E: Entry>(
        &self,
        program: &Program,
        call: Call,
        entry: E,
        walk: Walk,
    ) -> Result<Attempt<E::Output>, Busy> {
        let tenant = Arc::clone(&call.tenant);
        let _turn = self.turn(&tenant).await?;
        let mut store = self.store(call, walk);
        let running = async {
            let instance = program.instance.instantiate_async(&mut store).await?;
            entry.enter(program, &instance, &mut store).await
        };
        let returned = bounded(&tenant.limits, running).await;
        let walk = store.into_data().walk;
        let stopped = returned.as_ref().err();
        let backtrace = stopped.and_then(|error| Some(error.downcast_ref::<WasmBacktrace>()?.to_string()));
        let ending = match returned {
            Ok(returned) => match (walk.finish(), returned) {
                (Err(divergence), _) => Ending::Stopped(divergence.into()),
                (Ok(()), Ok(result)) => Ending::Completed(result),
                (Ok(()), Err(fault)) => Ending::Failed(fault),
            },
            Err(error) => classify(error, &tenant.limits),
        };
        Ok(Attempt { ending, ledger: walk.into_ledger(), backtrace })
    }
}

/// Runs a guest up to its deadline.
pub(super) async fn bounded<T>(
    limits: &Limits,
    guest: impl Future<Output = wasmtime::Result<T>>,
) -> wasmtime::Result<T> {
    match tokio::time::timeout(limits.deadline(), guest).await {
        Ok(returned) => returned,
        Err(_elapsed) => Err(wasmtime::Error::from(Fault::from(limits.exceeded(Limit::Deadline)))),
    }
}

/// A walk for a run that must not ask.
pub(crate) fn empty_walk(limits: &Limits) -> Walk {
    let opening = Opening {
        started: 0,
        seed: [0; 32],
        protocol_version: crate::protocol::VERSION.to_owned(),
        askable: Askable::default(),
    };
    Walk::start(Ledger::open(opening), Askable::default(), limits.conversation())
}

/// How wasmtime says that a guest handed over too much at once. The error's type is its own secret.
const TRANSFER: &str = "fuel allocated for hostcalls has been exhausted";

/// How a run ended that did not return: the one place that says so.
pub(super) fn classify<T>(error: wasmtime::Error, limits: &Limits) -> Ending<T> {
    // What a suspension carries is as large as its questions.
    let error = match error.downcast::<Stop>() {
        Ok(stop) => return Ending::Stopped(stop),
        Err(error) => error,
    };
    if let Some(fault) = error.downcast_ref::<Fault>() {
        Ending::Failed(fault.clone())
    } else if let Some(exit) = error.downcast_ref::<I32Exit>() {
        Ending::Failed(Fault::Exited(exit.0))
    } else if let Some(trap) = error.downcast_ref::<wasmtime::Trap>() {
        Ending::Failed(match trap {
            wasmtime::Trap::StackOverflow => limits.exceeded(Limit::Stack).into(),
            trap => Fault::Trapped(trap.to_string()),
        })
    } else if error.root_cause().to_string().ends_with(TRANSFER) {
        Ending::Failed(limits.exceeded(Limit::Transfer).into())
    } else {
        // What else wasmtime refuses by itself, such as more resources than a table takes.
        Ending::Failed(Fault::Trapped(format!("{error:#}")))
    }
}
