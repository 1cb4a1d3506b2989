//! A client of the upload API.

use std::io;
use std::time::Duration;

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::value::RawValue;
use ureq::http::{Method, Request, StatusCode};

use super::output::{Unreachable, Usage, clean_line};
use crate::registry::handler::HandlerName;

/// How long a server may take to accept a connection.
const CONNECT: Duration = Duration::from_secs(10);

/// The greatest answer that is read, in bytes.
const LIMIT: u64 = 64 << 20;

/// Which server, and what it wants to be shown.
#[derive(Debug, clap::Args)]
pub(super) struct Api {
    /// The server's address, without a path
    #[arg(long, env = "DACAPO_SERVER", value_name = "URL", default_value = "http://127.0.0.1:8460")]
    server: String,

    /// The server's admin token
    #[arg(long, env = "DACAPO_ADMIN_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    admin_token: Option<String>,
}

/// A handler as the API describes it, as far as it is shown.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Handler {
    pub(super) name: String,
    pub(super) revision: i64,
    pub(super) digest: String,
    pub(super) size: u64,
    pub(super) uploaded_at: String,
    pub(super) tools: Vec<Named>,
    pub(super) prompts: Vec<Named>,
    pub(super) resources: Vec<Located>,
    pub(super) resource_templates: Vec<Located>,
    #[serde(default)]
    pub(super) revisions: Vec<Revision>,
}

/// A tool or a prompt.
#[derive(Debug, Deserialize)]
pub(super) struct Named {
    pub(super) name: String,
    #[serde(default)]
    pub(super) description: String,
}

/// A resource or a template of resources.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Located {
    #[serde(alias = "uriTemplate")]
    pub(super) uri: String,
    #[serde(default)]
    pub(super) description: String,
}

/// A component that a handler was or is.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Revision {
    pub(super) revision: i64,
    pub(super) digest: String,
    pub(super) size: u64,
    pub(super) uploaded_at: String,
    pub(super) state: String,
}

/// An answer: the JSON as the server wrote it, and what it says.
#[derive(Debug)]
pub(super) struct Answer<T> {
    pub(super) json: Box<RawValue>,
    pub(super) value: T,
}

#[derive(Debug, Deserialize)]
struct Refused {
    error: Reason,
}

#[derive(Debug, Deserialize)]
struct Reason {
    code: String,
    message: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Listing {
    pub(super) handlers: Vec<Handler>,
}

/// A handler's name, as it was typed.
pub(super) fn name(typed: &str) -> anyhow::Result<HandlerName> {
    typed.parse().map_err(|error| Usage(format!("{error}")).into())
}

impl Api {
    /// Every handler.
    pub(super) fn list(&self) -> anyhow::Result<Answer<Listing>> {
        self.ask(Method::GET, "", None, "the list of handlers")
    }

    /// One handler.
    pub(super) fn show(&self, name: &HandlerName) -> anyhow::Result<Answer<Handler>> {
        self.ask(Method::GET, &format!("/{name}"), None, &format!("\"{name}\""))
    }

    /// Uploads a component.
    pub(super) fn upload(&self, name: &HandlerName, wasm: Vec<u8>) -> anyhow::Result<Answer<Handler>> {
        let body = Body { media: "application/wasm", bytes: wasm };
        self.ask(Method::PUT, &format!("/{name}"), Some(body), &format!("the upload as \"{name}\""))
    }

    /// Goes back to an earlier component; to the one before when no revision is named.
    pub(super) fn rollback(&self, name: &HandlerName, to: Option<i64>) -> anyhow::Result<Answer<Handler>> {
        let json = |revision| serde_json::json!({ "revision": revision }).to_string().into_bytes();
        let body = to.map(|revision| Body { media: "application/json", bytes: json(revision) });
        self.ask(Method::POST, &format!("/{name}/rollback"), body, &format!("the rollback of \"{name}\""))
    }

    /// Removes a handler.
    pub(super) fn remove(&self, name: &HandlerName) -> anyhow::Result<()> {
        let (url, status, body) = self.send(Method::DELETE, &format!("/{name}"), None)?;
        if status == StatusCode::NO_CONTENT {
            return Ok(());
        }
        Err(self.refused(&url, status, &body, &format!("the removal of \"{name}\"")))
    }

