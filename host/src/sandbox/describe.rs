//! What a program says that it offers.

use std::collections::HashSet;
use std::sync::Arc;

use dacapo_replay::{Ending, Fault};

use super::attempt::{Call, bounded, classify, empty_walk};
use super::bindings::exports::dacapo::handler::{prompts, resources, tools};
use super::convert;
use super::engine::Sandbox;
use super::program::Program;
use crate::protocol::prompt::Prompt;
use crate::protocol::resource::{Resource, ResourceTemplate};
use crate::protocol::template::Template;
use crate::protocol::tool::Tool;

/// What a program offers, each in its own order.
#[derive(Debug, Default)]
pub struct Description {
    /// Its tools.
    pub tools: Vec<Tool>,
    /// Its prompts.
    pub prompts: Vec<Prompt>,
    /// Its resources.
    pub resources: Vec<Resource>,
    /// Its resource templates.
    pub templates: Vec<ResourceTemplate>,
}

/// Why a program's word about itself was not taken.
#[derive(Debug, thiserror::Error)]
pub enum DescribeError {
    /// It could not be asked.
    #[error("the component could not say what it offers: {0}")]
    Failed(#[from] Fault),
    /// It asked a question instead.
    #[error("the component asked a question while it was to say what it offers; its lists must simply return")]
    Asked,
    /// A descriptor is not well formed.
    #[error("{kind} \"{name}\": {what}")]
    Descriptor {
        /// Of what kind it is.
        kind: &'static str,
        /// Its name, URI or template.
        name: String,
        /// What is wrong, and what was expected.
        what: String,
    },
}

impl DescribeError {
    /// A stable word for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Failed(_) => "descriptors-failed",
            Self::Asked | Self::Descriptor { .. } => "bad-descriptor",
        }
    }
}

impl Sandbox {
    /// Asks a program what it offers, in an instance of its own, and checks the answer.
    ///
    /// # Errors
    ///
    /// When it fails, or what it offers is not well formed.
    pub async fn describe(&self, program: &Program, call: Call) -> Result<Description, DescribeError> {
        let tenant = Arc::clone(&call.tenant);
        let mut store = self.store(call, empty_walk(&tenant.limits));
        let listing = async {
            let instance = program.instance.instantiate_async(&mut store).await?;
            let mut lists = Lists::default();
            if let Some(indices) = &program.exports.tools {
                lists.tools = indices.load(&mut store, &instance)?.call_list_tools(&mut store).await?;
            }
            if let Some(indices) = &program.exports.prompts {
                lists.prompts = indices.load(&mut store, &instance)?.call_list_prompts(&mut store).await?;
            }
            if let Some(indices) = &program.exports.resources {
                let resources = indices.load(&mut store, &instance)?;
                lists.resources = resources.call_list_resources(&mut store).await?;
                lists.templates = resources.call_list_resource_templates(&mut store).await?;
            }
            Ok(lists)
        };
        match bounded(&tenant.limits, listing).await {
            Ok(lists) => lists.check(),
            Err(error) => Err(match classify::<()>(error, &tenant.limits) {
                Ending::Failed(fault) => fault.into(),
                Ending::Stopped(_) | Ending::Completed(()) => DescribeError::Asked,
            }),
        }
    }
}

/// What a program says that it offers, unchecked.
#[derive(Default)]
struct Lists {
    tools: Vec<tools::Tool>,
    prompts: Vec<prompts::Prompt>,
    resources: Vec<resources::ResourceDescriptor>,
    templates: Vec<resources::ResourceTemplate>,
}

impl Lists {
    fn check(self) -> Result<Description, DescribeError> {
        let tool = |tool: tools::Tool| {
            let tool = convert::tool::tool(tool).map_err(|fault| fault.to_string())?;
            check_name(&tool.name)?;
            check_input_schema(tool.input_schema.get())?;
            Ok(tool)
        };
        let prompt = |prompt: prompts::Prompt| {
            check_name(&prompt.name)?;
            convert::prompt::prompt(prompt).map_err(|fault| fault.to_string())
        };
        let resource = |resource: resources::ResourceDescriptor| {
            check_uri(&resource.uri)?;
            convert::resource::resource(resource).map_err(|fault| fault.to_string())
        };
        let template = |template: resources::ResourceTemplate| {
            Template::new(&template.uri_template)?;
            convert::resource::template(template).map_err(|fault| fault.to_string())
        };
        Ok(Description {
            tools: all("tool", self.tools, |tool| &tool.name, tool)?,
            prompts: all("prompt", self.prompts, |prompt| &prompt.name, prompt)?,
            resources: all("resource", self.resources, |resource| &resource.uri, resource)?,
            templates: all("resource template", self.templates, |template| &template.uri_template, template)?,
        })
    }
}

/// Checks a list: each descriptor by itself, and that no two have the same name.
fn all<W, T>(
    kind: &'static str,
    listed: Vec<W>,
    name: impl Fn(&W) -> &String,
    check: impl Fn(W) -> Result<T, String>,
) -> Result<Vec<T>, DescribeError> {
    let mut names = HashSet::new();
    let mut checked = Vec::with_capacity(listed.len());
    for descriptor in listed {
        let name = name(&descriptor).clone();
        let bad = |what| DescribeError::Descriptor { kind, name: name.chars().take(200).collect(), what };
        if !names.insert(name.clone()) {
            return Err(bad("the component offers two of this name; give each its own".to_owned()));
        }
        checked.push(check(descriptor).map_err(bad)?);
    }
    Ok(checked)
}

fn check_name(name: &str) -> Result<(), String> {
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if (1..=128).contains(&name.len()) && name.chars().all(legal) {
        Ok(())
    } else {
        Err("its name must have 1 to 128 characters of A-Z, a-z, 0-9, \"_\", \"-\" and \".\"".to_owned())
    }
}

fn check_uri(uri: &str) -> Result<(), String> {
    if fluent_uri::Uri::parse(uri).is_ok() { Ok(()) } else { Err("it is not an absolute URI (RFC 3986)".to_owned()) }
}

fn check_input_schema(schema: &str) -> Result<(), String> {
    #[derive(serde::Deserialize)]
    struct Root {
        r#type: Option<serde_json::Value>,
    }
    match serde_json::from_str::<Root>(schema) {
        Ok(Root { r#type: Some(kind) }) if kind == "object" => Ok(()),
        _ => Err("its input schema must be an object with \"type\": \"object\"".to_owned()),
    }
}
