//! Resources that a client may read, each with a URI of its own.

use crate::annotations::Annotations;
use crate::bindings::resources as wit;
use crate::contents::ResourceContents;
use crate::context::Context;
use crate::error::{Failure, ToolError};
use crate::icon::{self, Icon};
use crate::resource_template;

/// A resource. [`#[resource]`](macro@crate::resource) makes one of a function, as a type of the function's name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no resource",
    note = "put `#[resource(\"its URI\")]` on a function and name that"
)]
pub trait Resource {
    /// The resource as the client sees it.
    const DESCRIPTOR: Descriptor;

    #[doc(hidden)]
    fn read(ctx: &Context) -> Result<Vec<ResourceContents>, ToolError>;
}

/// A resource as the client sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Descriptor {
    /// Its URI.
    pub uri: &'static str,
    /// Its name for programs.
    pub name: &'static str,
    /// Its name for people.
    pub title: Option<&'static str>,
    /// What it holds.
    pub description: &'static str,
    /// Its media type.
    pub mime_type: Option<&'static str>,
    /// Its size in bytes.
    pub size: Option<u64>,
    /// Hints to the client.
    pub annotations: Annotations,
    /// Icons that a client may show.
    pub icons: &'static [Icon],
    /// A JSON object for `_meta`.
    pub meta: Option<&'static str>,
}

impl From<Descriptor> for wit::ResourceDescriptor {
    fn from(resource: Descriptor) -> Self {
        Self {
            uri: resource.uri.to_owned(),
            name: resource.name.to_owned(),
            title: resource.title.map(str::to_owned),
            description: Some(resource.description.to_owned()),
            mime_type: resource.mime_type.map(str::to_owned),
            size: resource.size,
            annotations: resource.annotations.into(),
            icons: icon::list(resource.icons),
            meta: resource.meta.map(str::to_owned),
        }
    }
}

/// The error for a resource that is not there. A resource of that URI may be listed, or fit a template, and yet not exist.
///
/// ```
/// use dacapo_guest::prelude::*;
///
/// #[derive(TemplateVariables)]
/// struct Page {
///     number: u32,
/// }
///
/// /// A page of the handbook.
/// #[resource_template("docs://handbook/{number}")]
/// fn page(Page { number }: Page) -> Result<String> {
///     if number > 3 {
///         return Err(not_found());
///     }
///     Ok(format!("Page {number}."))
/// }
/// ```
#[must_use]
pub fn not_found() -> ToolError {
    ToolError::not_found()
}

/// A resource in the table of a handler.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    descriptor: Descriptor,
    read: fn(&Context) -> Result<Vec<ResourceContents>, ToolError>,
}

impl Entry {
    #[must_use]
    pub const fn of<R: Resource>() -> Self {
        Self { descriptor: R::DESCRIPTOR, read: R::read }
    }
}

/// The resources of a handler.
#[doc(hidden)]
#[must_use]
pub fn list(resources: &[Entry]) -> Vec<wit::ResourceDescriptor> {
    resources.iter().map(|resource| resource.descriptor.into()).collect()
}

/// Reads the resource at `uri`, or by the first template that it fits.
#[doc(hidden)]
pub fn read(
    resources: &[Entry],
    templates: &[resource_template::Entry],
    uri: &str,
) -> Result<wit::ReadResult, wit::ReadError> {
    let ctx = Context::new();
    let (contents, mime_type) = match resources.iter().find(|resource| resource.descriptor.uri == uri) {
        Some(resource) => ((resource.read)(&ctx), resource.descriptor.mime_type),
        None => match resource_template::read(templates, &ctx, uri) {
            Some(found) => found,
            None => return Err(wit::ReadError::NotFound),
        },
    };
    match contents {
        Ok(contents) => {
            let contents = contents.into_iter().map(|contents| contents.at(uri, mime_type)).collect();
            Ok(wit::ReadResult { contents, meta: None })
        }
        Err(error) => Err(match error.into_failure() {
            Failure::NotFound => wit::ReadError::NotFound,
            failure => wit::ReadError::Protocol(failure.into_protocol().into()),
        }),
    }
}