    fn ask<T: for<'de> Deserialize<'de>>(
        &self,
        method: Method,
        path: &str,
        body: Option<Body>,
        what: &str,
    ) -> anyhow::Result<Answer<T>> {
        let (url, status, body) = self.send(method, path, body)?;
        if !status.is_success() {
            return Err(self.refused(&url, status, &body, what));
        }
        let read = serde_json::from_str::<Box<RawValue>>(&body)
            .and_then(|json| Ok(Answer { value: serde_json::from_str(json.get())?, json }));
        read.map_err(|error| Unreachable(format!("{}: {error}", stranger(&url, status))).into())
    }

    /// Sends a request; its URL, the status and the body come back, whatever the status.
    fn send(&self, method: Method, path: &str, body: Option<Body>) -> anyhow::Result<(String, StatusCode, String)> {
        let url = format!("{}/v1/handlers{path}", self.server.trim_end_matches('/'));
        let mut request = Request::builder().method(method).uri(&url);
        if let Some(token) = &self.admin_token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if let Some(body) = &body {
            request = request.header("content-type", body.media);
        }
        let bytes = body.map(|body| body.bytes).unwrap_or_default();
        let request = request.body(bytes).map_err(|error| {
            Usage(format!("--server \"{}\" or --admin-token can't be used in a request: {error}", self.server))
        })?;
        let mut response =
            agent().run(request).map_err(|error| unreachable(&url, &error, "`dacapo serve` starts one"))?;
        let status = response.status();
        let body = response.body_mut().with_config().limit(LIMIT).read_to_string();
        Ok((url.clone(), status, body.with_context(|| format!("{url} broke off its answer"))?))
    }

    /// What a refusal means, and what to do.
    fn refused(&self, url: &str, status: StatusCode, body: &str, what: &str) -> anyhow::Error {
        let Ok(Refused { error: Reason { code, message } }) = serde_json::from_str(body) else {
            return Unreachable(stranger(url, status)).into();
        };
        let hint = match (code.as_str(), &self.admin_token) {
            ("unauthorized", None) => "; set it with --admin-token or DACAPO_ADMIN_TOKEN".to_owned(),
            ("unauthorized", Some(_)) => {
                "; the one that was shown (--admin-token or DACAPO_ADMIN_TOKEN) is another".to_owned()
            }
            ("not-found", _) => match self.list() {
                Ok(Answer { value: Listing { handlers }, .. }) if !handlers.is_empty() => {
                    let names: Vec<_> = handlers.into_iter().map(|handler| handler.name).collect();
                    format!("; there are: {}", names.join(", "))
                }
                _ => String::new(),
            },
            ("no-such-revision", _) => "; `dacapo show` lists those that there are".to_owned(),
            _ => String::new(),
        };
        anyhow::anyhow!("{what} was refused ({code}): {message}{hint}")
    }
}

#[derive(Debug)]
struct Body {
    media: &'static str,
    bytes: Vec<u8>,
}

/// An HTTP client whose requests end with whatever the server answers: no status is an error, and no redirect is followed.
pub(super) fn agent() -> ureq::Agent {
    ureq::config::Config::builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_connect(Some(CONNECT))
        .user_agent(concat!("dacapo/", env!("CARGO_PKG_VERSION")))
        .build()
        .new_agent()
}

/// Why a server can't be reached; `remedy` says what may help.
pub(super) fn unreachable(url: &str, error: &ureq::Error, remedy: &str) -> anyhow::Error {
    match error {
        ureq::Error::BadUri(_) | ureq::Error::Http(_) => {
            Usage(format!("\"{url}\" is no address of a server: {error}; expected such as http://127.0.0.1:8460"))
                .into()
        }
        ureq::Error::Io(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
            Unreachable(format!("nothing listens at {url}; {remedy}, and --server says where it is")).into()
        }
        _ => Unreachable(format!("can't reach {url}: {error}; {remedy}, and --server says where it is")).into(),
    }
}

/// What to say of a server that is another than expected.
fn stranger(url: &str, status: StatusCode) -> String {
    format!("{url} answered {status}, but not as a Dacapo server does; is --server the address of another service?")
}

/// The first digits of a digest, to tell revisions apart.
pub(super) fn short(digest: &str) -> String {
    clean_line(&digest.strip_prefix("sha256:").unwrap_or(digest).chars().take(12).collect::<String>())
}
