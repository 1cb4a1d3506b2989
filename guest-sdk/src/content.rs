//! Blocks of a result or a message.

use serde_json::Value;

use crate::bindings::dacapo::handler::content as wit;
use crate::icon::Icon;

/// Whom content is meant for, and who speaks in a prompt's message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The human at the client.
    User,
    /// The model at the client.
    Assistant,
}

impl From<Role> for wit::Role {
    fn from(role: Role) -> Self {
        match role {
            Role::User => Self::User,
            Role::Assistant => Self::Assistant,
        }
    }
}

/// One block of a result or a message.
///
/// ```
/// use dacapo_guest::prelude::*;
///
/// let block = Content::text("Saved.").audience([Role::User]).priority(0.5);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Content(wit::ContentBlock);

impl Content {
    /// Plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self(wit::ContentBlock::Text(wit::TextContent { text: text.into(), annotations: None, meta: None }))
    }

    /// An image: its bytes, and their media type, such as `image/png`.
    pub fn image(data: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> Self {
        Self(wit::ContentBlock::Image(media(data.into(), mime_type.into())))
    }

    /// A sound: its bytes, and their media type, such as `audio/wav`.
    pub fn audio(data: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> Self {
        Self(wit::ContentBlock::Audio(media(data.into(), mime_type.into())))
    }

    /// A reference to a resource that the client may read.
    #[must_use]
    pub fn link(link: Link) -> Self {
        Self(wit::ContentBlock::ResourceLink(link.0))
    }

    /// A resource of text, carried along.
    pub fn resource_text(uri: impl Into<String>, mime_type: impl Into<String>, text: impl Into<String>) -> Self {
        embedded(uri.into(), mime_type.into(), wit::ResourceBody::Text(text.into()))
    }

    /// A resource of bytes, carried along.
    pub fn resource_blob(uri: impl Into<String>, mime_type: impl Into<String>, data: impl Into<Vec<u8>>) -> Self {
        embedded(uri.into(), mime_type.into(), wit::ResourceBody::Blob(data.into()))
    }

    /// Whom it is meant for. Nothing is said by default.
    #[must_use]
    pub fn audience(mut self, audience: impl IntoIterator<Item = Role>) -> Self {
        self.annotations().audience = audience.into_iter().map(Into::into).collect();
        self
    }

    /// How important it is, from 0 (optional) to 1 (required). Nothing is said by default.
    #[must_use]
    pub fn priority(mut self, priority: f64) -> Self {
        self.annotations().priority = Some(priority);
        self
    }

    /// When it was last modified, as an ISO 8601 date and time. Nothing is said by default.
    #[must_use]
    pub fn last_modified(mut self, time: impl Into<String>) -> Self {
        self.annotations().last_modified = Some(time.into());
        self
    }

    /// Its `_meta`. None by default.
    ///
    /// ```
    /// # use dacapo_guest::prelude::*;
    /// let block = Content::text("42").meta([("example.com/unit", "metres")]);
    /// ```
    #[must_use]
    pub fn meta<K: Into<String>, V: Into<Value>>(mut self, meta: impl IntoIterator<Item = (K, V)>) -> Self {
        let own = match &mut self.0 {
            wit::ContentBlock::Text(block) => &mut block.meta,
            wit::ContentBlock::Image(block) | wit::ContentBlock::Audio(block) => &mut block.meta,
            wit::ContentBlock::ResourceLink(block) => &mut block.meta,
            wit::ContentBlock::EmbeddedResource(block) => &mut block.meta,
        };
        *own = Some(json_object(meta));
        self
    }

    /// The text of a text block; `None` for any other.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match &self.0 {
            wit::ContentBlock::Text(block) => Some(&block.text),
            _ => None,
        }
    }

    fn annotations(&mut self) -> &mut wit::Annotations {
        let annotations = match &mut self.0 {
            wit::ContentBlock::Text(block) => &mut block.annotations,
            wit::ContentBlock::Image(block) | wit::ContentBlock::Audio(block) => &mut block.annotations,
            wit::ContentBlock::ResourceLink(block) => &mut block.annotations,
            wit::ContentBlock::EmbeddedResource(block) => &mut block.annotations,
        };
        annotations.get_or_insert(wit::Annotations { audience: Vec::new(), priority: None, last_modified: None })
    }
}

const fn media(data: Vec<u8>, mime_type: String) -> wit::MediaContent {
    wit::MediaContent { data, mime_type, annotations: None, meta: None }
}

const fn embedded(uri: String, mime_type: String, body: wit::ResourceBody) -> Content {
    let contents = wit::ResourceContents { uri, mime_type: Some(mime_type), body, meta: None };
    Content(wit::ContentBlock::EmbeddedResource(wit::EmbeddedResource { contents, annotations: None, meta: None }))
}

/// The text of a JSON object.
pub(crate) fn json_object<K: Into<String>, V: Into<Value>>(members: impl IntoIterator<Item = (K, V)>) -> String {
    Value::Object(members.into_iter().map(|(key, value)| (key.into(), value.into())).collect()).to_string()
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<wit::ContentBlock> for Content {
    fn from(block: wit::ContentBlock) -> Self {
        Self(block)
    }
}

impl From<Content> for wit::ContentBlock {
    fn from(content: Content) -> Self {
        content.0
    }
}

/// A reference to a resource that the client may read.
#[derive(Debug, Clone, PartialEq)]
pub struct Link(wit::ResourceLink);

impl Link {
    /// A reference to the resource at `uri`; `name` is for programs.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self(wit::ResourceLink {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            icons: Vec::new(),
            annotations: None,
            meta: None,
        })
    }

    /// Its name, for people. None by default.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.0.title = Some(title.into());
        self
    }

    /// What it holds. None by default.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.0.description = Some(description.into());
        self
    }

    /// Its media type. None by default.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.0.mime_type = Some(mime_type.into());
        self
    }

    /// Adds an icon. None by default.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> Self {
        self.0.icons.push(icon.into());
        self
    }

    /// Its size in bytes. None by default.
    #[must_use]
    pub const fn size(mut self, bytes: u64) -> Self {
        self.0.size = Some(bytes);
        self
    }
}
