//! What was typed, from three places: flags and environment (clap), and a file. A flag wins over the environment, the
//! environment over the file, the file over the default.

use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use bytesize::ByteSize;
use dacapo_replay::RetryPolicy;
use serde::{Deserialize, Deserializer};

use crate::carrier::Secret;
use crate::protocol::result::{CacheScope, Caching};
use crate::sandbox::compile::MAX_FUNCTIONS;
use crate::sandbox::compiler::Bounds;
use crate::server::Lists;
use crate::transport::principal::{Credential, PrincipalSource};

/// The options of `dacapo serve` and `dacapo stdio`, as typed. Each is a key of the configuration file (TOML) too.
#[derive(Clone, Debug, Default, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Options {
    /// Where to listen [default: 127.0.0.1:8460]
    #[arg(long, env = "DACAPO_LISTEN", value_name = "ADDRESS")]
    listen: Option<SocketAddr>,

    /// Where uploaded handlers are kept [default: dacapo-data]
    #[arg(long, env = "DACAPO_DATA_DIR", value_name = "DIR")]
    data_dir: Option<PathBuf>,

    /// The key that seals conversations: 32 bytes in Base64. Every host behind one address needs the same
    #[arg(long, env = "DACAPO_SECRET", hide_env_values = true, value_name = "BASE64")]
    secret: Option<Secret>,

    /// Keys that sealed conversations before, and still open them
    #[arg(long, env = "DACAPO_PREVIOUS_SECRETS", hide_env_values = true, value_name = "BASE64", value_delimiter = ',')]
    previous_secrets: Option<Vec<Secret>>,

    /// How long an answer may take, such as 90s, 5m, 2h [default: 5m]
    #[arg(long, env = "DACAPO_TTL", value_name = "DURATION", value_parser = humantime::parse_duration)]
    #[serde(deserialize_with = "duration")]
    ttl: Option<Duration>,

    /// What a retry may carry besides the answers to what was asked [default: strict]
    #[arg(long, env = "DACAPO_RETRY_POLICY", value_name = "POLICY")]
    retry_policy: Option<Policy>,

    /// How many items one page of a list has at most [default: 50]
    #[arg(long, env = "DACAPO_PAGE_SIZE", value_name = "NUMBER")]
    page_size: Option<NonZeroU16>,

    /// How long clients may keep a list [default: 0s]
    #[arg(long, env = "DACAPO_LIST_TTL", value_name = "DURATION", value_parser = humantime::parse_duration)]
    #[serde(deserialize_with = "duration")]
    list_ttl: Option<Duration>,

    /// How long clients may keep a resource [default: 0s]
    #[arg(long, env = "DACAPO_READ_TTL", value_name = "DURATION", value_parser = humantime::parse_duration)]
    #[serde(deserialize_with = "duration")]
    read_ttl: Option<Duration>,

    /// For whom clients may keep lists and resources [default: private]
    #[arg(long, env = "DACAPO_CACHE_SCOPE", value_name = "SCOPE")]
    cache_scope: Option<Scope>,

    /// What the upload API wants to be shown; without one it serves this machine only
    #[arg(long, env = "DACAPO_ADMIN_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    admin_token: Option<String>,

    /// Names of this server besides the loopback ones, as clients write them in Host
    #[arg(long, env = "DACAPO_ALLOWED_HOSTS", value_name = "HOST", value_delimiter = ',')]
    allowed_hosts: Option<Vec<String>>,

    /// Origins of pages that may call this server, such as <https://app.example.org>
    #[arg(long, env = "DACAPO_ALLOWED_ORIGINS", value_name = "ORIGIN", value_delimiter = ',')]
    allowed_origins: Option<Vec<String>>,

    /// How many earlier revisions of each handler are kept to go back to [default: 5]
    #[arg(long, env = "DACAPO_KEEP_REVISIONS", value_name = "NUMBER")]
    keep_revisions: Option<usize>,

    /// The greatest component to upload [default: 64 MiB]
    #[arg(long, env = "DACAPO_MAX_UPLOAD", value_name = "SIZE")]
    max_upload: Option<ByteSize>,

    /// The most functions of a component to upload [default: 100000]
    #[arg(long, env = "DACAPO_MAX_FUNCTIONS", value_name = "NUMBER")]
    max_functions: Option<u64>,

    /// The processor time that compiling one component may take; on the clock, ten times that [default: 2m]
    #[arg(long, env = "DACAPO_COMPILE_TIMEOUT", value_name = "DURATION", value_parser = humantime::parse_duration)]
    #[serde(deserialize_with = "duration")]
    compile_timeout: Option<Duration>,

    /// The memory that compiling one component may take [default: 2 GiB]
    #[arg(long, env = "DACAPO_COMPILE_MEMORY", value_name = "SIZE")]
    compile_memory: Option<ByteSize>,

    /// The greatest request [default: 4 MiB]
    #[arg(long, env = "DACAPO_MAX_REQUEST", value_name = "SIZE")]
    max_request: Option<ByteSize>,

    /// The greatest sealed conversation [default: 64 KiB]
    #[arg(long, env = "DACAPO_MAX_TOKEN", value_name = "SIZE")]
    max_token: Option<ByteSize>,

    /// The memory of one run of a handler [default: 128 MiB]
    #[arg(long, env = "DACAPO_MEMORY", value_name = "SIZE")]
    memory: Option<ByteSize>,

    /// The time of one run of a handler [default: 30s]
    #[arg(long, env = "DACAPO_DEADLINE", value_name = "DURATION", value_parser = humantime::parse_duration)]
    #[serde(deserialize_with = "duration")]
    deadline: Option<Duration>,

    /// Who may call, by bearer token; everyone when there is none
    #[arg(skip)]
    principals: Vec<Credential>,
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

