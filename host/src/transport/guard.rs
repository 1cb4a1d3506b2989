//! Who may reach the server at all. A page in a user's browser must not, by way of a name that it made point here (DNS
//! rebinding): so `Host` must be one of this server's names, and `Origin`, where a browser sends it, must be allowed.

use std::net::SocketAddr;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;

use super::http;
use crate::protocol::error::RpcError;

/// The names by which a machine calls itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The names and origins that are let in.
#[derive(Clone, Debug)]
pub struct Guard {
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Guard {
    /// Lets in the loopback names and the address listened on, and `hosts` (with or without a port) and `origins`
    /// (scheme, host and port) besides.
    #[must_use]
    pub fn new(listen: SocketAddr, hosts: &[String], origins: &[String]) -> Self {
        let own = match listen {
            SocketAddr::V4(address) => address.ip().to_string(),
            SocketAddr::V6(address) => format!("[{}]", address.ip()),
        };
        let hosts = LOOPBACK.into_iter().map(str::to_owned).chain([own]).chain(hosts.iter().map(|h| h.to_lowercase()));
        Self { hosts: hosts.collect(), origins: origins.iter().map(|o| o.to_lowercase()).collect() }
    }

    /// The answer to a request that is not let in: 403.
    pub(super) fn refusal(&self, headers: &HeaderMap) -> Option<Response> {
        let why = self.refuses(headers)?;
        tracing::warn!(why, "request refused");
        Some(http::refusal(StatusCode::FORBIDDEN, RpcError::invalid_request(why)))
    }

    /// What is wrong with a request's headers, if anything.
    fn refuses(&self, headers: &HeaderMap) -> Option<String> {
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let Some(host) = text(header::HOST) else { return Some("the Host header is missing".to_owned()) };
        let name = without_port(host);
        if !self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host) || known.eq_ignore_ascii_case(name)) {
            return Some(format!("Host \"{host}\" is none of this server's names; add it with --allowed-hosts"));
        }
        let origin = text(header::ORIGIN)?.to_lowercase();
        let local = origin
            .strip_prefix("http://")
            .or_else(|| origin.strip_prefix("https://"))
            .is_some_and(|host| LOOPBACK.contains(&without_port(host)));
        if local || self.origins.contains(&origin) {
            None
        } else {
            Some(format!("Origin \"{origin}\" is not allowed; add it with --allowed-origins"))
        }
    }
}

/// Whether a request addresses the server by a name that only its own machine uses.
#[must_use]
pub fn names_loopback(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    LOOPBACK.contains(&without_port(host))
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}
