//! `dacapo call`: an MCP client with a face, for any server of this revision.
//!
//! # Layout
//!
//! - [`client`]: the wire
//! - [`arguments`]: arguments, as they were typed
//! - [`question`]: questions, as they come from a server
//! - [`form`]: questions on a terminal
//! - [`render`]: results and progress
//! - [`list`]: what a server has to offer

mod arguments;
mod client;
mod form;
mod list;
mod question;
mod render;

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, stderr, stdin};
use std::time::Duration;

use anyhow::{Context as _, bail};
use dacapo_replay::Question;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::answers::Answers;
use super::output::{Output, Shown, Usage, clean, clean_line};
use client::Client;
use list::Kind;
use question::Ordered;
use render::{Bar, Laid};

/// How many rounds of questions a call may have.
const ROUNDS: u32 = 100;

/// How long to wait at most before a call that a server has put off is tried again.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug, clap::Args)]
pub(super) struct Call {
    /// The tool to call
    #[arg(required_unless_present = "list")]
    target: Option<String>,

    /// Arguments, each read as the tool's schema wants it
    #[arg(value_name = "NAME=VALUE")]
    pairs: Vec<String>,

    /// The arguments as a JSON object, or @FILE that holds one
    #[arg(long, value_name = "JSON")]
    args: Option<String>,

    /// Get the prompt of that name instead
    #[arg(long, conflicts_with = "resource")]
    prompt: bool,

    /// Read the resource at that URI instead
    #[arg(long, conflicts_with_all = ["args", "pairs"])]
    resource: bool,

    /// List the server's tools (or prompts, or resources) instead
    #[arg(long, conflicts_with_all = ["target", "args"])]
    list: bool,

    /// Answer the server's questions with those in this file: a JSON object, such as
    /// {"elicit-1": {"action": "accept", "content": {"name": "Ada"}}}
    #[arg(long, value_name = "FILE")]
    answers: Option<Answers>,

    /// The server's MCP endpoint; without a path, its /mcp
    #[arg(long, env = "DACAPO_SERVER", value_name = "URL", default_value = "http://127.0.0.1:8460/mcp")]
    server: String,

    /// The bearer token that the server wants to be shown
    #[arg(long, env = "DACAPO_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    token: Option<String>,
}

/// A result, as far as the client must read it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Round {
    result_type: Option<String>,
    #[serde(default)]
    is_error: bool,
    input_requests: Option<Ordered<Box<RawValue>>>,
    request_state: Option<String>,
}

/// What is called, and with what.
struct Request {
    kind: Kind,
    target: String,
    params: Map<String, Value>,
    headers: Vec<(String, String)>,
}

impl Call {
    pub(super) fn run(self, output: Output) -> anyhow::Result<()> {
        let kind = match (self.prompt, self.resource) {
            (true, _) => Kind::Prompt,
            (_, true) => Kind::Resource,
            _ => Kind::Tool,
        };
        let mut client = Client::new(&self.server, self.token.clone())?;
        if self.list {
            return list::show(&mut client, kind, output);
        }
        let request = self.request(&mut client, kind)?;
        let (json, is_error) = self.converse(&mut client, &request)?;
        output.show(&Laid(&json), |page| render::result(page, &json))?;
        if is_error { Err(Shown.into()) } else { Ok(()) }
    }

    fn request(&self, client: &mut Client, kind: Kind) -> anyhow::Result<Request> {
        let target = self.target.clone().unwrap_or_default();
        let mut params = Map::from_iter([(kind.member().to_owned(), Value::from(target.as_str()))]);
        let mut headers = Vec::new();
        match kind {
            Kind::Tool => {
                let schema = list::input_schema(client, &target)?;
                let arguments = arguments::read(self.args.as_deref(), &self.pairs, &schema)?;
                let wanted = crate::registry::schemas::header_params(&schema).map_err(|flaw| {
                    anyhow::anyhow!(
                        "tool \"{target}\" can't be called: its inputSchema is no good at \"{}\": {}",
                        flaw.pointer,
                        flaw.what
                    )
                })?;
                headers = arguments::headers(&wanted, &arguments);
                params.insert("arguments".to_owned(), arguments.into());
            }
            Kind::Prompt => {
                let arguments = arguments::read_texts(self.args.as_deref(), &self.pairs)?;
                params.insert("arguments".to_owned(), arguments.into());
            }
            Kind::Resource => {}
        }
        Ok(Request { kind, target, params, headers })
    }

