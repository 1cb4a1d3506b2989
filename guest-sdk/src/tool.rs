//! Tools that a model may call, and their descriptors.

use crate::bindings::exports::dacapo::handler::tools as wit;
use crate::context::Context;
use crate::error::ToolError;
use crate::icon::{self, Icon};
use crate::protocol_error::ProtocolError;
use crate::returns::outcome;

/// A tool. [`#[tool]`](macro@crate::tool) makes one of a function, as a type of the function's name.
#[diagnostic::on_unimplemented(message = "`{Self}` is no tool", note = "put `#[tool]` on a function and name that")]
pub trait Tool {
    /// Its name: 1 to 128 characters of `A-Z a-z 0-9 _ - .`.
    const NAME: &'static str;

    /// The tool as the client sees it.
    fn descriptor() -> Descriptor;

    #[doc(hidden)]
    fn call(ctx: &Context, arguments: &str) -> Result<wit::ToolResult, ToolError>;
}

/// A tool as the client sees it. The annotations are hints; `None` says nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Descriptor {
    /// Its name for programs.
    pub name: &'static str,
    /// Its name for people.
    pub title: Option<&'static str>,
    /// What it does and when to use it.
    pub description: &'static str,
    /// The JSON Schema of its arguments.
    pub input_schema: String,
    /// The JSON Schema of its structured content, if it has any.
    pub output_schema: Option<String>,
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may destroy something.
    pub destructive: Option<bool>,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: Option<bool>,
    /// It reaches beyond its own closed world.
    pub open_world: Option<bool>,
    /// Icons that a client may show.
    pub icons: &'static [Icon],
    /// A JSON object for `_meta`.
    pub meta: Option<&'static str>,
}

impl From<Descriptor> for wit::Tool {
    fn from(tool: Descriptor) -> Self {
        let Descriptor { read_only, destructive, idempotent, open_world, .. } = tool;
        let said = [read_only, destructive, idempotent, open_world].iter().any(Option::is_some);
        let annotations = wit::ToolAnnotations { title: None, read_only, destructive, idempotent, open_world };
        Self {
            name: tool.name.to_owned(),
            title: tool.title.map(str::to_owned),
            description: Some(tool.description.to_owned()),
            input_schema: tool.input_schema,
            output_schema: tool.output_schema,
            annotations: said.then_some(annotations),
            icons: icon::list(tool.icons),
            meta: tool.meta.map(str::to_owned),
        }
    }
}

/// A tool in the table of a handler.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    name: &'static str,
    descriptor: fn() -> Descriptor,
    call: fn(&Context, &str) -> Result<wit::ToolResult, ToolError>,
}

impl Entry {
    #[must_use]
    pub const fn of<T: Tool>() -> Self {
        Self { name: T::NAME, descriptor: T::descriptor, call: T::call }
    }
}

/// The tools of a handler.
#[doc(hidden)]
#[must_use]
pub fn list(tools: &[Entry]) -> Vec<wit::Tool> {
    tools.iter().map(|tool| (tool.descriptor)().into()).collect()
}

/// Calls one of them.
#[doc(hidden)]
pub fn call(tools: &[Entry], name: &str, arguments: &str) -> Result<wit::ToolResult, wit::ProtocolError> {
    let result = match tools.iter().find(|tool| tool.name == name) {
        Some(tool) => outcome((tool.call)(&Context::new(), arguments)),
        None => Err(ProtocolError::invalid_params(format!("There is no tool `{name}`."))),
    };
    result.map_err(Into::into)
}
