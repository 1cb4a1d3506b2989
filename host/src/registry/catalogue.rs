//! From names to handlers. Never changed: a new one takes its place.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::SystemTime;

use super::handler::{Digest, Handler, HandlerName};
use super::pinned::Pinned;
use crate::protocol::template::Template;

/// What is served at one moment.
#[derive(Debug, Default)]
pub struct Catalogue {
    handlers: BTreeMap<HandlerName, Arc<Handler>>,
    /// The same, by their components.
    components: HashMap<Digest, Arc<Handler>>,
    /// Replaced revisions that conversations may still need, by their components.
    pinned: HashMap<Digest, Arc<Pinned>>,
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

    /// The revision whose component this is: one that is served, or that conversations may still need.
    #[must_use]
    pub fn revision(&self, component: &str) -> Option<&Arc<Handler>> {
        self.components.get(component).or_else(|| self.pinned(component).map(|pinned| &pinned.handler))
    }

    /// The replaced revision whose component this is.
    pub(super) fn pinned(&self, component: &str) -> Option<&Arc<Pinned>> {
        self.pinned.get(component)
    }

    /// Every replaced revision that conversations may still need, in no order.
    pub fn all_pinned(&self) -> impl Iterator<Item = &Arc<Pinned>> {
        self.pinned.values()
    }

    /// The handler that serves a tool.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&Arc<Handler>> {
        self.tools.get(name).map(|(handler, _)| handler)
    }

    /// The handler that serves a prompt.
    #[must_use]
    pub fn prompt(&self, name: &str) -> Option<&Arc<Handler>> {
        self.prompts.get(name).map(|(handler, _)| handler)
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

    /// A catalogue of these. Each that collides with an earlier one is left out and handed to `refused`.
    pub(super) fn of(
        handlers: impl IntoIterator<Item = Arc<Handler>>,
        pinned: impl IntoIterator<Item = Arc<Pinned>>,
        mut refused: impl FnMut(Arc<Handler>, Collision),
    ) -> Self {
        let mut next = Self::default();
        for handler in handlers {
            if let Err(collision) = next.admit(&handler) {
                refused(handler, collision);
            }
        }
        next.matchers = next
            .templates
            .iter()
            // A template that can't be read was refused at upload.
            .filter_map(|(template, (handler, _))| Some((Template::new(template).ok()?, Arc::clone(handler))))
            .collect();
        next.matchers.sort_by_key(|(template, _)| Reverse(template.literals()));
        next.pinned.extend(pinned.into_iter().map(|pinned| (pinned.handler.digest.clone(), pinned)));
        next
    }

    /// This catalogue with `handler` in it, in place of one of the same name, which is pinned.
    pub(super) fn with(
        &self,
        handler: Arc<Handler>,
        pin: impl FnOnce(Arc<Handler>) -> Pinned,
    ) -> Result<Self, Collision> {
        let replaced = self.handlers.get(&handler.name).cloned();
        let name = handler.name.clone();
        let others = self.handlers.values().filter(|other| other.name != name).cloned();
        let pinned = self.pinned.values().cloned().chain(replaced.map(pin).map(Arc::new));
        let mut collided = Ok(());
        // The newcomer comes last, so that a collision names the one that was there.
        let next = Self::of(others.chain([handler]), pinned, |_, collision| collided = Err(collision));
        collided.map(|()| next)
    }

    /// This catalogue without a handler and all its revisions.
    pub(super) fn without(&self, name: &HandlerName) -> Self {
        let others = self.handlers.values().filter(|other| other.name != *name).cloned();
        let pinned = self.pinned.values().filter(|pinned| pinned.handler.name != *name).cloned();
        // What did not collide before does not do so with less.
        Self::of(others, pinned, |_, _| {})
    }

    /// This catalogue without the replaced revisions that no conversation needs at `now`.
    pub(super) fn pruned(&self, now: SystemTime) -> Self {
        let needed = self.pinned.values().filter(|pinned| !pinned.is_over(now)).cloned();
        // As before.
        Self::of(self.handlers.values().cloned(), needed, |_, _| {})
    }

    fn admit(&mut self, handler: &Arc<Handler>) -> Result<(), Collision> {
        let tools = || handler.tools.iter().map(|tool| &tool.name);
        let prompts = || handler.prompts.iter().map(|prompt| &prompt.name);
        let resources = || handler.resources.iter().map(|resource| &resource.uri);
        let templates = || handler.templates.iter().map(|template| &template.uri_template);
        is_free("tool", &self.tools, tools())?;
        is_free("prompt", &self.prompts, prompts())?;
        is_free("resource", &self.resources, resources())?;
        is_free("resource template", &self.templates, templates())?;
        enter(&mut self.tools, handler, tools());
        enter(&mut self.prompts, handler, prompts());
        enter(&mut self.resources, handler, resources());
        enter(&mut self.templates, handler, templates());
        self.components.insert(handler.digest.clone(), Arc::clone(handler));
        self.handlers.insert(handler.name.clone(), Arc::clone(handler));
        Ok(())
    }
}

/// Whether nobody has these names yet.
fn is_free<'a>(kind: &'static str, names: &Names, mut own: impl Iterator<Item = &'a String>) -> Result<(), Collision> {
    own.try_for_each(|name| match names.get(name) {
        Some((other, _)) => Err(Collision { kind, name: name.clone(), handler: other.name.clone() }),
        None => Ok(()),
    })
}

fn enter<'a>(names: &mut Names, handler: &Arc<Handler>, own: impl Iterator<Item = &'a String>) {
    names.extend(own.enumerate().map(|(index, name)| (name.clone(), (Arc::clone(handler), index))));
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
