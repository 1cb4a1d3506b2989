//! Lists, page by page.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::value::RawValue;

use super::Server;
use crate::protocol::error::RpcError;
use crate::protocol::params::Params;
use crate::protocol::result::Caching;

/// The lists that clients can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    /// `tools/list`
    Tools,
    /// `prompts/list`
    Prompts,
    /// `resources/list`
    Resources,
    /// `resources/templates/list`
    ResourceTemplates,
}

impl List {
    /// The member of the result that holds the list.
    fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::ResourceTemplates => "resourceTemplates",
        }
    }
}

/// One page of a list.
struct Page<'a, T> {
    list: List,
    items: Vec<&'a T>,
    next_cursor: Option<String>,
    caching: Caching,
}

impl<T: Serialize> Serialize for Page<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut page = serializer.serialize_map(None)?;
        page.serialize_entry(self.list.member(), &self.items)?;
        if let Some(cursor) = &self.next_cursor {
            page.serialize_entry("nextCursor", cursor)?;
        }
        page.serialize_entry("ttlMs", &self.caching.ttl_ms)?;
        page.serialize_entry("cacheScope", &self.caching.cache_scope)?;
        page.end()
    }
}

/// Where in a list a page begins.
pub(super) struct Start {
    list: List,
    /// The name after which it begins; at the top when there is none.
    after: Option<String>,
}

impl Start {
    /// The name after which the page begins.
    pub(super) fn after(&self) -> Option<&str> {
        self.after.as_deref()
    }
}

impl List {
    /// Reads where the page that `params` ask for begins.
    pub(super) fn start(self, params: &Params) -> Result<Start, RpcError> {
        let read = |cursor: String| {
            let bytes = BASE64URL.decode(&cursor).ok();
            let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
            text.and_then(|text| text.strip_prefix(self.member())?.strip_prefix('\n').map(str::to_owned)).ok_or_else(
                || {
                    RpcError::invalid_params(format!(
                        "params.cursor \"{cursor}\" was not issued by this server for this list; list again without it"
                    ))
                },
            )
        };
        Ok(Start { list: self, after: params.member("cursor")?.map(read).transpose()? })
    }

    /// A cursor for what comes after `name`. Lists are in the order of names, so it stays good while the list changes.
    fn cursor(self, name: &str) -> String {
        BASE64URL.encode(format!("{}\n{name}", self.member()))
    }
}

impl Server {
    /// Writes the page of a list that begins at `start`; `items` are named, and what comes after it.
    pub(super) fn page<'a, T: Serialize + 'a>(
        &self,
        start: &Start,
        mut items: impl Iterator<Item = (&'a str, &'a T)>,
    ) -> Result<Box<RawValue>, RpcError> {
        let mut page = Page { list: start.list, items: Vec::new(), next_cursor: None, caching: self.lists.caching };
        let mut last = None;
        for (name, item) in items.by_ref().take(self.lists.page_size) {
            page.items.push(item);
            last = Some(name);
        }
        if items.next().is_some() {
            page.next_cursor = last.map(|name| start.list.cursor(name));
        }
        self.complete(&page)
    }
}
