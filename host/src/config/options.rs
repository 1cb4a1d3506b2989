//! What was typed: the options of the command line, the environment, and the keys of the configuration file.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::num::{NonZeroU16, NonZeroU32};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use bytesize::ByteSize;
use serde::{Deserialize, Deserializer};

use super::error::ConfigError;
use super::limits::LimitOptions;
use crate::carrier::Secret;
use crate::transport::principal::Credential;

/// The options of `dacapo serve` and `dacapo stdio`, as typed. Each is a key of the configuration file (TOML) too.
#[derive(Clone, Debug, Default, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Options {
    /// Where to listen [default: 127.0.0.1:8460]
    #[arg(long, env = "DACAPO_LISTEN", value_name = "ADDRESS")]
    pub(super) listen: Option<SocketAddr>,

    /// Where uploaded handlers are kept [default: dacapo-data]
    #[arg(long, env = "DACAPO_DATA_DIR", value_name = "DIR")]
    pub(super) data_dir: Option<PathBuf>,

    /// The key that seals conversations: 32 bytes in Base64. Every host behind one address needs the same
    #[arg(long, env = "DACAPO_SECRET", hide_env_values = true, value_name = "BASE64")]
    pub(super) secret: Option<Secret>,

    /// Keys that sealed conversations before, and still open them
    #[arg(long, env = "DACAPO_PREVIOUS_SECRETS", hide_env_values = true, value_name = "BASE64", value_delimiter = ',')]
    pub(super) previous_secrets: Option<Vec<Secret>>,

    /// How long an answer may take, such as 90s, 5m, 2h [default: 5m]
    #[arg(long, env = "DACAPO_TTL", value_name = "DURATION", value_parser = humantime::parse_duration)]
    #[serde(deserialize_with = "duration")]
    pub(super) ttl: Option<Duration>,

    /// What a retry may carry besides the answers to what was asked [default: strict]
    #[arg(long, env = "DACAPO_RETRY_POLICY", value_name = "POLICY")]
    pub(super) retry_policy: Option<Policy>,

    /// How many items one page of a list has at most [default: 50]
    #[arg(long, env = "DACAPO_PAGE_SIZE", value_name = "NUMBER")]
    pub(super) page_size: Option<NonZeroU16>,

    /// How long clients may keep a list [default: 0s]
    #[arg(long, env = "DACAPO_LIST_TTL", value_name = "DURATION", value_parser = humantime::parse_duration)]
    #[serde(deserialize_with = "duration")]
    pub(super) list_ttl: Option<Duration>,

    /// How long clients may keep a resource [default: 0s]
    #[arg(long, env = "DACAPO_READ_TTL", value_name = "DURATION", value_parser = humantime::parse_duration)]
    #[serde(deserialize_with = "duration")]
    pub(super) read_ttl: Option<Duration>,

    /// For whom clients may keep lists and resources [default: private]
    #[arg(long, env = "DACAPO_CACHE_SCOPE", value_name = "SCOPE")]
    pub(super) cache_scope: Option<Scope>,

    /// What the upload API wants to be shown; without one it serves this machine only
    #[arg(long, env = "DACAPO_ADMIN_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    pub(super) admin_token: Option<String>,

    /// Names of this server besides the loopback ones, as clients write them in Host
    #[arg(long, env = "DACAPO_ALLOWED_HOSTS", value_name = "HOST", value_delimiter = ',')]
    pub(super) allowed_hosts: Option<Vec<String>>,

    /// Origins of pages that may call this server, such as <https://app.example.org>
    #[arg(long, env = "DACAPO_ALLOWED_ORIGINS", value_name = "ORIGIN", value_delimiter = ',')]
    pub(super) allowed_origins: Option<Vec<String>>,

    /// How many earlier revisions of each handler are kept to go back to [default: 5]
    #[arg(long, env = "DACAPO_KEEP_REVISIONS", value_name = "NUMBER")]
    pub(super) keep_revisions: Option<usize>,

    /// The greatest component to upload [default: 64 MiB]
    #[arg(long, env = "DACAPO_MAX_UPLOAD", value_name = "SIZE")]
    pub(super) max_upload: Option<ByteSize>,

    /// The most functions of a component to upload [default: 100000]
    #[arg(long, env = "DACAPO_MAX_FUNCTIONS", value_name = "NUMBER")]
    pub(super) max_functions: Option<u64>,

    /// The processor time that compiling one component may take; on the clock, ten times that [default: 2m]
    #[arg(long, env = "DACAPO_COMPILE_TIMEOUT", value_name = "DURATION", value_parser = humantime::parse_duration)]
    #[serde(deserialize_with = "duration")]
    pub(super) compile_timeout: Option<Duration>,

    /// The memory that compiling one component may take [default: 2 GiB]
    #[arg(long, env = "DACAPO_COMPILE_MEMORY", value_name = "SIZE")]
    pub(super) compile_memory: Option<ByteSize>,

    /// The greatest request [default: 4 MiB]
    #[arg(long, env = "DACAPO_MAX_REQUEST", value_name = "SIZE")]
    pub(super) max_request: Option<ByteSize>,

    /// How long the headers of a request may take, and its body; uploads have ten times as long [default: 30s]
    #[arg(long, env = "DACAPO_BODY_TIMEOUT", value_name = "DURATION", value_parser = humantime::parse_duration)]
    #[serde(deserialize_with = "duration")]
    pub(super) body_timeout: Option<Duration>,

    /// Connections at once; further ones wait [default: 10000]
    #[arg(long, env = "DACAPO_MAX_CONNECTIONS", value_name = "NUMBER")]
    pub(super) max_connections: Option<NonZeroU32>,

    /// How much handlers may use
    #[command(flatten)]
    pub(super) limits: LimitOptions,

    /// How much single handlers may use, by name
    #[arg(skip)]
    pub(super) handlers: BTreeMap<String, LimitOptions>,

    /// Who may call, by bearer token; everyone when there is none
    #[arg(skip)]
    pub(super) principals: Vec<Credential>,
}

/// What a retry may carry besides the answers to what was asked.
#[derive(Clone, Copy, Debug, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// Nothing else: stray answers are rejected
    Strict,
    /// Anything: stray answers are ignored, and answers without a state are matched by key
    Lenient,
}

/// For whom clients may keep what they are given.
#[derive(Clone, Copy, Debug, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Everyone
    Public,
    /// The caller alone
    Private,
}

impl Options {
    /// Reads a configuration file.
    ///
    /// # Errors
    ///
    /// When it can't be read, or has keys or values that are none.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text =
            std::fs::read_to_string(path).map_err(|error| ConfigError::Unreadable { path: path.to_owned(), error })?;
        let malformed = |error: &toml::de::Error, key: String| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            ConfigError::Malformed { path: path.to_owned(), line, key, what: error.message().to_owned() }
        };
        let file = toml::Deserializer::parse(&text).map_err(|error| malformed(&error, String::new()))?;
        let mut options: Self = serde_path_to_error::deserialize(file).map_err(|error| {
            let key = error.path().to_string();
            malformed(error.inner(), if key == "." { String::new() } else { key })
        })?;
        options.limits.set_by("limits", path);
        for (name, limits) in &mut options.handlers {
            limits.set_by(&format!("handlers.{name}"), path);
        }
        Ok(options)
    }
}

/// A duration, as in `"5m"`.
fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| humantime::Duration::from_str(&text).map(Into::into)).transpose().map_err(serde::de::Error::custom)
}
