//! Whose turn it is: so many runs of one handler at once, and so many of all. Further calls wait in the order in which they
//! came, each handler's in a queue of its own.

use std::sync::atomic::{AtomicUsize, Ordering};

use dacapo_replay::Exceeded;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use super::engine::Sandbox;
use super::limits::{Limit, Limits};
use super::tenant::Tenant;

/// There is no room for a call now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no room for another call now: \"{}\", {}, is reached", .0.limit, .0.allowed)]
pub struct Busy(#[from] pub Exceeded);

/// Where calls of one handler wait.
#[derive(Debug)]
pub(super) struct Gate {
    places: Semaphore,
    waiting: AtomicUsize,
}

/// A call's turn. Dropping it lets the next one in.
#[derive(Debug)]
pub(super) struct Turn<'a> {
    _of_handler: SemaphorePermit<'a>,
    _of_host: SemaphorePermit<'a>,
}

/// One that waits. Dropping it leaves the queue.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Gate {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { places: places(limits, Limit::Concurrency), waiting: AtomicUsize::new(0) }
    }

    fn queue_up(&self, limits: &Limits) -> Result<Waiting<'_>, Busy> {
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let waiting = Waiting(&self.waiting);
        if before < limits.number(Limit::Queue) { Ok(waiting) } else { Err(limits.exceeded(Limit::Queue).into()) }
    }
}

/// As many places as a limit allows.
fn places(limits: &Limits, limit: Limit) -> Semaphore {
    Semaphore::new(limits.number(limit).min(Semaphore::MAX_PERMITS))
}

impl Sandbox {
    /// Waits for a call's turn. The handler's own place comes first: a handler that many call keeps no others waiting.
    pub(super) async fn turn<'a>(&'a self, tenant: &'a Tenant) -> Result<Turn<'a>, Busy> {
        let own = tenant.gate.places.try_acquire().ok();
        let shared = own.as_ref().and_then(|_| self.places.try_acquire().ok());
        match (own, shared) {
            (Some(own), Some(shared)) => Ok(Turn { _of_handler: own, _of_host: shared }),
            (own, _) => self.wait(tenant, own).await,
        }
    }

    async fn wait<'a>(&'a self, tenant: &'a Tenant, own: Option<SemaphorePermit<'a>>) -> Result<Turn<'a>, Busy> {
        let limits = &tenant.limits;
        let mut full = Limit::Concurrency;
        let waiting = async {
            let own = match own {
                Some(own) => own,
                None => {
                    let _waiting = tenant.gate.queue_up(limits)?;
                    // A semaphore that nobody closes gives way in the end.
                    tenant.gate.places.acquire().await.map_err(|_| limits.exceeded(full))?
                }
            };
            full = Limit::Attempts;
            let shared = self.places.acquire().await.map_err(|_| limits.exceeded(full))?;
            Ok(Turn { _of_handler: own, _of_host: shared })
        };
        let waited = timeout(limits.deadline(), waiting).await;
        match waited {
            Ok(turn) => turn,
            Err(_elapsed) => Err(limits.exceeded(full).into()),
        }
    }
}
