//! A client whose every byte a test can choose.

use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value, json};

use crate::answer::Answer;
use crate::schema;
use crate::stream::EventStream;

/// The revision of the protocol that the client speaks.
pub const PROTOCOL_VERSION: &str = "2026-07-28";

/// A client of the MCP endpoint. It does nothing by itself: what a test does not ask for is not sent.
///
/// Every message in both directions is held against the protocol's schema, but for those that a test sends with
/// [`Client::raw`] or by an [unchecked](Client::unchecked) client.
pub struct Client {
    http: reqwest::Client,
    url: String,
    capabilities: Value,
    meta: Map<String, Value>,
    headers: HeaderMap,
    last_id: AtomicU64,
    is_checked: bool,
}

impl Client {
    pub(crate) fn new(http: reqwest::Client, url: String) -> Self {
        Self {
            http,
            url,
            capabilities: json!({"elicitation": {}}),
            meta: Map::new(),
            headers: HeaderMap::new(),
            last_id: AtomicU64::new(0),
            is_checked: true,
        }
    }

    /// A client of the MCP endpoint at `url`, of a server that a test has started by itself.
    #[must_use]
    pub fn at(url: impl Into<String>) -> Self {
        Self::new(reqwest::Client::builder().no_proxy().build().expect("an HTTP client can be made"), url.into())
    }

    /// Declares these capabilities, where the default is `{"elicitation": {}}`.
    #[must_use]
    pub fn capabilities(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Sends also what breaks the protocol's schema. What comes back is held against it all the same.
    #[must_use]
    pub fn unchecked(mut self) -> Self {
        self.is_checked = false;
        self
    }

    /// Adds a member to the `_meta` of every call.
    #[must_use]
    pub fn meta(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.meta.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a header to every call.
    ///
    /// Panics where name or value can't stand in a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let name: HeaderName = name.parse().expect("the name can stand in a header");
        self.headers.insert(name, value.parse().expect("the value can stand in a header"));
        self
    }

    /// Sends a bearer token with every call.
    #[must_use]
    pub fn bearer(self, token: &str) -> Self {
        self.header(AUTHORIZATION.as_str(), &format!("Bearer {token}"))
    }

    /// The `_meta` of a call.
    #[must_use]
    pub fn request_meta(&self) -> Map<String, Value> {
        let mut meta = Map::new();
        meta.insert("io.modelcontextprotocol/protocolVersion".into(), PROTOCOL_VERSION.into());
        meta.insert("io.modelcontextprotocol/clientCapabilities".into(), self.capabilities.clone());
        meta.insert(
            "io.modelcontextprotocol/clientInfo".into(),
            json!({"name": "dacapo-tests", "version": env!("CARGO_PKG_VERSION")}),
        );
        meta.extend(self.meta.clone());
        meta
    }

    /// The body of a call: `params` with the `_meta` of this client, in which members that `params` has already stay.
    ///
    /// Panics where `params` is neither an object nor null.
    #[must_use]
    pub fn body(&self, method: &str, params: Value) -> Value {
        let mut params = match params {
            Value::Null => Map::new(),
            Value::Object(params) => params,
            other => panic!("params must be an object: {other}"),
        };
        let mut meta = self.request_meta();
        if let Some(Value::Object(own)) = params.remove("_meta") {
            meta.extend(own);
        }
        params.insert("_meta".into(), meta.into());
        let id = self.last_id.fetch_add(1, Ordering::Relaxed) + 1;
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
    }

    /// The headers that go with a body, those of [`Client::header`] included.
    ///
    /// Panics where the method or the name in the body can't stand in a header as it is.
    #[must_use]
    pub fn headers(&self, body: &Value) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        headers.insert("mcp-protocol-version", HeaderValue::from_static(PROTOCOL_VERSION));
        let named = [("mcp-method", &body["method"]), ("mcp-name", name_of(body))];
        for (name, value) in named {
            if let Some(value) = value.as_str() {
                headers.insert(name, value.parse().expect("the value can stand in a header"));
            }
        }
        headers.extend(self.headers.clone());
        headers
    }

    /// Calls a method.
    ///
    /// Panics, as do the calls below, where a message in either direction breaks the protocol's schema.
    pub async fn call(&self, method: &str, params: Value) -> Answer {
        let body = self.checked_body(method, params);
        self.raw(self.headers(&body), body.to_string()).await
    }

    /// Calls a method that is answered by a stream, and opens it.
    pub async fn open(&self, method: &str, params: Value) -> EventStream {
        let body = self.checked_body(method, params);
        let request = self.http.post(&self.url).headers(self.headers(&body)).body(body.to_string());
        EventStream::to(method, request).await
    }

    /// Calls a tool. Null for `arguments` leaves them out.
    pub async fn call_tool(&self, name: &str, arguments: Value) -> Answer {
        self.call("tools/call", tool_params(name, arguments)).await
    }

    /// Calls a tool once more, with the state that the host gave out and responses to what it asked.
    pub async fn retry(&self, name: &str, arguments: Value, state: &str, responses: Value) -> Answer {
        let mut params = tool_params(name, arguments);
        params["requestState"] = state.into();
        params["inputResponses"] = responses;
        self.call("tools/call", params).await
    }

    /// Posts a body as it is, with these headers and no others than HTTP itself needs. (Where there is no `Accept`, the
    /// library below adds `*/*`.)
    ///
    /// Panics where what comes back breaks the protocol's schema.
    pub async fn raw(&self, headers: HeaderMap, body: impl Into<reqwest::Body>) -> Answer {
        let body = body.into();
        let message: Value = body.as_bytes().and_then(|body| serde_json::from_slice(body).ok()).unwrap_or_default();
        // Of a body that can't be read here, the header tells the method.
        let header = headers.get("mcp-method").and_then(|method| method.to_str().ok());
        let method = message["method"].as_str().or(header).map(str::to_owned);
        let answer = Answer::to(self.http.post(&self.url).headers(headers).body(body)).await;
        answer.notifications.iter().for_each(schema::check_notification);
        if !answer.body.is_null() {
            schema::check_response(method.as_deref(), &answer.body);
        }
        answer
    }

    fn checked_body(&self, method: &str, params: Value) -> Value {
        let body = self.body(method, params);
        if self.is_checked {
            schema::check_request(&body);
        }
        body
    }
}

fn tool_params(name: &str, arguments: Value) -> Value {
    let mut params = json!({"name": name});
    if !arguments.is_null() {
        params["arguments"] = arguments;
    }
    params
}

/// What a call is about, as the header `Mcp-Name` says it.
fn name_of(body: &Value) -> &Value {
    let member = match body["method"].as_str() {
        Some("tools/call" | "prompts/get") => "name",
        Some("resources/read") => "uri",
        Some("tasks/get" | "tasks/update" | "tasks/cancel") => "taskId",
        _ => return &Value::Null,
    };
    &body["params"][member]
}
