//! `dacapo inspect`: what a file offers and needs, and whether a server would take it.

use std::path::PathBuf;

use serde::Serialize;

use super::file;
use super::output::{Output, Shown, Text, clean_line, size};
use super::setup::{self, Setup};
use crate::config::Settings;
use crate::protocol::prompt::Prompt;
use crate::protocol::resource::{Resource, ResourceTemplate};
use crate::protocol::tool::Tool;
use crate::registry::handler::Digest;
use crate::registry::schemas::Schemas;
use crate::sandbox::Call;
use crate::sandbox::capacity::Capacity;
use crate::sandbox::census::{Kind, Producer};
use crate::sandbox::describe::Description;
use crate::sandbox::examine::Terms;
use crate::sandbox::inspect::Inspection;

/// The options of a server that bear on what it takes; the others may be in its configuration file, and mean nothing here.
const OF_UPLOADS: [&str; 7] = ["file", "config", "log", "memory", "deadline", "max_upload", "max_functions"];

/// The contract's interfaces that ask the user.
const ASKING: [&str; 2] = ["dacapo:handler/elicitation@", "dacapo:handler/inputs@"];

#[derive(Debug, clap::Args)]
#[command(mut_args(|arg| { let hidden = !OF_UPLOADS.contains(&arg.get_id().as_str()); arg.hide(hidden) }))]
pub(super) struct Inspect {
    /// The component, or the core module that embeds the contract
    file: PathBuf,

    #[command(flatten)]
    setup: Setup,
}

/// What is shown.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    file: PathBuf,
    accepted: bool,
    refusals: Vec<Refusal>,
    digest: Digest,
    size: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    component: Option<Component>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offers: Option<Offers>,
}

