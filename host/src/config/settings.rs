//! What the options mean, with the file's behind those that were typed, and the defaults behind both.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use bytesize::ByteSize;
use dacapo_replay::RetryPolicy;

use super::error::ConfigError;
use super::limits;
use super::options::{Options, Policy, Scope};
use crate::carrier::Secret;
use crate::protocol::result::{CacheScope, Caching};
use crate::sandbox::Allotment;
use crate::sandbox::compiler::Bounds;
use crate::sandbox::examine::MAX_FUNCTIONS;
use crate::server::Lists;
use crate::transport::principal::PrincipalSource;

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
    /// How long a request's body may take.
    pub body_timeout: Duration,
    /// Connections at once; at least 1.
    pub max_connections: usize,
    /// Who may use how much.
    pub allotment: Allotment,
    /// Who may call.
    pub principals: PrincipalSource,
}

impl Options {
    /// What these options mean, with those of a file behind them.
    ///
    /// # Errors
    ///
    /// When the file gives a handler more than the host has, or what can't be given to one handler.
    pub fn settle(self, file: Self) -> Result<Settings, ConfigError> {
        let allotment = limits::allot(self.limits, file.limits, file.handlers)?;
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
        Ok(Settings {
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
            body_timeout: self.body_timeout.or(file.body_timeout).unwrap_or(Duration::from_secs(30)),
            max_connections: self
                .max_connections
                .or(file.max_connections)
                .map_or(10_000, |most| usize::try_from(most.get()).unwrap_or(usize::MAX)),
            allotment,
            principals,
        })
    }
}
