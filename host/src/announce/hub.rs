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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    fn tools() -> Filter {
        Filter { tools: true, ..Filter::default() }
    }

    fn updated(uri: &str) -> Announcement {
        Announcement::ResourceUpdated(uri.into())
    }

    #[tokio::test]
    async fn a_listener_hears_what_it_asked_for_since_it_listens() {
        let hub = Hub::default();
        hub.announce(&Announcement::ToolsListChanged);
        let mut listener = hub.listen(Filter { uris: ["a:b".into()].into(), ..Filter::default() }).unwrap();
        for announcement in [Announcement::ToolsListChanged, updated("a:c"), updated("a:b")] {
            hub.announce(&announcement);
        }
        hub.close();
        assert_eq!(listener.next().await, Some(updated("a:b")));
        assert_eq!(listener.next().await, None);
    }

    #[tokio::test]
    async fn a_flood_is_told_once_and_drowns_nothing() {
        let hub = Hub::default();
        let mut listener = hub.listen(Filter { uris: ["a:b".into()].into(), ..tools() }).unwrap();
        hub.announce(&Announcement::ToolsListChanged);
        for _ in 0..100_000 {
            hub.announce(&updated("a:b"));
        }
        assert_eq!(listener.next().await, Some(Announcement::ToolsListChanged));
        assert_eq!(listener.next().await, Some(updated("a:b")));
        assert!(timeout(Duration::from_millis(200), listener.next()).await.is_err());
    }

    #[tokio::test]
    async fn what_is_announced_while_a_listener_rests_is_told_afterwards() {
        let hub = Hub::default();
        let mut listener = hub.listen(tools()).unwrap();
        for _ in 0..3 {
            hub.announce(&Announcement::ToolsListChanged);
            let heard = timeout(Duration::from_secs(10), listener.next()).await.unwrap();
            assert_eq!(heard, Some(Announcement::ToolsListChanged));
        }
    }

    #[test]
    fn as_many_may_listen_as_the_limit_says_and_one_that_stops_makes_room() {
        let hub = Hub::of(2);
        let (one, _other) = (hub.listen(tools()).unwrap(), hub.listen(tools()).unwrap());
        assert_eq!(hub.listen(tools()).unwrap_err(), NotHeard::TooMany(2));
        drop(one);
        let _third = hub.listen(tools()).unwrap();
        hub.close();
        assert_eq!(hub.listen(tools()).unwrap_err(), NotHeard::Closed);
    }
}
