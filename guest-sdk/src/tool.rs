//! Tools, their descriptors, and the macro that makes a handler of them.

use crate::bindings::exports::dacapo::handler::tools as wit;
use crate::context::Context;
use crate::error::ToolError;
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
            icons: Vec::new(),
            meta: None,
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

/// Whether no two of them have the same name.
#[doc(hidden)]
#[must_use]
#[expect(clippy::indexing_slicing, reason = "runs in the compiler, where iterators can't")]
pub const fn distinct(tools: &[Entry]) -> bool {
    let mut left = 0;
    while left < tools.len() {
        let mut right = left + 1;
        while right < tools.len() {
            if same(tools[left].name.as_bytes(), tools[right].name.as_bytes()) {
                return false;
            }
            right += 1;
        }
        left += 1;
    }
    true
}

#[expect(clippy::indexing_slicing, reason = "runs in the compiler, where iterators can't")]
const fn same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Makes a handler of what it names: `handlers! { tools: [onboard, upgrade_plan] }`. Once in a crate.
///
/// Each is the name of a function with [`#[tool]`](macro@crate::tool), or a path to one. Two tools of one name do not
/// compile.
#[macro_export]
macro_rules! handlers {
    (tools: [$($tool:ty),+ $(,)?] $(,)?) => {
        const _: () = {
            const TOOLS: &[$crate::tool::Entry] = &[$($crate::tool::Entry::of::<$tool>()),+];
            const _: () = ::core::assert!(
                $crate::tool::distinct(TOOLS),
                "two tools of this handler have the same name; give one of them another by `#[tool(name = \"…\")]`"
            );

            struct Handlers;

            impl $crate::bindings::exports::dacapo::handler::tools::Guest for Handlers {
                fn list_tools() -> ::std::vec::Vec<$crate::bindings::exports::dacapo::handler::tools::Tool> {
                    $crate::tool::list(TOOLS)
                }

                fn call_tool(
                    name: ::std::string::String,
                    arguments: ::std::string::String,
                ) -> ::core::result::Result<
                    $crate::bindings::exports::dacapo::handler::tools::ToolResult,
                    $crate::bindings::exports::dacapo::handler::tools::ProtocolError,
                > {
                    $crate::tool::call(TOOLS, &name, &arguments)
                }
            }

            $crate::bindings::export_tools!(Handlers with_types_in $crate::bindings);
        };
    };
}
