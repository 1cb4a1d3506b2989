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
            let own = if let Some(own) = own {
                own
            } else {
                let _waiting = tenant.gate.queue_up(limits)?;
                // A semaphore that nobody closes gives way in the end.
                tenant.gate.places.acquire().await.map_err(|_| limits.exceeded(full))?
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use dacapo_replay::Amount;

    use super::*;
    use crate::sandbox::limits::{Allotment, Setting};

    fn sandbox(limits: &[(Limit, Amount)]) -> Arc<Sandbox> {
        let mut allotment = Allotment::default();
        for (limit, amount) in limits {
            allotment.host.set(*limit, Setting { amount: *amount, set_by: "test".into() });
        }
        Arc::new(Sandbox::new(allotment).unwrap())
    }

    fn soon() -> (Limit, Amount) {
        (Limit::Deadline, Amount::Time(Duration::from_millis(50)))
    }

    fn full(turn: Result<Turn<'_>, Busy>) -> &'static str {
        turn.unwrap_err().0.limit
    }

    async fn waits(turn: impl Future<Output = Result<Turn<'_>, Busy>>) -> bool {
        timeout(Duration::from_millis(1), turn).await.is_err()
    }

    #[tokio::test]
    async fn a_turn_that_does_not_come_in_time_says_what_is_full() {
        let sandbox = sandbox(&[soon(), (Limit::Concurrency, Amount::Count(1)), (Limit::Attempts, Amount::Count(2))]);
        let [a, b, c] = ["a", "b", "c"].map(|name| sandbox.tenant(name));
        let first = sandbox.turn(&a).await.unwrap();
        assert_eq!(full(sandbox.turn(&a).await), "concurrency");
        let _second = sandbox.turn(&b).await.unwrap();
        assert_eq!(full(sandbox.turn(&c).await), "max-attempts");
        drop(first);
        assert!(sandbox.turn(&c).await.is_ok());
        assert!(sandbox.turn(&a).await.is_ok());
    }

    #[tokio::test]
    async fn turns_come_in_order_and_those_that_go_leave_the_queue() {
        let sandbox = sandbox(&[(Limit::Concurrency, Amount::Count(1)), (Limit::Queue, Amount::Count(2))]);
        let a = sandbox.tenant("a");
        let first = sandbox.turn(&a).await.unwrap();
        let mut second = Box::pin(sandbox.turn(&a));
        let mut third = Box::pin(sandbox.turn(&a));
        assert!(waits(&mut second).await);
        assert!(waits(&mut third).await);
        assert_eq!(full(sandbox.turn(&a).await), "queue");
        drop(second);
        let mut fourth = Box::pin(sandbox.turn(&a));
        assert!(waits(&mut fourth).await);
        drop(first);
        assert!(waits(&mut fourth).await, "the third came before");
        drop(third.await);
        assert!(fourth.await.is_ok());
    }

    #[tokio::test]
    async fn a_handler_has_one_share_whatever_its_revision() {
        let sandbox = sandbox(&[]);
        let a = sandbox.tenant("a");
        assert!(Arc::ptr_eq(&a, &sandbox.tenant("a")));
        assert!(!Arc::ptr_eq(&a, &sandbox.tenant("b")));
    }
}
