//! One who listens.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use super::{Announcement, Filter, Hub};

/// How long a listener is left alone after it was told something: what is announced meanwhile becomes one.
const PAUSE: Duration = Duration::from_millis(50);

/// What one listener asks for, and what it was not yet told of it. Bounded by the filter: each announcement is in it once.
#[derive(Debug)]
pub(super) struct Mailbox {
    filter: Filter,
    waiting: Mutex<Waiting>,
    arrived: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    announcements: BTreeSet<Announcement>,
    closed: bool,
}

impl Mailbox {
    pub(super) fn new(filter: Filter) -> Self {
        Self { filter, waiting: Mutex::default(), arrived: Notify::new() }
    }

    pub(super) fn put(&self, announcement: &Announcement) {
        if self.filter.wants(announcement) {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            if !waiting.announcements.contains(announcement) {
                waiting.announcements.insert(announcement.clone());
                self.arrived.notify_one();
            }
        }
    }

    pub(super) fn close(&self) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.arrived.notify_one();
    }

    /// Takes all that waits; `None` when nothing waits and nothing will.
    fn take(&self) -> Option<BTreeSet<Announcement>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.closed && waiting.announcements.is_empty() {
            None
        } else {
            Some(std::mem::take(&mut waiting.announcements))
        }
    }

    fn is_closed(&self) -> bool {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).closed
    }
}

/// One who listens. Dropping it ends that.
#[derive(Debug)]
pub struct Listener {
    hub: Hub,
    number: u64,
    mailbox: Arc<Mailbox>,
    /// Taken from the mailbox, not yet told.
    taken: BTreeSet<Announcement>,
    /// When the mailbox may be emptied again.
    rested: Instant,
}

impl Listener {
    pub(super) fn new(hub: Hub, number: u64, mailbox: Arc<Mailbox>) -> Self {
        Self { hub, number, mailbox, taken: BTreeSet::new(), rested: Instant::now() }
    }

    /// What it asked for.
    #[must_use]
    pub fn filter(&self) -> &Filter {
        &self.mailbox.filter
    }

    /// Waits for the next announcement that was asked for; `None` when the hub is closed and all is told. Dropping the
    /// future loses nothing.
    pub async fn next(&mut self) -> Option<Announcement> {
        loop {
            if let Some(announcement) = self.taken.pop_first() {
                return Some(announcement);
            }
            self.rest().await;
            self.taken = self.mailbox.take()?;
            if self.taken.is_empty() {
                self.mailbox.arrived.notified().await;
            } else {
                self.rested = Instant::now() + PAUSE;
            }
        }
    }

    /// Waits until the mailbox may be emptied again; at once when it is closed.
    async fn rest(&self) {
        while !self.mailbox.is_closed() && Instant::now() < self.rested {
            tokio::select! {
                () = sleep_until(self.rested) => {}
                () = self.mailbox.arrived.notified() => {}
            }
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.hub.leave(self.number);
    }
}
