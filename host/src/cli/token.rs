//! `dacapo token`: what the state of a conversation holds, for the operator who has its key.
//!
//! # Layout
//!
//! - [`replay`]: the conversation once more, on an engine that keeps track

mod replay;

use std::io::Read as _;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use serde::Serialize;
use serde_json::Value;

use super::answers::Answers;
use super::output::{Output, Text, Usage, clean_line};
use super::setup::Setup;
use crate::carrier::{Conversation, Keyring, Wire};
use crate::config::Settings;
use crate::protocol::params::Params;
use replay::Replay;

/// The options that mean something here. The others are taken, for the configuration file and the environment may be those of
/// `dacapo serve`.
const SHOWN: [&str; 10] =
    ["token", "replay", "handler", "answers", "config", "data_dir", "secret", "previous_secrets", "ttl", "json"];

#[derive(Debug, clap::Args)]
#[command(mut_args(|arg| { let shown = SHOWN.contains(&arg.get_id().as_str()); arg.hide(!shown) }))]
pub(super) struct Token {
    /// The token: a result's requestState. "-" reads it from standard input, and out of the shell's history
    token: String,

    /// Run the conversation once more, up to where it stops, and show how that went
    #[arg(long)]
    replay: bool,

    /// The component to replay; without it, the one of the data directory that the token names
    #[arg(long, value_name = "FILE", requires = "replay")]
    handler: Option<PathBuf>,

    /// Answers to what the conversation waits for, by the question's key: the replay goes on with them
    #[arg(long, value_name = "FILE", requires = "replay")]
    answers: Option<Answers>,

    #[command(flatten)]
    setup: Setup,
}

/// What a token holds. The seed of the conversation's randomness is not shown: it is a secret between host and handler.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'a> {
    handler: &'a str,
    component: &'a str,
    method: &'a str,
    params: &'a Params,
    principal: Option<&'a str>,
    started_at: String,
    issued_at: String,
    age_ms: u64,
    expired: bool,
    protocol_version: &'a str,
    questions: Vec<Question<'a>>,
    once: Vec<Once<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay: Option<Replay>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Question<'a> {
    key: &'a str,
    method: &'static str,
    fingerprint: String,
    /// What was asked, unless it was too long to be kept.
    asked: Option<Value>,
    answer: Option<Value>,
    answered_at: Option<String>,
}

impl Question<'_> {
    /// What the user read, where it was kept.
    fn message(&self) -> Option<&str> {
        self.asked.as_ref()?.pointer("/params/message")?.as_str()
    }
}

#[derive(Debug, Serialize)]
struct Once<'a> {
    name: &'a str,
    value: Value,
}

impl Token {
    pub(super) fn run(self, output: Output) -> anyhow::Result<()> {
        let settings = self.setup.read()?;
        let token = if self.token == "-" {
            let mut typed = String::new();
            std::io::stdin().read_to_string(&mut typed).context("can't read the token from standard input")?;
            typed
        } else {
            self.token
        };
        let conversation = open(&settings, token.trim())?;
        let replay = if self.replay {
            Some(replay::run(&settings, &conversation, self.handler.as_deref(), &self.answers.unwrap_or_default())?)
        } else {
            None
        };
        let shown = Shown::new(&conversation, settings.ttl, SystemTime::now(), replay);
        output.show(&shown, |page| shown.write(page))
    }
}

fn open(settings: &Settings, token: &str) -> anyhow::Result<Conversation<'static>> {
    let secret = settings.secret.as_ref().ok_or_else(|| {
        Usage(
            "no key: set the one that sealed the token with --secret, DACAPO_SECRET, or \"secret\" in a file (--config)"
                .to_owned(),
        )
    })?;
    // Whatever its length, it was short enough once.
    let wire = Wire::new(Keyring::new(secret, &settings.previous_secrets), settings.ttl, usize::MAX);
    wire.read(token).context("the token does not open with this key (--secret, --previous-secrets)")
}

impl<'a> Shown<'a> {
    fn new(conversation: &'a Conversation<'_>, ttl: Duration, now: SystemTime, replay: Option<Replay>) -> Self {
        let issued = UNIX_EPOCH + Duration::from_millis(conversation.issued_at);
        let age = now.duration_since(issued).unwrap_or_default();
        let ledger = &*conversation.ledger;
        let questions = ledger.slots.iter().map(|slot| Question {
            key: &slot.key,
            method: slot.kind.method(),
            fingerprint: slot.asked.fingerprint().to_string(),
            asked: slot.asked.json().and_then(|json| serde_json::from_str(json).ok()),
            answer: slot.answer.as_ref().and_then(|answer| serde_json::from_str(&answer.response).ok()),
            answered_at: slot.answer.as_ref().map(|answer| reading(answer.at)),
        });
        let once = ledger.once.iter().map(|kept| Once {
            name: &kept.name,
            value: serde_json::from_str(&kept.value).unwrap_or_else(|_| kept.value.clone().into()),
        });
        Self {
            handler: &conversation.handler,
            component: &conversation.component,
            method: &conversation.method,
            params: &conversation.original_params,
            principal: conversation.principal.as_deref(),
            started_at: reading(ledger.opening.started),
            issued_at: humantime::format_rfc3339_millis(issued).to_string(),
            age_ms: u64::try_from(age.as_millis()).unwrap_or(u64::MAX),
            expired: age > ttl,
            protocol_version: &ledger.opening.protocol_version,
            questions: questions.collect(),
            once: once.collect(),
            replay,
        }
    }

    fn write(&self, page: &mut Text) {
        page.field("handler", clean_line(self.handler));
        page.field("component", clean_line(self.component));
        page.field("method", clean_line(self.method));
        page.field("params", clean_line(&serde_json::to_string(self.params).unwrap_or_default()));
        page.field("caller", self.principal.map_or("not told apart".to_owned(), clean_line));
        page.field("protocol", clean_line(self.protocol_version));
        page.field("started", &self.started_at);
        let age = humantime::format_duration(Duration::from_secs(self.age_ms / 1_000));
        let expired = if self.expired { page.bad(", expired") } else { String::new() };
        page.field("issued", format_args!("{}, {age} ago{expired}", self.issued_at));
        if !self.questions.is_empty() {
            page.line("");
            let rows = self.questions.iter().map(|question| {
                [
                    question.key.to_owned(),
                    question.message().map_or_else(|| question.method.to_owned(), clean_line),
                    question.answer.as_ref().map_or("(open)".to_owned(), ToString::to_string),
                    question.answered_at.clone().unwrap_or_default(),
                ]
            });
            page.table(["QUESTION", "ASKED", "ANSWER", "AT"], rows);
        }
        if !self.once.is_empty() {
            page.line("");
            page.table(["ONCE", "VALUE"], self.once.iter().map(|once| [once.name.to_owned(), once.value.to_string()]));
        }
        if let Some(replay) = &self.replay {
            page.line("");
            replay.write(page);
        }
    }
}

/// A reading of the conversation's clock.
fn reading(nanos: u64) -> String {
    humantime::format_rfc3339_micros(UNIX_EPOCH + Duration::from_nanos(nanos)).to_string()
}
