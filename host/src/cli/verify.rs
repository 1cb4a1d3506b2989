//! `dacapo verify`: whether a handler is the same suspended and replayed as straight through.
//!
//! # Layout
//!
//! - `rehearsal`: one conversation, held both ways in this process
//! - `report`: what came of it, in words and as JSON

mod rehearsal;
mod report;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use serde_json::value::RawValue;

use super::answers::Answers;
use super::file;
use super::output::Output;
use crate::registry::schemas::Schemas;
use crate::sandbox::capacity::Capacity;
use crate::sandbox::describe::Description;
use crate::sandbox::entry::prompt::GetPrompt;
use crate::sandbox::entry::resource::ReadResource;
use crate::sandbox::entry::tool::CallTool;
use crate::sandbox::examine::{MAX_FUNCTIONS, Terms};
use crate::sandbox::{Allotment, Call, Sandbox};
use rehearsal::Rehearsal;
use report::{Failure, Report};

#[derive(Debug, clap::Args)]
pub(super) struct Verify {
    /// The component to verify
    file: PathBuf,

    #[command(flatten)]
    target: Target,

    /// The arguments, a JSON object
    #[arg(long, value_name = "JSON", default_value = "{}", value_parser = object)]
    args: Box<RawValue>,

    /// What the user answers: a JSON object with an answer for each question's key
    #[arg(long, value_name = "FILE")]
    answers: Option<Answers>,

    /// Who calls
    #[arg(long, env = "DACAPO_PRINCIPAL", value_name = "NAME")]
    principal: Option<Arc<str>>,
}

/// What to call.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Target {
    /// The tool to call
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,

    /// The prompt to get
    #[arg(long, value_name = "NAME")]
    prompt: Option<String>,

    /// The resource to read
    #[arg(long, value_name = "URI")]
    resource: Option<String>,
}

fn object(json: &str) -> Result<Box<RawValue>, String> {
    let value: Box<RawValue> = serde_json::from_str(json).map_err(|error| format!("it is not JSON: {error}"))?;
    if value.get().starts_with('{') { Ok(value) } else { Err("it is not a JSON object".to_owned()) }
}

impl Verify {
    /// Exit codes: 0 the handler is faithful, 1 it is not or can't be run, 2 the command line is wrong.
    pub(super) fn run(self, output: Output) -> ExitCode {
        let verified = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("can't start")
            .and_then(|runtime| runtime.block_on(self.verify()));
        match verified {
            Ok(report) => report.print(output.is_json()),
            Err(error) => output.fail(&error),
        }
    }

    async fn verify(&self) -> anyhow::Result<Report> {
        let wasm = file::read(&self.file)?;
        let sandbox = Sandbox::new(Allotment::default()).map_err(|error| anyhow::anyhow!("wasmtime: {error:#}"))?;
        let tenant = sandbox.tenant(file::handler_name(&self.file).unwrap_or_default());
        let terms = Terms { max_functions: MAX_FUNCTIONS, capacity: Capacity::of(&tenant.limits) };
        let program = sandbox.compile(&wasm, &terms).with_context(|| format!("can't run {}", self.file.display()))?;
        let none = Answers::default();
        let answers = self.answers.as_ref().unwrap_or(&none);
        let call = |target: &str| Call {
            tenant: Arc::clone(&tenant),
            target: target.to_owned(),
            principal: self.principal.clone(),
            progress: None,
            announcements: None,
        };
        let offered = sandbox
            .describe(&program, call(""))
            .await
            .with_context(|| format!("{} does not say what it offers", self.file.display()))?;
        let rehearsal = |target| Rehearsal::new(&sandbox, &program, call(target), answers);
        let arguments = self.args.get();
        let Target { tool, prompt, resource } = &self.target;
        let done = if let Some(name) = tool {
            match schemas(&offered, name, arguments).await? {
                Ok(schemas) => {
                    let settle = async |ending| schemas.settle(ending).await;
                    rehearsal(name)?.hold(CallTool { name, arguments }, settle).await
                }
                Err(failure) => Err(failure),
            }
        } else if let Some(name) = prompt {
            match (offered.prompts.iter().any(|offered| offered.name == *name), texts(arguments)) {
                (false, _) => Err(Failure::unknown("prompt", name, offered.prompts.iter().map(|prompt| &prompt.name))),
                (_, Err(failure)) => Err(failure),
                (true, Ok(arguments)) => {
                    rehearsal(name)?.hold(GetPrompt { name, arguments }, async |ending| ending).await
                }
            }
        } else {
            // One of the three is there: clap sees to that.
            let uri = resource.as_deref().unwrap_or_default();
            rehearsal(uri)?.hold(ReadResource { uri }, async |ending| ending).await
        };
        Ok(Report::of(done, answers))
    }
}

/// The schemas of the tool, once the arguments fit them.
async fn schemas(offered: &Description, name: &str, arguments: &str) -> anyhow::Result<Result<Schemas, Failure>> {
    let Some(tool) = offered.tools.iter().find(|tool| tool.name == name) else {
        return Ok(Err(Failure::unknown("tool", name, offered.tools.iter().map(|tool| &tool.name))));
    };
    let schemas = Schemas::of(tool)?;
    Ok(match schemas.check_input(arguments).await {
        Ok(()) => Ok(schemas),
        Err(violations) => {
            Err(Failure::Usage(format!("--args does not fit the inputSchema of \"{name}\":\n{violations}")))
        }
    })
}

fn texts(arguments: &str) -> Result<BTreeMap<String, String>, Failure> {
    serde_json::from_str(arguments)
        .map_err(|error| Failure::Usage(format!("--args: a prompt's arguments are strings: {error}")))
}
