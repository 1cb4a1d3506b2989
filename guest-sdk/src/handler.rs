//! Handlers: tables of what they handle, and the contract's exports that read them.

use crate::bindings::completions::{Completion, Guest as Completions, Reference as CompletionReference};
use crate::bindings::exports::dacapo::handler::tools::{Guest as Tools, ProtocolError, Tool, ToolResult};
use crate::bindings::prompts::{Guest as Prompts, Prompt, PromptResult};
use crate::bindings::resources::{Guest as Resources, ReadError, ReadResult, ResourceDescriptor, ResourceTemplate};
use crate::completion::Reference;
use crate::template::Part;
use crate::{completion, prompt, resource, resource_template, tool};

/// A handler's tables. [`handlers!`](macro@crate::handlers) implements it; which of the exports are made is its choice too.
#[doc(hidden)]
pub trait Handler {
    const TOOLS: &'static [tool::Entry] = &[];
    const PROMPTS: &'static [prompt::Entry] = &[];
    const RESOURCES: &'static [resource::Entry] = &[];
    const RESOURCE_TEMPLATES: &'static [resource_template::Entry] = &[];
    const COMPLETIONS: &'static [completion::Entry] = &[];
}

impl<H: Handler> Tools for H {
    fn list_tools() -> Vec<Tool> {
        tool::list(H::TOOLS)
    }

    fn call_tool(name: String, arguments: String) -> Result<ToolResult, ProtocolError> {
        tool::call(H::TOOLS, &name, &arguments)
    }
}

impl<H: Handler> Prompts for H {
    fn list_prompts() -> Vec<Prompt> {
        prompt::list(H::PROMPTS)
    }

    fn get_prompt(name: String, arguments: Vec<(String, String)>) -> Result<PromptResult, ProtocolError> {
        prompt::get(H::PROMPTS, &name, &arguments)
    }
}

impl<H: Handler> Resources for H {
    fn list_resources() -> Vec<ResourceDescriptor> {
        resource::list(H::RESOURCES)
    }

    fn list_resource_templates() -> Vec<ResourceTemplate> {
        resource_template::list(H::RESOURCE_TEMPLATES)
    }

    fn read_resource(uri: String) -> Result<ReadResult, ReadError> {
        resource::read(H::RESOURCES, H::RESOURCE_TEMPLATES, &uri)
    }
}

impl<H: Handler> Completions for H {
    fn complete(
        reference: CompletionReference,
        name: String,
        value: String,
        resolved: Vec<(String, String)>,
    ) -> Result<Completion, ProtocolError> {
        completion::complete(H::COMPLETIONS, H::PROMPTS, H::RESOURCE_TEMPLATES, &reference, &name, &value, resolved)
    }
}

/// Whether no two of these names are the same.
#[doc(hidden)]
#[must_use]
#[expect(clippy::indexing_slicing, reason = "runs in the compiler, where iterators can't")]
pub const fn distinct(names: &[&str]) -> bool {
    let mut left = 0;
    while left < names.len() {
        let mut right = left + 1;
        while right < names.len() {
            if same(names[left], names[right]) {
                return false;
            }
            right += 1;
        }
        left += 1;
    }
    true
}

/// Whether every completion is for an argument or a variable that the handler has.
#[doc(hidden)]
#[must_use]
#[expect(clippy::indexing_slicing, reason = "runs in the compiler, where iterators can't")]
pub const fn known<H: Handler>() -> bool {
    let mut at = 0;
    while at < H::COMPLETIONS.len() {
        let completion::Entry { reference, argument, .. } = H::COMPLETIONS[at];
        let known = match reference {
            Reference::Prompt(name) => has_argument(H::PROMPTS, name, argument),
            Reference::ResourceTemplate(template) => has_variable(H::RESOURCE_TEMPLATES, template, argument),
        };
        if !known {
            return false;
        }
        at += 1;
    }
    true
}

/// Whether no two completions are for the same argument or variable.
#[doc(hidden)]
#[must_use]
#[expect(clippy::indexing_slicing, reason = "runs in the compiler, where iterators can't")]
pub const fn once<H: Handler>() -> bool {
    let mut left = 0;
    while left < H::COMPLETIONS.len() {
        let mut right = left + 1;
        while right < H::COMPLETIONS.len() {
            let (one, other) = (H::COMPLETIONS[left], H::COMPLETIONS[right]);
            let twice = match (one.reference, other.reference) {
                (Reference::Prompt(one), Reference::Prompt(other))
                | (Reference::ResourceTemplate(one), Reference::ResourceTemplate(other)) => same(one, other),
                _ => false,
            };
            if twice && same(one.argument, other.argument) {
                return false;
            }
            right += 1;
        }
        left += 1;
    }
    true
}

#[expect(clippy::indexing_slicing, reason = "runs in the compiler, where iterators can't")]
const fn has_argument(prompts: &[prompt::Entry], name: &str, argument: &str) -> bool {
    let mut at = 0;
    while at < prompts.len() {
        let arguments = prompts[at].descriptor.arguments;
        let mut inner = 0;
        while same(prompts[at].descriptor.name, name) && inner < arguments.len() {
            if same(arguments[inner].name, argument) {
                return true;
            }
            inner += 1;
        }
        at += 1;
    }
    false
}

#[expect(clippy::indexing_slicing, reason = "runs in the compiler, where iterators can't")]
const fn has_variable(templates: &[resource_template::Entry], template: &str, variable: &str) -> bool {
    let mut at = 0;
    while at < templates.len() {
        let parts = templates[at].descriptor.parts;
        let mut inner = 0;
        while same(templates[at].descriptor.uri_template, template) && inner < parts.len() {
            if let Part::Variable { name, .. } = parts[inner]
                && same(name, variable)
            {
                return true;
            }
            inner += 1;
        }
        at += 1;
    }
    false
}

/// Whether two texts are the same, for the compiler.
#[expect(clippy::indexing_slicing, reason = "runs in the compiler, where iterators can't")]
pub(crate) const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
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
