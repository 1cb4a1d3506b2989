//! An HTTP server that reads the call of a greeting tool and writes its result, byte for byte as the host does. What makes
//! the greeting is left to each program: the ceiling formats it, sandbox and floor have a component make it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use anyhow::Context as _;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::serve::ListenerExt as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::net::TcpListener;

/// Makes a greeting for a name.
pub trait Greet: Clone + Send + Sync + 'static {
    /// Makes it.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being made.
    fn greet(&self, name: &str) -> impl Future<Output = anyhow::Result<String>> + Send;
}

impl<F: Fn(&str) -> anyhow::Result<String> + Clone + Send + Sync + 'static> Greet for F {
    async fn greet(&self, name: &str) -> anyhow::Result<String> {
        self(name)
    }
}

/// Serves `/mcp` on the port that the first argument names, on loopback and all cores, until the process ends.
///
/// # Errors
///
/// When the argument is no port, or one that can't be listened on.
pub fn serve<G: Greet>(greet: G) -> anyhow::Result<()> {
    let port: u16 = std::env::args().nth(1).context("name a port to listen on")?.parse()?;
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let listener = listener.tap_io(|stream| {
            // A connection that has closed meanwhile needs no options.
            let _ = stream.set_nodelay(true);
        });
        let app = Router::new().route("/mcp", post(call::<G>)).with_state(greet);
        Ok(axum::serve(listener, app).await?)
    })
}

#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    id: Id,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: Params<'a>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Id {
    Number(i64),
    Text(String),
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    arguments: BTreeMap<String, Value>,
    #[serde(borrow, rename = "_meta")]
    meta: Meta<'a>,
}

#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    protocol_version: Cow<'a, str>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: BTreeMap<String, Value>,
    #[serde(rename = "io.modelcontextprotocol/clientInfo")]
    client: Option<BTreeMap<String, Value>>,
}

#[derive(Serialize)]
struct Answer<'a> {
    jsonrpc: &'a str,
    id: Id,
    result: Complete<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Complete<'a> {
    result_type: &'a str,
    content: [Content<'a>; 1],
    #[serde(rename = "_meta")]
    meta: WithServer<'a>,
}

#[derive(Serialize)]
struct Content<'a> {
    r#type: &'a str,
    text: String,
}

#[derive(Serialize)]
struct WithServer<'a> {
    #[serde(rename = "io.modelcontextprotocol/serverInfo")]
    server: Implementation<'a>,
}

#[derive(Serialize)]
struct Implementation<'a> {
    name: &'a str,
    version: &'a str,
}

async fn call<G: Greet>(State(greet): State<G>, body: Bytes) -> Response {
    match answer(&greet, &body).await {
        Ok(answer) => (StatusCode::OK, [(header::CONTENT_TYPE, "application/json")], answer).into_response(),
        Err(error) => (StatusCode::BAD_REQUEST, format!("{error:#}")).into_response(),
    }
}

async fn answer(greet: &impl Greet, body: &[u8]) -> anyhow::Result<Vec<u8>> {
    let Request { jsonrpc, id, method, params: Params { name, arguments, meta } } = serde_json::from_slice(body)?;
    anyhow::ensure!(jsonrpc == "2.0" && method == "tools/call" && name == "hello", "only the tool \"hello\" is here");
    anyhow::ensure!(meta.protocol_version == "2026-07-28", "only revision 2026-07-28 is spoken here");
    // Read as the host reads them; nothing here depends on them.
    drop((meta.capabilities, meta.client));
    let name = arguments.get("name").and_then(Value::as_str).context("\"name\" must be a string")?;
    let content = [Content { r#type: "text", text: greet.greet(name).await? }];
    let server = Implementation { name: "dacapo", version: env!("CARGO_PKG_VERSION") };
    let result = Complete { result_type: "complete", content, meta: WithServer { server } };
    Ok(serde_json::to_vec(&Answer { jsonrpc: "2.0", id, result })?)
}
