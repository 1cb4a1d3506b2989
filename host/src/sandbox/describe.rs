//! What a program says that it offers.

use dacapo_replay::{Ending, Fault};

use super::attempt::{Call, classify};
use super::convert;
use super::engine::Sandbox;
use super::program::Program;
use crate::protocol::tool::Tool;

/// What a program offers.
#[derive(Debug, Default)]
pub struct Description {
    /// Its tools, in its own order.
    pub tools: Vec<Tool>,
}

/// Why a program's word about itself was not taken.
#[derive(Debug, thiserror::Error)]
pub enum DescribeError {
    /// It could not be asked.
    #[error("the component could not say what it offers: {0}")]
    Failed(#[from] Fault),
    /// It asked a question instead.
    #[error("the component asked a question while it was to say what it offers; list-tools must simply return")]
    Asked,
    /// A tool is not well formed.
    #[error("tool \"{tool}\": {what}")]
    Tool {
        /// The tool's name.
        tool: String,
        /// What is wrong, and what was expected.
        what: String,
    },
}

impl Sandbox {
    /// Asks a program what it offers, in an instance of its own, and checks the answer.
    ///
    /// # Errors
    ///
    /// When it fails, or what it offers is not well formed.
    pub async fn describe(&self, program: &Program, call: Call) -> Result<Description, DescribeError> {
        let Some(indices) = &program.tools else { return Ok(Description::default()) };
        let mut store = self.store(call, self.empty_walk());
        let listing = async {
            let instance = program.instance.instantiate_async(&mut store).await?;
            indices.load(&mut store, &instance)?.call_list_tools(&mut store).await
        };
        let listed = match self.bounded(listing).await {
            Ok(tools) => tools,
            Err(error) => {
                return Err(match classify::<()>(&error, &self.limits) {
                    Ending::Failed(fault) => fault.into(),
                    Ending::Stopped(_) | Ending::Completed(()) => DescribeError::Asked,
                });
            }
        };
        let mut tools = Vec::<Tool>::with_capacity(listed.len());
        for tool in listed {
            let name = tool.name.clone();
            let bad = |what: String| DescribeError::Tool { tool: name.clone(), what };
            let tool = convert::tool(tool).map_err(|fault| bad(fault.to_string()))?;
            check_name(&tool.name).map_err(bad)?;
            check_input_schema(tool.input_schema.get()).map_err(bad)?;
            if tools.iter().any(|other| other.name == tool.name) {
                return Err(bad("the component has two tools of this name; give each its own".to_owned()));
            }
            tools.push(tool);
        }
        Ok(Description { tools })
    }
}

fn check_name(name: &str) -> Result<(), String> {
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if (1..=128).contains(&name.len()) && name.chars().all(legal) {
        Ok(())
    } else {
        Err("its name must have 1 to 128 characters of A-Z, a-z, 0-9, \"_\", \"-\" and \".\"".to_owned())
    }
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
