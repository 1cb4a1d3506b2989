//! An MCP client of revision 2026-07-28, as far as `dacapo call` needs one: over Streamable HTTP, one request at a time.

use std::io::{BufReader, Read as _};

use anyhow::{Context as _, bail};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use ureq::http::{StatusCode, header};

use super::super::api;
use super::super::output::{Unreachable, Usage};
use crate::protocol::VERSION;
use crate::transport::headers::encoded;

/// The greatest answer that is read, in bytes.
const LIMIT: u64 = 64 << 20;

/// How many pages of a list are read at most.
const PAGES: usize = 1_000;

/// A server, and who calls it.
#[derive(Debug)]
pub(super) struct Client {
    agent: ureq::Agent,
    url: String,
    token: Option<String>,
    last_id: u64,
}

/// One report of progress.
#[derive(Debug, Deserialize)]
pub(super) struct Progress {
    pub(super) progress: f64,
    pub(super) total: Option<f64>,
    pub(super) message: Option<String>,
}

/// A JSON-RPC error of the server's.
#[derive(Debug, thiserror::Error, Deserialize)]
#[error("the server refused ({code}): {message}{}", .data.as_ref().map(|data| format!(" {data}")).unwrap_or_default())]
pub(super) struct Refusal {
    code: i64,
    message: String,
    data: Option<Value>,
}

/// A message of the server's: a notification, or the response.
#[derive(Debug, Deserialize)]
struct Message {
    method: Option<String>,
    params: Option<Box<RawValue>>,
    result: Option<Box<RawValue>>,
    error: Option<Refusal>,
}

impl Client {
    /// A client of the server at `url`; one without a path means its `/mcp`.
    pub(super) fn new(url: &str, token: Option<String>) -> anyhow::Result<Self> {
        let after = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://")).ok_or_else(|| {
            Usage(format!("--server \"{url}\" is no address of a server: expected such as http://127.0.0.1:8460/mcp"))
        })?;
        let url = match after.split_once('/') {
            None | Some((_, "")) => format!("{}/mcp", url.trim_end_matches('/')),
            Some(_) => url.to_owned(),
        };
        Ok(Self { agent: api::agent(), url, token, last_id: 0 })
    }

    /// Where the server is.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Calls a method and returns its result. `name` is what the call is about, `headers` go with it besides those that the
    /// protocol wants, and `progress` hears what the server reports meanwhile.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] when the server says so; others when it can't be reached or does not speak the protocol.
    pub(super) fn call(
        &mut self,
        method: &str,
        name: Option<&str>,
        params: Map<String, Value>,
        headers: &[(String, String)],
        progress: &mut dyn FnMut(Progress),
    ) -> anyhow::Result<Box<RawValue>> {
        let body = self.body(method, params).to_string();
        let mut request = self
            .agent
            .post(&self.url)
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json, text/event-stream")
            .header("mcp-protocol-version", VERSION)
            .header("mcp-method", method);
        if let Some(name) = name {
            request = request.header("mcp-name", encoded(name).as_ref());
        }
        for (name, value) in headers {
            request = request.header(name, value);
        }
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let sent = request.send(&body);
        let response = sent.map_err(|error| api::unreachable(&self.url, &error, "is the MCP server running?"))?;
        let status = response.status();
        let media = response.headers().get(header::CONTENT_TYPE).and_then(|media| media.to_str().ok());
        let is_stream = media.is_some_and(|media| media.starts_with("text/event-stream"));
        let mut body = BufReader::new(response.into_body().into_with_config().limit(LIMIT).reader());
        let message = if is_stream {
            self.last_of(&mut body, progress)?
        } else {
            let mut text = String::new();
            let read = body.read_to_string(&mut text);
            read.with_context(|| format!("{} broke off its answer", self.url))?;
            serde_json::from_str(&text).map_err(|_| self.stranger(status))?
        };
        match message {
            Message { error: Some(refusal), .. } => Err(self.explained(status, refusal)),
            Message { result: Some(result), .. } => Ok(result),
            _ => Err(self.stranger(status)),
        }
    }

    /// Every item of a list, page by page.
    ///
    /// # Errors
    ///
    /// As [`Client::call`].
    pub(super) fn list(&mut self, method: &str, member: &str) -> anyhow::Result<Vec<Box<RawValue>>> {
        let mut items = Vec::new();
        let mut params = Map::new();
        for _ in 0..PAGES {
            let page = self.call(method, None, std::mem::take(&mut params), &[], &mut |_| {})?;
            let mut page: std::collections::HashMap<String, Box<RawValue>> =
                serde_json::from_str(page.get()).with_context(|| format!("{method} results in no object"))?;
            let found = page.remove(member).with_context(|| format!("the result of {method} has no \"{member}\""))?;
            let found: Vec<Box<RawValue>> =
                serde_json::from_str(found.get()).with_context(|| format!("{method}: \"{member}\" is no list"))?;
            items.extend(found);
            match page.remove("nextCursor").filter(|cursor| cursor.get() != "null") {
                Some(cursor) => params.insert("cursor".to_owned(), serde_json::from_str(cursor.get())?),
                None => return Ok(items),
            };
        }
        bail!("{} gives {method} on more than {PAGES} pages; it seems to go round in circles", self.url)
    }

    fn body(&mut self, method: &str, mut params: Map<String, Value>) -> Value {
        self.last_id += 1;
        params.insert(
            "_meta".to_owned(),
            json!({
                "io.modelcontextprotocol/protocolVersion": VERSION,
                "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}, "url": {}}},
                "io.modelcontextprotocol/clientInfo": {"name": "dacapo", "version": env!("CARGO_PKG_VERSION")},
                "progressToken": self.last_id,
            }),
        );
        json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
    }

    /// Reads a stream of events up to the response.
    fn last_of(
        &self,
        stream: &mut impl std::io::BufRead,
        progress: &mut dyn FnMut(Progress),
    ) -> anyhow::Result<Message> {
        while let Some(data) = next_event(stream).with_context(|| format!("{} broke off its answer", self.url))? {
            let message: Message = serde_json::from_str(&data)
                .with_context(|| format!("{} sent an event that is no JSON-RPC message", self.url))?;
            match message.method.as_deref() {
                None => return Ok(message),
                Some("notifications/progress") => {
                    let params = message.params.as_ref().map_or("null", |params| params.get());
                    // A report that can't be read is no reason to give up the call.
                    let _heard = serde_json::from_str(params).map(&mut *progress);
                }
                Some(_) => {}
            }
        }
        bail!("{} closed the stream before its answer", self.url)
    }

    /// A refusal, with what may help.
    fn explained(&self, status: StatusCode, refusal: Refusal) -> anyhow::Error {
        let hint = match (status, refusal.code) {
            (StatusCode::UNAUTHORIZED, _) if self.token.is_none() => {
                "the server wants a bearer token: set DACAPO_TOKEN"
            }
            (StatusCode::UNAUTHORIZED, _) => "the server does not know the bearer token (DACAPO_TOKEN)",
            (StatusCode::BAD_REQUEST, -32_022 | -32_019..=-32_000) => {
                "dacapo call speaks revision 2026-07-28 of the protocol; the server seems to speak another"
            }
            _ => return refusal.into(),
        };
        anyhow::Error::new(refusal).context(hint)
    }

    /// What to say of a server that does not speak the protocol.
    fn stranger(&self, status: StatusCode) -> anyhow::Error {
        let url = &self.url;
        match status {
            StatusCode::UNAUTHORIZED if self.token.is_none() => {
                anyhow::anyhow!("{url} wants a bearer token: set DACAPO_TOKEN")
            }
            StatusCode::UNAUTHORIZED => anyhow::anyhow!("{url} does not know the bearer token (DACAPO_TOKEN)"),
            _ => Unreachable(format!(
                "{url} answered {status}, but not as an MCP server of revision {VERSION} does; is --server the address \
                 of its endpoint, path included?"
            ))
            .into(),
        }
    }
}

