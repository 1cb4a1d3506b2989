//! From those who announce to those who listen.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::listener::{Listener, Mailbox};
use super::{Announcement, Filter};

/// How many may listen at once, unless it is said otherwise.
const LISTENERS: usize = 1024;

/// Where announcements meet listeners. Clones are the same hub.
#[derive(Clone, Debug)]
pub struct Hub(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    listeners: RwLock<Listeners>,
    most: usize,
}

#[derive(Debug, Default)]
struct Listeners {
    mailboxes: HashMap<u64, Arc<Mailbox>>,
    /// The number of the last one: none is used twice.
    last: u64,
    closed: bool,
}

/// Why nobody can listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotHeard {
    /// As many listen as may at once.
    #[error("{0} clients listen already, which is the limit; try again when one of them has stopped")]
    TooMany(usize),
    /// The hub is closed.
    #[error("the server is stopping; listen again when it is back")]
    Closed,
}

impl Default for Hub {
    /// A hub of at most 1024 listeners.
    fn default() -> Self {
        Self::of(LISTENERS)
    }
}

impl Hub {
    /// A hub of at most `most` listeners at once.
    #[must_use]
    pub fn of(most: usize) -> Self {
        Self(Arc::new(Shared { listeners: RwLock::default(), most }))
    }

    /// Tells everyone who asked for it. Never waits for anyone.
    pub fn announce(&self, announcement: &Announcement) {
        let listeners = self.0.listeners.read().unwrap_or_else(PoisonError::into_inner);
        for mailbox in listeners.mailboxes.values() {
            mailbox.put(announcement);
        }
    }

    /// Listens from now on, until the listener is dropped.
    ///
    /// # Errors
    ///
    /// When too many listen, or the hub is closed.
    pub fn listen(&self, filter: Filter) -> Result<Listener, NotHeard> {
        let mut listeners = self.0.listeners.write().unwrap_or_else(PoisonError::into_inner);
        if listeners.closed {
            return Err(NotHeard::Closed);
        }
        if listeners.mailboxes.len() >= self.0.most {
            return Err(NotHeard::TooMany(self.0.most));
        }
        listeners.last += 1;
        let number = listeners.last;
        let mailbox = Arc::new(Mailbox::new(filter));
        listeners.mailboxes.insert(number, Arc::clone(&mailbox));
        Ok(Listener::new(self.clone(), number, mailbox))
    }

    /// Ends all listening: each listener hears what was announced before, and then that it is over.
    pub fn close(&self) {
        let mut listeners = self.0.listeners.write().unwrap_or_else(PoisonError::into_inner);
        listeners.closed = true;
        for mailbox in listeners.mailboxes.values() {
            mailbox.close();
        }
    }

    /// Forgets a listener.
    pub(super) fn leave(&self, number: u64) {
        let mut listeners = self.0.listeners.write().unwrap_or_else(PoisonError::into_inner);
        listeners.mailboxes.remove(&number);
    }
}
