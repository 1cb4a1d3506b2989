//! Resources whose URIs follow a template.

use crate::annotations::Annotations;
use crate::bindings::resources as wit;
use crate::choice::Choosable;
use crate::contents::ResourceContents;
use crate::context::Context;
use crate::error::ToolError;
use crate::icon::{self, Icon};
use crate::template::{self, Part};
use crate::textual::{TextError, Texts};

/// A resource template. [`#[resource_template]`](macro@crate::resource_template) makes one of a function, as a type of the
/// function's name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no resource template",
    note = "put `#[resource_template(\"its template\")]` on a function and name that"
)]
pub trait ResourceTemplate {
    /// The template as the client sees it.
    const DESCRIPTOR: Descriptor;

    #[doc(hidden)]
    fn read(ctx: &Context, values: &Texts) -> Result<Vec<ResourceContents>, ToolError>;
}

/// A resource template as the client sees it, and what its own side knows besides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Descriptor {
    /// The template (RFC 6570).
    pub uri_template: &'static str,
    /// The same in parts.
    pub parts: &'static [Part],
    /// The variables, as the function takes them.
    pub variables: &'static [Variable],
    /// Its name for programs.
    pub name: &'static str,
    /// Its name for people.
    pub title: Option<&'static str>,
    /// What the resources hold.
    pub description: &'static str,
    /// Their media type, where it is the same for all.
    pub mime_type: Option<&'static str>,
    /// Hints to the client.
    pub annotations: Annotations,
    /// Icons that a client may show.
    pub icons: &'static [Icon],
    /// A JSON object for `_meta`.
    pub meta: Option<&'static str>,
}

/// A variable of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// The values that there are to choose from, where that is a fixed set. They complete what the user types.
    pub choices: &'static [Choosable],
}

impl From<Descriptor> for wit::ResourceTemplate {
    fn from(template: Descriptor) -> Self {
        Self {
            uri_template: template.uri_template.to_owned(),
            name: template.name.to_owned(),
            title: template.title.map(str::to_owned),
            description: Some(template.description.to_owned()),
            mime_type: template.mime_type.map(str::to_owned),
            annotations: template.annotations.into(),
            icons: icon::list(template.icons),
            meta: template.meta.map(str::to_owned),
        }
    }
}

/// A template's variables. `#[derive(TemplateVariables)]` implements it for a struct with named fields.
///
/// A field is a `String`, a number, `bool`, an enum with `#[derive(Choice)]`, or a type with
/// [`Textual`](crate::textual::Textual). Its name is the variable's, unless `#[template(rename = "…")]` says another. A URI
/// with a value that does not fit its type is that of no resource.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a template's variables",
    label = "not a type of variables",
    note = "put `#[derive(TemplateVariables)]` on a struct with named fields"
)]
pub trait TemplateVariables: Sized {
    /// The variables, in the order of the fields.
    const VARIABLES: &'static [Variable];

    /// The value that the variables' `values` make.
    ///
    /// # Errors
    /// When one is missing, or doesn't fit its type.
    fn read(values: &Texts) -> Result<Self, TextError>;
}

/// Reads the variables.
///
/// # Errors
/// When they do not fit: then the resource is not there.
#[doc(hidden)]
pub fn decode<V: TemplateVariables>(values: &Texts) -> Result<V, ToolError> {
    V::read(values).map_err(|_| ToolError::not_found())
}

/// Whether one of `variables` goes by `name`.
#[doc(hidden)]
#[must_use]
#[expect(clippy::indexing_slicing, reason = "runs in the compiler, where iterators can't")]
pub const fn has(variables: &[Variable], name: &str) -> bool {
    let mut at = 0;
    while at < variables.len() {
        if crate::handler::same(variables[at].name, name) {
            return true;
        }
        at += 1;
    }
    false
}

/// A resource template in the table of a handler.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub(crate) descriptor: Descriptor,
    read: fn(&Context, &Texts) -> Result<Vec<ResourceContents>, ToolError>,
}

impl Entry {
    #[must_use]
    pub const fn of<T: ResourceTemplate>() -> Self {
        Self { descriptor: T::DESCRIPTOR, read: T::read }
    }

    /// The choices of a variable; `None` if the template has no such variable.
    pub(crate) fn variable(&self, name: &str) -> Option<&'static [Choosable]> {
        let Descriptor { parts, variables, .. } = self.descriptor;
        parts.iter().find(|part| matches!(part, Part::Variable { name: known, .. } if *known == name))?;
        Some(variables.iter().find(|known| known.name == name).map_or(&[], |variable| variable.choices))
    }
}

/// The resource templates of a handler.
#[doc(hidden)]
#[must_use]
pub fn list(templates: &[Entry]) -> Vec<wit::ResourceTemplate> {
    templates.iter().map(|template| template.descriptor.into()).collect()
}

/// What was read, and its media type where the template says one.
type Read = (Result<Vec<ResourceContents>, ToolError>, Option<&'static str>);

/// Reads by the first template that `uri` fits; `None` if it fits none.
pub(crate) fn read(templates: &[Entry], ctx: &Context, uri: &str) -> Option<Read> {
    templates.iter().find_map(|template| {
        let values = template::values(template.descriptor.parts, uri)?;
        Some(((template.read)(ctx, &values), template.descriptor.mime_type))
    })
}
