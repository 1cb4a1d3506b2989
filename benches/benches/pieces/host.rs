//! A host without its transport.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use dacapo::announce::Hub;
use dacapo::carrier::{Keyring, Secret, Wire};
use dacapo::protocol::error::RpcError;
use dacapo::protocol::jsonrpc::{Request, RequestId};
use dacapo::protocol::meta::RequestMeta;
use dacapo::protocol::method::Method;
use dacapo::protocol::params::Params;
use dacapo::protocol::result::{CacheScope, Caching};
use dacapo::registry::Registry;
use dacapo::registry::pinned::Retention;
use dacapo::sandbox::compiler::{Bounds, Compiler};
use dacapo::sandbox::examine::MAX_FUNCTIONS;
use dacapo::sandbox::{Allotment, Sandbox};
use dacapo::server::{Answer, Caller, Lists, Server};
use dacapo_replay::RetryPolicy;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

/// A host with handlers, and what it runs on.
pub(crate) struct Host {
    pub(crate) runtime: Runtime,
    pub(crate) registry: Arc<Registry>,
    pub(crate) sandbox: Arc<Sandbox>,
    /// Opens what the server seals.
    pub(crate) wire: Wire,
    server: Arc<Server>,
    _data: TempDir,
}

/// One call of a tool, ready to be made again and again.
pub(crate) struct Call {
    params: Params,
    meta: RequestMeta,
}

impl Host {
    /// A host on so many threads that serves these guests.
    pub(crate) fn start(threads: usize, guests: &[&str]) -> Self {
        let runtime =
            Builder::new_multi_thread().worker_threads(threads).enable_all().build().expect("a runtime can be started");
        let data = tempfile::tempdir().expect("a directory can be made");
        let sandbox = Arc::new(Sandbox::new(Allotment::default()).expect("wasmtime runs here"));
        let compiler = Compiler::new(MAX_FUNCTIONS, Bounds::default());
        let hub = Hub::default();
        let retention = Retention { token: Duration::from_hours(1), keep: 0 };
        let opening = Registry::open(Arc::clone(&sandbox), compiler, hub.clone(), data.path(), retention);
        let registry = runtime.block_on(opening).expect("a registry can be opened");
        for guest in guests {
            let name = guest.parse().expect("a guest's name is one of a handler");
            runtime.block_on(registry.upload(name, component(guest))).expect("the guest is a handler");
        }
        let secret = Secret::fresh().expect("there is randomness");
        // Room for the longest conversation that is measured.
        let wire = || Wire::new(Keyring::new(&secret, &[]), Duration::from_hours(1), 1 << 20);
        let caching = Caching { ttl_ms: 0, cache_scope: CacheScope::Private };
        let lists = Lists { page_size: 50, caching };
        let server =
            Server::new(Arc::clone(&registry), Arc::clone(&sandbox), wire(), hub, RetryPolicy::Strict, lists, caching);
        Self { runtime, registry, sandbox, wire: wire(), server: Arc::new(server), _data: data }
    }

    /// Who serves.
    pub(crate) fn server(&self) -> Arc<Server> {
        Arc::clone(&self.server)
    }

    /// Makes a call and waits for what comes of it.
    pub(crate) fn make(&self, call: &Call) -> Result<Box<RawValue>, RpcError> {
        self.runtime.block_on(call.make(&self.server))
    }
}

impl Call {
    /// A call of a tool, with the members of `more` besides.
    pub(crate) fn new(tool: &str, arguments: &Value, more: Value) -> Self {
        let mut params = json!({
            "name": tool,
            "arguments": arguments,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
                "io.modelcontextprotocol/clientInfo": {"name": "dacapo-benches", "version": "1.0.0"},
            },
        });
        if let (Some(params), Value::Object(more)) = (params.as_object_mut(), more) {
            params.extend(more);
        }
        let params: Params = serde_json::from_str(&params.to_string()).expect("JSON can be read");
        let meta = RequestMeta::read(&params).expect("the metadata is complete");
        Self { params, meta }
    }

    /// Makes it.
    pub(crate) async fn make(&self, server: &Server) -> Result<Box<RawValue>, RpcError> {
        let (id, method, params) = (RequestId::Number(1), "tools/call".to_owned(), self.params.clone());
        let request = Request { id, method, params };
        match server.handle(Method::ToolsCall, request, &self.meta, Caller::default()).await? {
            Answer::Result(result) => Ok(result),
            Answer::Subscription(_) => panic!("a call of a tool is answered by a result"),
        }
    }
}

/// The component of a guest.
pub(crate) fn component(guest: &str) -> Vec<u8> {
    // `<target>/tmp` is where cargo lets measurements put files; the guests are beside it.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the directory has a parent");
    let path = target.join("guests").join(format!("{guest}.wasm"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask guests`", path.display()))
}
