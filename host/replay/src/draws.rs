//! How far a run has drawn from its conversation's randomness.

use std::sync::atomic::{AtomicU64, Ordering};

/// How many words of 32 bits a run has drawn, stream by stream. With the conversation's seed it is all that there is to know
/// of what comes next.
#[derive(Debug, Default)]
pub struct Draws {
    secure: AtomicU64,
    insecure: AtomicU64,
}

/// One of the streams of randomness that are made of a conversation's seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// For secrets and names.
    Secure,
    /// For all that needs no secrecy.
    Insecure,
}

impl Draws {
    /// How many words have been drawn from a stream.
    #[must_use]
    pub fn get(&self, stream: Stream) -> u64 {
        self.of(stream).load(Ordering::Relaxed)
    }

    /// Says how many words have been drawn from a stream.
    pub fn set(&self, stream: Stream, words: u64) {
        self.of(stream).store(words, Ordering::Relaxed);
    }

    /// Passes over what comes before `words` in a stream; never goes back.
    pub fn skip_to(&self, stream: Stream, words: u64) {
        self.of(stream).fetch_max(words, Ordering::Relaxed);
    }

    fn of(&self, stream: Stream) -> &AtomicU64 {
        match stream {
            Stream::Secure => &self.secure,
            Stream::Insecure => &self.insecure,
        }
    }
}
