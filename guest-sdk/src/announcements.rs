//! Word to clients that listen.

use crate::bindings::dacapo::handler::announcements as wit;
use crate::context::Context;
use crate::imports;

/// What clients keep a list of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListKind {
    /// The tools.
    Tools,
    /// The prompts.
    Prompts,
    /// The resources and their templates.
    Resources,
}

impl Context {
    /// Tells clients that watch the resource at `uri` that it has changed. Sent at once, on every run of the conversation:
    /// saying it twice is harmless.
    pub fn resource_updated(&self, uri: &str) {
        imports::resource_updated(uri);
    }

    /// Tells clients that a list may have changed. Sent at once, on every run of the conversation: saying it twice is
    /// harmless. The host announces uploads and removals by itself.
    pub fn list_changed(&self, kind: ListKind) {
        imports::list_changed(match kind {
            ListKind::Tools => wit::ListKind::Tools,
            ListKind::Prompts => wit::ListKind::Prompts,
            ListKind::Resources => wit::ListKind::Resources,
        });
    }
}
