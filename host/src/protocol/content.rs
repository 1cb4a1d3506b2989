//! Content blocks.

use serde::Serialize;
use serde_json::value::RawValue;

use super::resource::Resource;

/// One block of a message or of a result.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContentBlock {
    /// Plain text.
    Text {
        /// The text.
        text: String,
        /// What every block may have.
        #[serde(flatten)]
        extras: Extras,
    },
    /// An image.
    Image(Media),
    /// A sound.
    Audio(Media),
    /// A reference to a resource.
    ResourceLink(Resource),
    /// A resource, carried along.
    Resource {
        /// The resource's contents.
        resource: ResourceContents,
        /// What every block may have.
        #[serde(flatten)]
        extras: Extras,
    },
}

/// What every block may have.
#[derive(Debug, Default, Serialize)]
pub struct Extras {
    /// Hints to the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// The block's `_meta`.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Box<RawValue>>,
}

/// An image or a sound.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Media {
    /// The bytes in Base64.
    pub data: String,
    /// Their media type.
    pub mime_type: String,
    /// What every block may have.
    #[serde(flatten)]
    pub extras: Extras,
}

/// A resource's contents.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceContents {
    /// The resource's URI.
    pub uri: String,
    /// Its media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Its body.
    #[serde(flatten)]
    pub body: ResourceBody,
    /// The contents' `_meta`.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Box<RawValue>>,
}

/// The body of a resource.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ResourceBody {
    /// Text.
    Text(String),
    /// Bytes in Base64.
    Blob(String),
}

/// Hints on how the client may use content.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    /// Whom the content is meant for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub audience: Vec<Role>,
    /// How important it is, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<f64>,
    /// When it was last modified (ISO 8601).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

/// Whom content is meant for.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The human.
    User,
    /// The model.
    Assistant,
}

/// An icon that a client may show.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Icon {
    /// An `https:` or `data:` URI.
    pub src: String,
    /// Its media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Its sizes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<String>,
    /// The background that it is drawn for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<Theme>,
}

/// A background.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// A light one.
    Light,
    /// A dark one.
    Dark,
}