    /// Calls, and answers what is asked, until there is a result; with it comes whether it is an error.
    fn converse(&self, client: &mut Client, request: &Request) -> anyhow::Result<(Box<RawValue>, bool)> {
        let Request { kind, target, params, headers } = request;
        let mut retry = Map::new();
        let mut wait = Duration::from_millis(100);
        for _ in 0..ROUNDS {
            let mut params = params.clone();
            params.append(&mut retry);
            let mut bar = Bar::default();
            let called =
                client.call(kind.method(), Some(target), params, headers, &mut |progress| bar.report(&progress));
            bar.clear();
            let json = called?;
            let round: Round = serde_json::from_str(json.get())
                .with_context(|| format!("{} answered with a result that can't be read", client.url()))?;
            match round.result_type.as_deref() {
                None | Some("complete") => return Ok((json, round.is_error)),
                Some("input_required") => {}
                Some(other) => bail!(
                    "{} answered with a result of type \"{}\", which this client does not know",
                    client.url(),
                    clean_line(other)
                ),
            }
            if let Some(state) = round.request_state {
                retry.insert("requestState".to_owned(), state.into());
            }
            if let Some(Ordered(requests)) = round.input_requests {
                retry.insert("inputResponses".to_owned(), self.answer(client.url(), &requests)?.into());
            } else {
                // The server wants to be asked again, later.
                std::thread::sleep(wait);
                wait = PATIENCE.min(wait * 2);
            }
        }
        bail!("the server went on asking for {ROUNDS} rounds; the call is given up")
    }

    /// Answers one round of questions: from the file, or else by asking the user.
    fn answer(&self, server: &str, requests: &[(String, Box<RawValue>)]) -> anyhow::Result<Map<String, Value>> {
        let given = |key: &str| self.answers.as_ref().and_then(|answers| answers.get(key));
        let mut answers = Map::new();
        let mut open = Vec::new();
        for (key, request) in requests {
            if let Some(answer) = given(key) {
                answers.insert(key.clone(), serde_json::from_str(answer)?);
                continue;
            }
            let question = question::read(request)
                .map_err(|what| anyhow::anyhow!("the server asks what can't be answered (\"{key}\"): {what}"))?;
            open.push((key, question));
        }
        let somebody_is_there = stdin().is_terminal() && stderr().is_terminal();
        if !open.is_empty() && !somebody_is_there {
            return Err(unanswered(&open));
        }
        for (index, (key, question)) in open.iter().enumerate() {
            let place = if open.len() > 1 { format!(" {} of {}", index + 1, open.len()) } else { String::new() };
            eprintln!("\n-- question{place} from {} ({})", clean_line(server), clean_line(key));
            answers.insert((*key).clone(), serde_json::to_value(form::ask(question)?)?);
        }
        Ok(answers)
    }
}

/// What to say where there is nobody to ask.
#[expect(clippy::format_push_string, reason = "it is said once, at the end")]
fn unanswered(open: &[(&String, Question)]) -> anyhow::Error {
    let mut text = String::from("the server asks, and there is no terminal and no --answers FILE with an answer to:\n");
    let mut example = BTreeMap::new();
    for (key, question) in open {
        let (Question::Form { message, .. } | Question::Url { message, .. }) = question;
        text += &format!("\n  {}: {}\n", clean_line(key), clean(message).replace('\n', "\n    "));
        match question {
            Question::Url { url, .. } => text += &format!("    a page to visit: {}\n", clean_line(url)),
            Question::Form { fields, .. } => {
                for field in fields {
                    let optional = if field.required { "" } else { ", optional" };
                    let wanted = question::wanted(field);
                    text += &format!("    {}: {}{optional}\n", clean_line(&field.name), clean_line(&wanted));
                }
            }
        }
        example.insert(*key, question::example(question));
    }
    let example = serde_json::to_string(&example).unwrap_or_default();
    text += &format!("\nFor --answers, a file such as:\n  {example}");
    Usage(text).into()
}
