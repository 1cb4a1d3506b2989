//! A conversation once more, on an engine that keeps track of where the handler stands.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use anyhow::Context as _;
use dacapo_replay::ending::Pending;
use dacapo_replay::{Ending, Stop, Walk};
use serde::Serialize;
use serde_json::Value;
use tracing_subscriber::fmt::format::debug_fn;

use super::super::answers::Answers;
use super::super::file;
use super::super::output::{Text, Usage, clean, clean_line};
use crate::carrier::Conversation;
use crate::carrier::wire::nanos;
use crate::config::Settings;
use crate::protocol::error::RpcError;
use crate::protocol::method::Method;
use crate::registry::handler::Digest;
use crate::registry::store;
use crate::sandbox::capacity::Capacity;
use crate::sandbox::entry::Entry;
use crate::sandbox::entry::prompt::GetPrompt;
use crate::sandbox::entry::resource::ReadResource;
use crate::sandbox::entry::tool::CallTool;
use crate::sandbox::examine::Terms;
use crate::sandbox::{Attempt, Call, Program, Sandbox};

/// How a replay went.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replay {
    /// The digest of what was run, where it is not what the token names.
    #[serde(skip_serializing_if = "Option::is_none")]
    other_component: Option<String>,
    /// `completed`, `stopped` or `failed`.
    ended: &'static str,
    /// What it came to, in words.
    how: String,
    /// The questions that wait for an answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    questions: Vec<Asked>,
    /// The result.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
    /// Where the handler stood.
    #[serde(skip_serializing_if = "Option::is_none")]
    backtrace: Option<String>,
    /// What the handler wrote to its standard output and standard error.
    output: String,
}

#[derive(Debug, Serialize)]
struct Asked {
    key: String,
    request: Value,
}

/// Replays a conversation with the component of `handler`, or with the one that it names; `answers` go on from where it stands.
///
/// # Errors
///
/// When the component is not there, or is no handler.
pub(super) fn run(
    settings: &Settings,
    conversation: &Conversation<'_>,
    handler: Option<&Path>,
    answers: &Answers,
) -> anyhow::Result<Replay> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let wasm = match handler {
        Some(path) => file::read(path)?,
        None => runtime.block_on(stored(&settings.data_dir, &conversation.component))?,
    };
    let sandbox =
        Sandbox::diagnostic(settings.allotment.clone()).map_err(|error| anyhow::anyhow!("wasmtime: {error:#}"))?;
    let tenant = sandbox.tenant(&conversation.handler);
    let terms = Terms { max_functions: settings.max_functions, capacity: Capacity::of(&tenant.limits) };
    let program = sandbox.compile(&wasm, &terms).context("the component can't be replayed")?;
    let written = listen();
    let stage = Stage { sandbox: &sandbox, program: &program, conversation, answers };
    let mut replay = runtime.block_on(stage.play())?;
    let written = written.lock().unwrap_or_else(PoisonError::into_inner);
    replay.output = String::from_utf8_lossy(&written).into_owned();
    replay.other_component = Some(Digest::of(&wasm).to_string()).filter(|digest| *digest != *conversation.component);
    Ok(replay)
}

/// The component of this digest in a data directory.
async fn stored(data: &Path, digest: &str) -> anyhow::Result<Vec<u8>> {
    let found = store::component(data, digest).await;
    let found =
        found.map_err(|error| anyhow::anyhow!("can't look into the data directory {}: {error}", data.display()))?;
    Ok(found.ok_or_else(|| {
        let data = data.display();
        Usage(format!(
            "component {digest} is not in {data} (any more); name another --data-dir, or its file with --handler"
        ))
    })?)
}

/// Keeps what handlers write from now on.
fn listen() -> Arc<Mutex<Vec<u8>>> {
    let written = Arc::new(Mutex::new(Vec::new()));
    let sink = Sink(Arc::clone(&written));
    let only_message =
        debug_fn(|writer, field, value| if field.name() == "message" { write!(writer, "{value:?}") } else { Ok(()) });
    tracing_subscriber::fmt()
        .with_env_filter("dacapo::guest=info")
        .without_time()
        .with_level(false)
        .with_target(false)
        .with_ansi(false)
        .fmt_fields(only_message)
        .with_writer(move || sink.clone())
        .init();
    written
}

