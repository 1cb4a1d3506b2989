//! What a resource holds.

use crate::bindings::dacapo::handler::content as wit;
use crate::content::json_object;
use crate::error::ToolError;
use crate::returns::Failing;

/// What a resource holds: a text or bytes.
///
/// ```
/// use dacapo_guest::prelude::*;
///
/// let contents = ResourceContents::text("# Handbook").mime_type("text/markdown");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceContents {
    uri: Option<String>,
    mime_type: Option<String>,
    body: wit::ResourceBody,
    meta: Option<String>,
}

impl ResourceContents {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(wit::ResourceBody::Text(text.into()))
    }

    /// Bytes.
    pub fn blob(data: impl Into<Vec<u8>>) -> Self {
        Self::new(wit::ResourceBody::Blob(data.into()))
    }

    const fn new(body: wit::ResourceBody) -> Self {
        Self { uri: None, mime_type: None, body, meta: None }
    }

    /// The text; `None` for bytes.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match &self.body {
            wit::ResourceBody::Text(text) => Some(text),
            wit::ResourceBody::Blob(_) => None,
        }
    }

    /// The bytes; `None` for a text.
    #[must_use]
    pub fn as_blob(&self) -> Option<&[u8]> {
        match &self.body {
            wit::ResourceBody::Text(_) => None,
            wit::ResourceBody::Blob(bytes) => Some(bytes),
        }
    }

    /// The URI of what it is. By default the one that is read.
    #[must_use]
    pub fn uri(mut self, uri: impl Into<String>) -> Self {
        self.uri = Some(uri.into());
        self
    }

    /// Its media type. By default that of the resource, where it says one.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Its `_meta`. None by default.
    #[must_use]
    pub fn meta<K: Into<String>, V: Into<serde_json::Value>>(mut self, meta: impl IntoIterator<Item = (K, V)>) -> Self {
        self.meta = Some(json_object(meta));
        self
    }

    /// The contract's contents of the resource at `uri`, whose media type is `mime_type` where nothing else is said.
    pub(crate) fn at(self, uri: &str, mime_type: Option<&str>) -> wit::ResourceContents {
        wit::ResourceContents {
            uri: self.uri.unwrap_or_else(|| uri.to_owned()),
            mime_type: self.mime_type.or_else(|| mime_type.map(str::to_owned)),
            body: self.body,
            meta: self.meta,
        }
    }
}

impl From<wit::ResourceContents> for ResourceContents {
    fn from(contents: wit::ResourceContents) -> Self {
        let wit::ResourceContents { uri, mime_type, body, meta } = contents;
        Self { uri: Some(uri), mime_type, body, meta }
    }
}

/// What a resource may return: a text, bytes, [`ResourceContents`], a `Vec` of those, or a `Result` of one of those.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be what a resource holds",
    label = "not a type of contents",
    note = "a resource returns `String`, `Vec<u8>`, `ResourceContents`, `Vec<ResourceContents>`, or a `Result` of one of those"
)]
pub trait IntoContents {
    /// The contents: at least one.
    ///
    /// # Errors
    /// When the resource is not there, or could not be read.
    fn into_contents(self) -> Result<Vec<ResourceContents>, ToolError>;
}

impl IntoContents for Vec<ResourceContents> {
    fn into_contents(self) -> Result<Vec<ResourceContents>, ToolError> {
        Ok(self)
    }
}

impl IntoContents for ResourceContents {
    fn into_contents(self) -> Result<Vec<ResourceContents>, ToolError> {
        Ok(vec![self])
    }
}

impl IntoContents for String {
    fn into_contents(self) -> Result<Vec<ResourceContents>, ToolError> {
        Ok(vec![ResourceContents::text(self)])
    }
}

impl IntoContents for &str {
    fn into_contents(self) -> Result<Vec<ResourceContents>, ToolError> {
        Ok(vec![ResourceContents::text(self)])
    }
}

impl IntoContents for Vec<u8> {
    fn into_contents(self) -> Result<Vec<ResourceContents>, ToolError> {
        Ok(vec![ResourceContents::blob(self)])
    }
}

impl<T: IntoContents, E: Failing> IntoContents for Result<T, E> {
    fn into_contents(self) -> Result<Vec<ResourceContents>, ToolError> {
        self.map_err(Into::into)?.into_contents()
    }
}
