//! From names to handlers. Never changed: a new one takes its place.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::handler::{Handler, HandlerName};
use crate::protocol::template::Template;

/// What is served at one moment.
#[derive(Debug, Default)]
pub struct Catalogue {
    handlers: BTreeMap<HandlerName, Arc<Handler>>,
    tools: Names,
    prompts: Names,
    resources: Names,
    templates: Names,
    /// Templates to hold URIs against, those that say more first.
    matchers: Vec<(Template, Arc<Handler>)>,
}

/// Every descriptor of one kind by its name: its handler, and its place in the handler's list.
type Names = BTreeMap<String, (Arc<Handler>, usize)>;

/// Two handlers offer the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{kind} \"{name}\" is served by handler \"{handler}\" already; rename it, or upload over that handler or remove it first"
)]
pub struct Collision {
    /// What it is that both offer.
    pub kind: &'static str,
    /// Its name, URI or template.
    pub name: String,
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

    /// The handler that serves a prompt, and the prompt's place in its list.
    #[must_use]
    pub fn prompt(&self, name: &str) -> Option<(&Arc<Handler>, usize)> {
        self.prompts.get(name).map(|(handler, index)| (handler, *index))
    }

    /// The handler that serves the resource at a URI: by the URI itself, or by a template that it fits.
    #[must_use]
    pub fn resource(&self, uri: &str) -> Option<&Arc<Handler>> {
        let by_itself = self.resources.get(uri).map(|(handler, _)| handler);
        by_itself.or_else(|| self.matchers.iter().find(|(template, _)| template.fits(uri)).map(|(_, handler)| handler))
    }

    /// The handler that serves a resource template.
    #[must_use]
    pub fn template(&self, template: &str) -> Option<&Arc<Handler>> {
        self.templates.get(template).map(|(handler, _)| handler)
    }

    /// Every tool after the one named `after`, by name: the same order each time.
    pub fn tools(&self, after: Option<&str>) -> impl Iterator<Item = (&str, &crate::protocol::tool::Tool)> {
        listed(&self.tools, after, |handler| &handler.tools)
    }

    /// Every prompt after the one named `after`, by name.
    pub fn prompts(&self, after: Option<&str>) -> impl Iterator<Item = (&str, &crate::protocol::prompt::Prompt)> {
        listed(&self.prompts, after, |handler| &handler.prompts)
    }

    /// Every resource after the one at `after`, by URI.
    pub fn resources(&self, after: Option<&str>) -> impl Iterator<Item = (&str, &crate::protocol::resource::Resource)> {
        listed(&self.resources, after, |handler| &handler.resources)
    }

    /// Every resource template after `after`, by template.
    pub fn templates(
        &self,
        after: Option<&str>,
    ) -> impl Iterator<Item = (&str, &crate::protocol::resource::ResourceTemplate)> {
        listed(&self.templates, after, |handler| &handler.templates)
    }

    /// This catalogue with `handler` in it, in place of one of the same name.
    pub(super) fn with(&self, handler: Arc<Handler>) -> Result<Self, Collision> {
        Self::of(self.others(&handler.name), Some(handler))
    }

    /// This catalogue without a handler.
    pub(super) fn without(&self, name: &HandlerName) -> Self {
        // What did not collide before does not do so with less.
        Self::of(self.others(name), None).unwrap_or_default()
    }

    fn others(&self, name: &HandlerName) -> BTreeMap<HandlerName, Arc<Handler>> {
        let mut handlers = self.handlers.clone();
        handlers.remove(name);
        handlers
    }

    /// The newcomer enters last, so that a collision names the one that was there.
    fn of(
        mut handlers: BTreeMap<HandlerName, Arc<Handler>>,
        newcomer: Option<Arc<Handler>>,
    ) -> Result<Self, Collision> {
        let mut next = Self::default();
        for handler in handlers.values().chain(&newcomer) {
            enter("tool", &mut next.tools, handler, handler.tools.iter().map(|tool| &tool.name))?;
            enter("prompt", &mut next.prompts, handler, handler.prompts.iter().map(|prompt| &prompt.name))?;
            enter("resource", &mut next.resources, handler, handler.resources.iter().map(|resource| &resource.uri))?;
            let templates = handler.templates.iter().map(|template| &template.uri_template);
            enter("resource template", &mut next.templates, handler, templates)?;
        }
        handlers.extend(newcomer.map(|handler| (handler.name.clone(), handler)));
        next.matchers = next
            .templates
            .iter()
            // A template that can't be read was refused at upload.
            .filter_map(|(template, (handler, _))| Some((Template::new(template).ok()?, Arc::clone(handler))))
            .collect();
        next.matchers.sort_by_key(|(template, _)| Reverse(template.literals()));
        next.handlers = handlers;
        Ok(next)
    }
}

fn enter<'a>(
    kind: &'static str,
    names: &mut Names,
    handler: &Arc<Handler>,
    own: impl Iterator<Item = &'a String>,
) -> Result<(), Collision> {
    for (index, name) in own.enumerate() {
        if let Some((other, _)) = names.insert(name.clone(), (Arc::clone(handler), index)) {
            return Err(Collision { kind, name: name.clone(), handler: other.name.clone() });
        }
    }
    Ok(())
}

fn listed<'a, T: 'a>(
    names: &'a Names,
    after: Option<&str>,
    list: impl Fn(&'a Handler) -> &'a Vec<T>,
) -> impl Iterator<Item = (&'a str, &'a T)> {
    use std::ops::Bound::{Excluded, Unbounded};
    let start = after.map_or(Unbounded, Excluded);
    names
        .range::<str, _>((start, Unbounded))
        .filter_map(move |(name, (handler, index))| Some((name.as_str(), list(handler).get(*index)?)))
}