#[derive(Clone)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Stage<'a> {
    sandbox: &'a Sandbox,
    program: &'a Program,
    conversation: &'a Conversation<'a>,
    answers: &'a Answers,
}

impl Stage<'_> {
    async fn play(&self) -> anyhow::Result<Replay> {
        let params = &*self.conversation.original_params;
        let text = |name: &str| params.text(name).map_err(|error| anyhow::anyhow!("the token's {}", error.message));
        let method = &*self.conversation.method;
        if method == Method::ToolsCall.name() {
            let name = text("name")?;
            let arguments = params.object("arguments").ok().flatten().unwrap_or("{}");
            self.attempt(&name, CallTool { name: &name, arguments }).await
        } else if method == Method::PromptsGet.name() {
            let name = text("name")?;
            let arguments = params.member("arguments").ok().flatten().unwrap_or_default();
            self.attempt(&name, GetPrompt { name: &name, arguments }).await
        } else if method == Method::ResourcesRead.name() {
            let uri = text("uri")?;
            self.attempt(&uri, ReadResource { uri: &uri }).await
        } else {
            anyhow::bail!("the token is of a {method}, which has no conversation")
        }
    }

    async fn attempt<E: Entry<Output: Serialize>>(&self, target: &str, entry: E) -> anyhow::Result<Replay> {
        let ledger = self.conversation.ledger.clone().into_owned();
        let tenant = self.sandbox.tenant(&self.conversation.handler);
        let call = Call {
            tenant: Arc::clone(&tenant),
            target: target.to_owned(),
            principal: self.conversation.principal.as_deref().map(Into::into),
            progress: None,
            announcements: None,
        };
        let askable = ledger.opening.askable;
        let answers = self.answers.iter().map(|(key, answer)| (key.to_owned(), answer.to_owned())).collect();
        let walk = Walk::start(ledger, askable, tenant.limits.conversation())
            .with_responses(answers, nanos(SystemTime::now()));
        let Attempt { ending, backtrace, .. } = self.sandbox.attempt(self.program, call, entry, walk).await?;
        Ok(Replay::of(ending, backtrace))
    }
}

impl Replay {
    fn of<T: Serialize>(ending: Ending<Result<T, RpcError>>, backtrace: Option<String>) -> Self {
        let plain = |ended, how: String| Self {
            other_component: None,
            ended,
            how,
            questions: Vec::new(),
            result: None,
            backtrace,
            output: String::new(),
        };
        match ending {
            Ending::Completed(Ok(result)) => Self {
                result: serde_json::to_value(result).ok(),
                ..plain("completed", "the handler returned a result".to_owned())
            },
            Ending::Completed(Err(error)) => {
                plain("completed", format!("the handler returned error {}: {}", error.code, error.message))
            }
            Ending::Stopped(Stop::InputRequired(pending)) => Self {
                questions: pending
                    .into_iter()
                    .map(|Pending { key, json, .. }| Asked {
                        key,
                        request: serde_json::to_value(json).unwrap_or_default(),
                    })
                    .collect(),
                ..plain("stopped", "the handler waits for an answer".to_owned())
            },
            Ending::Stopped(stop) => plain("stopped", stop.to_string()),
            Ending::Failed(fault) => plain("failed", format!("the handler failed: {fault}")),
        }
    }

    /// Writes it for people.
    pub(super) fn write(&self, page: &mut Text) {
        if let Some(digest) = &self.other_component {
            page.field("replayed", format_args!("another component than the token's: {digest}"));
        }
        let how = clean_line(&self.how);
        let how = if self.ended == "failed" { page.bad(how) } else { page.good(how) };
        page.field("replay", how);
        for Asked { key, request } in &self.questions {
            let key = page.bold(clean_line(key));
            page.field("asks", key);
            page.indented(&clean(&serde_json::to_string_pretty(request).unwrap_or_default()));
        }
        if let Some(result) = &self.result {
            page.field("result", "");
            page.indented(&clean(&serde_json::to_string_pretty(result).unwrap_or_default()));
        }
        if let Some(backtrace) = &self.backtrace {
            page.field("stands at", "");
            page.indented(&clean(backtrace));
        }
        if !self.output.is_empty() {
            page.field("wrote", "");
            page.indented(&clean(&self.output));
        }
    }
}
