//! Word to clients that listen: what is announced here reaches every listener that asked for it.
//!
//! A listener keeps what it was not yet told as a set, so that an announcement said a million times is one, none that it
//! asked for is lost, and nothing grows with how often a handler announces or how slowly a client reads.
//!
//! # Layout
//!
//! - [`filter`]: what a listener asks for
//! - [`hub`]: from those who announce to those who listen
//! - [`listener`]: one who listens

pub mod filter;
pub mod hub;
pub mod listener;

pub use filter::Filter;
pub use hub::{Hub, NotHeard};
pub use listener::Listener;

use std::sync::Arc;

/// Something that clients may want to know. Each says that something may have changed, and nothing of how: so saying it
/// twice is saying it once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Announcement {
    /// The tools are others.
    ToolsListChanged,
    /// The prompts are others.
    PromptsListChanged,
    /// The resources or their templates are others.
    ResourcesListChanged,
    /// The resource of this URI may be read anew.
    ResourceUpdated(Arc<str>),
}