/// The data of the next event of a stream, in which other lines are skipped; nothing at its end.
fn next_event(stream: &mut impl std::io::BufRead) -> std::io::Result<Option<String>> {
    let mut data = Vec::new();
    let mut line = String::new();
    loop {
        line.clear();
        if stream.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end_matches(['\r', '\n']);
        if let Some(piece) = line.strip_prefix("data:") {
            data.push(piece.strip_prefix(' ').unwrap_or(piece).to_owned());
        } else if line.is_empty() && !data.is_empty() {
            return Ok(Some(data.join("\n")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_whatever_stands_between_them() {
        let mut stream =
            &b": hello\r\n\r\nevent: message\r\nid: 1\r\ndata: {\"a\":\r\ndata:1}\r\n\r\n:\n\ndata: 2\n\ndata: cut"[..];
        let mut events = std::iter::from_fn(|| next_event(&mut stream).unwrap());
        assert_eq!(events.next().as_deref(), Some("{\"a\":\n1}"));
        assert_eq!(events.next().as_deref(), Some("2"));
        assert_eq!(events.next(), None, "an event that was cut off is none");
    }

    #[test]
    fn a_server_without_a_path_is_asked_at_its_usual_one() {
        let url = |typed: &str| Client::new(typed, None).map(|client| client.url).map_err(|error| error.to_string());
        assert_eq!(url("http://h:1").unwrap(), "http://h:1/mcp");
        assert_eq!(url("http://h:1/").unwrap(), "http://h:1/mcp");
        assert_eq!(url("https://h/x").unwrap(), "https://h/x");
        assert!(url("localhost:1").unwrap_err().contains("localhost:1"));
    }
}