/// A reason not to take it.
#[derive(Serialize)]
struct Refusal {
    code: &'static str,
    message: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Component {
    kind: Kind,
    size: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    compiled_size: Option<usize>,
    exports: Vec<String>,
    imports: Vec<Import>,
    asks: bool,
    functions: Of,
    memory: Of,
    /// The most that a memory may grow to by its own word, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_maximum: Option<u64>,
    memories: Of,
    tables: Of,
    table_elements: Of,
    core_instances: Of,
    toolchain: Vec<Producer>,
}

/// How much there is of something, and how much there may be.
#[derive(Serialize)]
struct Of {
    needs: u64,
    limit: u64,
}

#[derive(Serialize)]
struct Import {
    name: String,
    /// Whether handlers get it.
    given: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Offers {
    tools: Vec<Tool>,
    prompts: Vec<Prompt>,
    resources: Vec<Resource>,
    resource_templates: Vec<ResourceTemplate>,
}

impl Inspect {
    pub(super) fn run(self, output: Output) -> anyhow::Result<()> {
        let settings = self.setup.settle()?;
        let wasm = file::read(&self.file)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let report = runtime.block_on(report(self.file, &wasm, &settings))?;
        output.show(&report, |text| write(text, &report))?;
        if report.accepted { Ok(()) } else { Err(Shown.into()) }
    }
}

async fn report(file: PathBuf, wasm: &[u8], settings: &Settings) -> anyhow::Result<Report> {
    let sandbox = setup::sandbox(settings)?;
    let tenant = sandbox.tenant(file::handler_name(&file).unwrap_or_default());
    let terms = Terms { max_functions: settings.max_functions, capacity: Capacity::of(&tenant.limits) };
    let digest = Digest::of(wasm);
    let mut report =
        Report { file, accepted: false, refusals: Vec::new(), digest, size: wasm.len(), component: None, offers: None };
    if wasm.len() > settings.max_upload {
        let message = format!(
            "this file has {} bytes; a server takes at most {} (--max-upload)",
            wasm.len(),
            settings.max_upload
        );
        report.refusals.push(Refusal { code: "too-large", message });
    }
    let call = Call { tenant, target: String::new(), principal: None, progress: None, announcements: None };
    match sandbox.inspect(wasm, &terms, call).await {
        Err(error) => report.refusals.push(Refusal { code: error.code(), message: error.to_string() }),
        Ok(mut inspection) => {
            let refusals = std::mem::take(&mut inspection.refusals).into_iter();
            report.refusals.extend(refusals.map(|error| Refusal { code: error.code(), message: error.to_string() }));
            match inspection.description.take() {
                Some(Ok(description)) => report.offers = Some(offers(description, &mut report.refusals)),
                Some(Err(error)) => report.refusals.push(Refusal { code: error.code(), message: error.to_string() }),
                None => {}
            }
            report.component = Some(component(inspection, &terms));
        }
    }
    report.accepted = report.refusals.is_empty();
    Ok(report)
}

fn offers(description: Description, refusals: &mut Vec<Refusal>) -> Offers {
    let flawed = description.tools.iter().filter_map(|tool| Schemas::of(tool).err());
    refusals.extend(flawed.map(|error| Refusal { code: "bad-schema", message: error.to_string() }));
    let Description { tools, prompts, resources, templates } = description;
    Offers { tools, prompts, resources, resource_templates: templates }
}

fn component(inspection: Inspection, terms: &Terms) -> Component {
    let Inspection { kind, census, component_size, compiled_size, missing, .. } = inspection;
    let (needs, capacity) = (census.needs, terms.capacity);
    let asks = |name: &str| ASKING.iter().any(|asking| name.starts_with(asking));
    Component {
        kind,
        size: component_size,
        compiled_size,
        asks: census.imports.iter().any(|import| asks(&import.name)),
        functions: Of { needs: census.functions, limit: terms.max_functions },
        memory: Of { needs: needs.memory, limit: capacity.memory },
        memory_maximum: census.memory_maximum,
        memories: Of { needs: needs.memories, limit: capacity.memories },
        tables: Of { needs: needs.tables, limit: capacity.tables },
        table_elements: Of { needs: needs.table_elements, limit: capacity.table_elements },
        core_instances: Of { needs: needs.core_instances, limit: capacity.core_instances },
        exports: census.exports,
        imports: census
            .imports
            .into_iter()
            .map(|import| Import { given: !missing.contains(&import.name), name: import.name })
            .collect(),
        toolchain: census.producers,
    }
}

fn write(text: &mut Text, report: &Report) {
    let name = clean_line(&report.file.to_string_lossy());
    let verdict = if report.accepted { text.good("accepted") } else { text.bad("refused") };
    let name = text.bold(name);
    text.line(format_args!("{name}: {verdict}"));
    for Refusal { code, message } in &report.refusals {
        let code = text.bad(code);
        text.line(format_args!("  {code}: {}", clean_line(message)));
    }
    text.line("");
    text.field("digest", &report.digest);
    text.field("size", size(wide(report.size)));
    if let Some(component) = &report.component {
        facts(text, component);
    }
    if let Some(offers) = &report.offers {
        offered(text, offers);
    }
}

fn facts(text: &mut Text, component: &Component) {
    let kind = match component.kind {
        Kind::Component => "component".to_owned(),
        Kind::EmbeddingModule | Kind::Module => {
            format!("core module, made a component of {}", size(wide(component.size)))
        }
    };
    text.field("kind", kind);
    if let Some(compiled) = component.compiled_size {
        text.field("compiled", size(wide(compiled)));
    }
    let toolchain = component.toolchain.iter().map(|Producer { name, version }| format!("{name} {version}"));
    let toolchain: Vec<_> = toolchain.map(|tool| clean_line(&tool)).collect();
    if !toolchain.is_empty() {
        text.field("made with", toolchain.join(", "));
    }
    text.field("functions", component.functions.of());
    let grows = component.memory_maximum.map_or("to what a run gets".to_owned(), |most| format!("to {}", size(most)));
    let Of { needs, limit } = component.memory;
    let memories = component.memories.needs;
    text.field(
        "memory",
        format_args!("{} at its start of {} ({memories} in all), growing {grows}", size(needs), size(limit)),
    );
    let elements = component.table_elements.of();
    text.field("tables", format_args!("{}, with {elements} elements at its start", component.tables.of()));
    text.field("instances", component.core_instances.of());
    text.field("asks", if component.asks { "it may ask its user" } else { "it asks nothing" });
    each(text, "exports", component.exports.iter().map(|name| clean_line(name)));
    let imports = component.imports.iter().map(|import| {
        let name = clean_line(&import.name);
        if import.given { name } else { format!("{name} (handlers do not get it)") }
    });
    each(text, "imports", imports);
}

impl Of {
    fn of(&self) -> String {
        format!("{} of {}", self.needs, self.limit)
    }
}

fn each(text: &mut Text, name: &str, values: impl Iterator<Item = String>) {
    let mut name = name;
    for value in values {
        text.field(name, value);
        name = "";
    }
}

fn offered(text: &mut Text, offers: &Offers) {
    for tool in &offers.tools {
        item(text, "tool", &tool.name, tool.description.as_deref());
        text.field("  input", clean_line(tool.input_schema.get()));
        if let Some(schema) = &tool.output_schema {
            text.field("  output", clean_line(schema.get()));
        }
    }
    for prompt in &offers.prompts {
        item(text, "prompt", &prompt.name, prompt.description.as_deref());
    }
    for resource in &offers.resources {
        item(text, "resource", &resource.uri, resource.about.description.as_deref());
    }
    for template in &offers.resource_templates {
        item(text, "template", &template.uri_template, template.about.description.as_deref());
    }
}

fn item(text: &mut Text, kind: &str, name: &str, description: Option<&str>) {
    text.line("");
    let name = text.bold(clean_line(name));
    text.field(kind, name);
    if let Some(description) = description {
        text.field("", clean_line(description));
    }
}

fn wide(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}
