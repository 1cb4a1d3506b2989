//! `dacapo list`, `show`, `remove` and `rollback`: the handlers of a running server.

use super::api::{self, Answer, Api, Handler, Located, Named, short};
use super::output::{Output, Text, clean_line, size};

#[derive(Debug, clap::Args)]
pub(super) struct List {
    #[command(flatten)]
    api: Api,
}

#[derive(Debug, clap::Args)]
pub(super) struct Show {
    /// The handler's name
    name: String,

    #[command(flatten)]
    api: Api,
}

#[derive(Debug, clap::Args)]
pub(super) struct Remove {
    /// The handler's name
    name: String,

    #[command(flatten)]
    api: Api,
}

#[derive(Debug, clap::Args)]
pub(super) struct Rollback {
    /// The handler's name
    name: String,

    /// The revision to go back to, as `dacapo show` lists them [default: the one before]
    #[arg(long, value_name = "REVISION", value_parser = clap::value_parser!(i64).range(1..))]
    to: Option<i64>,

    #[command(flatten)]
    api: Api,
}

impl List {
    pub(super) fn run(self, output: Output) -> anyhow::Result<()> {
        let Answer { json, value } = self.api.list()?;
        output.show(&json, |text| {
            if value.handlers.is_empty() {
                text.line("no handlers; `dacapo push FILE` uploads one");
                return;
            }
            let rows = value.handlers.iter().map(|handler| {
                let offers = [
                    (handler.tools.len(), "tool"),
                    (handler.prompts.len(), "prompt"),
                    (handler.resources.len(), "resource"),
                    (handler.resource_templates.len(), "template"),
                ];
                let offers: Vec<_> = offers
                    .into_iter()
                    .filter(|(count, _)| *count > 0)
                    .map(|(count, what)| format!("{count} {what}{}", if count == 1 { "" } else { "s" }))
                    .collect();
                [
                    handler.name.clone(),
                    handler.revision.to_string(),
                    short(&handler.digest),
                    size(handler.size),
                    handler.uploaded_at.clone(),
                    offers.join(", "),
                ]
            });
            text.table(["NAME", "REVISION", "DIGEST", "SIZE", "UPLOADED", "OFFERS"], rows);
        })
    }
}

impl Show {
    pub(super) fn run(self, output: Output) -> anyhow::Result<()> {
        let Answer { json, value: handler } = self.api.show(&api::name(&self.name)?)?;
        output.show(&json, |text| {
            let name = text.bold(clean_line(&handler.name));
            text.field("handler", name);
            text.field("revision", handler.revision);
            text.field("digest", clean_line(&handler.digest));
            text.field("size", size(handler.size));
            text.field("uploaded", clean_line(&handler.uploaded_at));
            named(text, "TOOL", &handler.tools);
            named(text, "PROMPT", &handler.prompts);
            located(text, "RESOURCE", &handler.resources);
            located(text, "TEMPLATE", &handler.resource_templates);
            if !handler.revisions.is_empty() {
                text.line("");
                let rows = handler.revisions.iter().map(|revision| {
                    [
                        revision.revision.to_string(),
                        revision.state.clone(),
                        short(&revision.digest),
                        size(revision.size),
                        revision.uploaded_at.clone(),
                    ]
                });
                text.table(["REVISION", "STATE", "DIGEST", "SIZE", "UPLOADED"], rows);
            }
        })
    }
}

impl Remove {
    pub(super) fn run(self, output: Output) -> anyhow::Result<()> {
        let name = api::name(&self.name)?;
        self.api.remove(&name)?;
        output.show(&serde_json::json!({ "removed": name }), |text| text.line(format_args!("{name} is removed")))
    }
}

impl Rollback {
    pub(super) fn run(self, output: Output) -> anyhow::Result<()> {
        live(output, &self.api.rollback(&api::name(&self.name)?, self.to)?)
    }
}

/// Says what is served now.
pub(super) fn live(output: Output, uploaded: &Answer<Handler>) -> anyhow::Result<()> {
    let handler = &uploaded.value;
    output.show(&uploaded.json, |text| {
        let offers = handler.tools.iter().chain(&handler.prompts).map(|named| named.name.as_str());
        let offers =
            offers.chain(handler.resources.iter().chain(&handler.resource_templates).map(|it| it.uri.as_str()));
        let name = text.bold(clean_line(&handler.name));
        text.line(format_args!(
            "{name} revision {} is live ({}): {}",
            handler.revision,
            clean_line(&handler.digest),
            clean_line(&offers.collect::<Vec<_>>().join(", "))
        ));
    })
}

fn named(text: &mut Text, heading: &str, items: &[Named]) {
    described(text, heading, items.iter().map(|item| (&item.name, &item.description)));
}

fn located(text: &mut Text, heading: &str, items: &[Located]) {
    described(text, heading, items.iter().map(|item| (&item.uri, &item.description)));
}

fn described<'a>(text: &mut Text, heading: &str, items: impl Iterator<Item = (&'a String, &'a String)>) {
    let rows: Vec<_> = items
        .map(|(name, description)| [name.clone(), description.lines().next().unwrap_or_default().to_owned()])
        .collect();
    if !rows.is_empty() {
        text.line("");
        text.table([heading, "DESCRIPTION"], rows);
    }
}
