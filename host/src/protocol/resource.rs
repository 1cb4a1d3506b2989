//! Resources, their templates, and their contents.

use serde::Serialize;
use serde_json::value::RawValue;

use super::content::{Annotations, Icon, ResourceContents};
use super::result::Meta;

/// A resource, as `resources/list` shows it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// Its URI, unique in the host.
    pub uri: String,
    /// What it and a template have alike.
    #[serde(flatten)]
    pub about: About,
    /// Its size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
}

/// Resources whose URIs follow a template, as `resources/templates/list` shows them.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceTemplate {
    /// The template (RFC 6570), unique in the host.
    pub uri_template: String,
    /// What it and a resource have alike.
    #[serde(flatten)]
    pub about: About,
}

/// What a resource and a template have alike.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct About {
    /// Its name, for programs.
    pub name: String,
    /// Its name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Hints to the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Icons that a client may show.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// The descriptor's `_meta`.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Box<RawValue>>,
}

/// A resource, read.
#[derive(Debug, Serialize)]
pub struct ReadResourceResult {
    /// Its contents.
    pub contents: Vec<ResourceContents>,
    /// The result's `_meta`, as the handler gave it.
    #[serde(skip)]
    pub meta: Meta,
}
