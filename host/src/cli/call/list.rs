//! What a server has to offer.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::output::Output;
use super::client::Client;
use super::render::Laid;

/// What can be called.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Tool,
    Prompt,
    Resource,
}

/// One item of a list, as far as it is shown.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Item {
    name: String,
    #[serde(alias = "uriTemplate")]
    uri: Option<String>,
    title: Option<String>,
    description: Option<String>,
    input_schema: Option<Value>,
    #[serde(default)]
    arguments: Vec<Argument>,
}

#[derive(Debug, Deserialize)]
struct Argument {
    name: String,
    #[serde(default)]
    required: bool,
}

impl Kind {
    /// The method that calls one.
    pub(super) fn method(self) -> &'static str {
        match self {
            Self::Tool => "tools/call",
            Self::Prompt => "prompts/get",
            Self::Resource => "resources/read",
        }
    }

    /// The parameter that says which.
    pub(super) fn member(self) -> &'static str {
        match self {
            Self::Tool | Self::Prompt => "name",
            Self::Resource => "uri",
        }
    }
}

/// Shows what there is of one kind.
///
/// # Errors
///
/// When the server can't be asked.
pub(super) fn show(client: &mut Client, kind: Kind, output: Output) -> anyhow::Result<()> {
    let lists: &[(&str, &str)] = match kind {
        Kind::Tool => &[("tools/list", "tools")],
        Kind::Prompt => &[("prompts/list", "prompts")],
        Kind::Resource => &[("resources/list", "resources"), ("resources/templates/list", "resourceTemplates")],
    };
    let mut items: Vec<Box<RawValue>> = Vec::new();
    for (method, member) in lists {
        items.extend(client.list(method, member)?);
    }
    let laid: Vec<Laid<'_>> = items.iter().map(|item| Laid(item)).collect();
    let all = json_object(lists.first().map_or("items", |(_, member)| member), &laid);
    output.show(&all, |page| {
        let items: Vec<Item> = items.iter().map(|item| serde_json::from_str(item.get()).unwrap_or_default()).collect();
        if items.is_empty() {
            page.line(format_args!("{} has none", client.url()));
            return;
        }
        let rows = items.into_iter().map(|item| {
            let arguments = item.arguments();
            let about = item.title.or(item.description).unwrap_or_default();
            [item.uri.unwrap_or(item.name), arguments, about.lines().next().unwrap_or_default().to_owned()]
        });
        page.table(["NAME", "ARGUMENTS", "WHAT IT IS"], rows);
    })
}

fn json_object<'a>(member: &'a str, items: &'a [Laid<'a>]) -> std::collections::BTreeMap<&'a str, &'a [Laid<'a>]> {
    std::collections::BTreeMap::from([(member, items)])
}

/// The input schema of a tool.
///
/// # Errors
///
/// When the server has no such tool; the error names those that it has.
pub(super) fn input_schema(client: &mut Client, tool: &str) -> anyhow::Result<Value> {
    let mut names = Vec::new();
    for item in client.list("tools/list", "tools")? {
        let item: Item = serde_json::from_str(item.get()).unwrap_or_default();
        if item.name == tool {
            return Ok(item.input_schema.unwrap_or_else(|| json!({"type": "object"})));
        }
        names.push(item.name);
    }
    let there = if names.is_empty() { "it has none".to_owned() } else { format!("there are: {}", names.join(", ")) };
    anyhow::bail!("{} has no tool \"{tool}\"; {there}", client.url())
}

impl Item {
    /// The names of the arguments, those in brackets that may be left out.
    fn arguments(&self) -> String {
        let shown = |name: &str, required: bool| if required { name.to_owned() } else { format!("[{name}]") };
        let of_schema = self.input_schema.iter().flat_map(|schema| {
            let required: Vec<&str> = schema
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
            properties.map(|(name, _)| shown(name, required.contains(&name.as_str()))).collect::<Vec<_>>()
        });
        let of_prompt = self.arguments.iter().map(|argument| shown(&argument.name, argument.required));
        of_schema.chain(of_prompt).collect::<Vec<_>>().join(" ")
    }
}