/// Why a configuration can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file can't be read.
    #[error("configuration file {path}: {error}")]
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// What the operating system says.
        error: std::io::Error,
    },
    /// The file is not a configuration.
    #[error("configuration file {path}, line {line}{}: {what}", if key.is_empty() { String::new() } else { format!(", {key}") })]
    Malformed {
        /// Which one.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key, where one is to blame.
        key: String,
        /// What is wrong. The line itself is not repeated: it may hold a secret.
        what: String,
    },
}

/// What it means.
#[derive(Debug)]
pub struct Settings {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where uploaded handlers are kept.
    pub data_dir: PathBuf,
    /// The key that seals conversations; a fresh one when there is none.
    pub secret: Option<Secret>,
    /// Keys that open conversations besides.
    pub previous_secrets: Vec<Secret>,
    /// How long a token lives.
    pub ttl: Duration,
    /// What a retry may carry.
    pub retry_policy: RetryPolicy,
    /// How lists are given out.
    pub lists: Lists,
    /// How long a resource that was read is good.
    pub reads: Caching,
    /// What the upload API wants to be shown.
    pub admin_token: Option<String>,
    /// Names of this server besides the loopback ones.
    pub allowed_hosts: Vec<String>,
    /// Origins of pages that may call.
    pub allowed_origins: Vec<String>,
    /// How many earlier revisions of each handler are kept to go back to.
    pub keep_revisions: usize,
    /// The greatest component, in bytes.
    pub max_upload: usize,
    /// The most functions of a component.
    pub max_functions: u64,
    /// What compiling one component may take.
    pub compile: Bounds,
    /// The greatest request, in bytes.
    pub max_request: usize,
    /// The greatest token, in bytes.
    pub max_token: usize,
    /// The memory of one run, in bytes.
    pub memory: usize,
    /// The time of one run.
    pub deadline: Duration,
    /// Who may call.
    pub principals: PrincipalSource,
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
        serde_path_to_error::deserialize(file).map_err(|error| {
            let key = error.path().to_string();
            malformed(error.inner(), if key == "." { String::new() } else { key })
        })
    }

    /// What these options mean, with those of a file behind them.
    #[must_use]
    pub fn settle(self, file: Self) -> Settings {
        let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 8460));
        let size = |typed: Option<ByteSize>, filed: Option<ByteSize>, default: ByteSize| {
            usize::try_from(typed.or(filed).unwrap_or(default).as_u64()).unwrap_or(usize::MAX)
        };
        let principals =
            if file.principals.is_empty() { PrincipalSource::None } else { PrincipalSource::Bearer(file.principals) };
        let cache_scope = match self.cache_scope.or(file.cache_scope) {
            Some(Scope::Public) => CacheScope::Public,
            Some(Scope::Private) | None => CacheScope::Private,
        };
        let caching = |typed: Option<Duration>, filed: Option<Duration>| {
            let ttl = typed.or(filed).unwrap_or_default();
            Caching { ttl_ms: u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX), cache_scope }
        };
        let bounds = Bounds::default();
        let page_size = self.page_size.or(file.page_size).map_or(50, |size| usize::from(size.get()));
        Settings {
            retry_policy: match self.retry_policy.or(file.retry_policy) {
                Some(Policy::Lenient) => RetryPolicy::Lenient,
                Some(Policy::Strict) | None => RetryPolicy::Strict,
            },
            lists: Lists { page_size, caching: caching(self.list_ttl, file.list_ttl) },
            reads: caching(self.read_ttl, file.read_ttl),
            listen: self.listen.or(file.listen).unwrap_or(listen),
            data_dir: self.data_dir.or(file.data_dir).unwrap_or_else(|| "dacapo-data".into()),
            secret: self.secret.or(file.secret),
            previous_secrets: self.previous_secrets.or(file.previous_secrets).unwrap_or_default(),
            ttl: self.ttl.or(file.ttl).unwrap_or(Duration::from_mins(5)),
            admin_token: self.admin_token.or(file.admin_token),
            allowed_hosts: self.allowed_hosts.or(file.allowed_hosts).unwrap_or_default(),
            allowed_origins: self.allowed_origins.or(file.allowed_origins).unwrap_or_default(),
            keep_revisions: self.keep_revisions.or(file.keep_revisions).unwrap_or(5),
            max_upload: size(self.max_upload, file.max_upload, ByteSize::mib(64)),
            max_functions: self.max_functions.or(file.max_functions).unwrap_or(MAX_FUNCTIONS),
            compile: Bounds {
                timeout: self.compile_timeout.or(file.compile_timeout).unwrap_or(bounds.timeout),
                memory: self.compile_memory.or(file.compile_memory).map_or(bounds.memory, |size| size.as_u64()),
            },
            max_request: size(self.max_request, file.max_request, ByteSize::mib(4)),
            max_token: size(self.max_token, file.max_token, ByteSize::kib(64)),
            memory: size(self.memory, file.memory, ByteSize::mib(128)),
            deadline: self.deadline.or(file.deadline).unwrap_or(Duration::from_secs(30)),
            principals,
        }
    }
}

/// A duration, as in `"5m"`.
fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| humantime::Duration::from_str(&text).map(Into::into)).transpose().map_err(serde::de::Error::custom)
}
