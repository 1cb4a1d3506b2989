//! What a listener asks for.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Announcement;

/// What a listener asks for: it is told of nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Changes of the list of tools.
    pub tools: bool,
    /// Changes of the list of prompts.
    pub prompts: bool,
    /// Changes of the lists of resources and their templates.
    pub resources: bool,
    /// Changes of the resources of these URIs, compared byte by byte.
    pub uris: BTreeSet<Arc<str>>,
}

impl Filter {
    /// Whether this was asked for.
    #[must_use]
    pub fn wants(&self, announcement: &Announcement) -> bool {
        match announcement {
            Announcement::ToolsListChanged => self.tools,
            Announcement::PromptsListChanged => self.prompts,
            Announcement::ResourcesListChanged => self.resources,
            Announcement::ResourceUpdated(uri) => self.uris.contains(uri),
        }
    }
}
