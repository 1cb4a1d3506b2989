//! From names to handlers. Never changed: a new one takes its place.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::handler::{Handler, HandlerName};
use crate::protocol::tool::Tool;

/// What is served at one moment.
#[derive(Debug, Default)]
pub struct Catalogue {
    handlers: BTreeMap<HandlerName, Arc<Handler>>,
    /// Every tool, with its place in its handler's list.
    tools: BTreeMap<String, (Arc<Handler>, usize)>,
}

/// Two handlers offer the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "tool \"{tool}\" is served by handler \"{handler}\" already; rename the tool, or upload over that handler or remove it first"
)]
pub struct Collision {
    /// The tool's name.
    pub tool: String,
    /// The handler that has it.
    pub handler: HandlerName,
}

impl Catalogue {
    /// The handler of this name.
    #[must_use]
    pub fn handler(&self, name: &HandlerName) -> Option<&Arc<Handler>> {
        self.handlers.get(name)
    }

    /// Every handler, by name.
    pub fn handlers(&self) -> impl Iterator<Item = &Arc<Handler>> {
        self.handlers.values()
    }

    /// The handler that serves a tool.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&Arc<Handler>> {
        self.tools.get(name).map(|(handler, _)| handler)
    }

    /// Every tool, by name: the same order each time.
    #[must_use]
    pub fn tools(&self) -> impl Serialize {
        self.tools.values().filter_map(|(handler, index)| handler.tools.get(*index)).collect::<Vec<&Tool>>()
    }

    /// This catalogue with `handler` in it, in place of one of the same name.
    pub(super) fn with(&self, handler: Arc<Handler>) -> Result<Self, Collision> {
        let mut next = self.without(&handler.name);
        for (index, tool) in handler.tools.iter().enumerate() {
            if let Some((other, _)) = next.tools.insert(tool.name.clone(), (Arc::clone(&handler), index)) {
                return Err(Collision { tool: tool.name.clone(), handler: other.name.clone() });
            }
        }
        next.handlers.insert(handler.name.clone(), handler);
        Ok(next)
    }

    /// This catalogue without a handler.
    pub(super) fn without(&self, name: &HandlerName) -> Self {
        let mut handlers = self.handlers.clone();
        handlers.remove(name);
        let mut tools = self.tools.clone();
        tools.retain(|_, (handler, _)| handler.name != *name);
        Self { handlers, tools }
    }
}
