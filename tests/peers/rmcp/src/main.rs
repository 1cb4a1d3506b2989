//! The greeter as the Rust SDK has it: stateless HTTP with JSON responses, on all cores.

use std::error::Error;
use std::sync::Arc;

use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ServerHandler, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::net::TcpListener;

/// Whom to greet.
#[derive(Deserialize, JsonSchema)]
struct Greeting {
    /// The name of the person to greet
    name: String,
}

#[derive(Clone)]
struct Greeter;

#[tool_router]
impl Greeter {
    /// Greets a person by name.
    #[tool(annotations(title = "Say hello", read_only_hint = true, open_world_hint = false))]
    fn hello(&self, Parameters(Greeting { name }): Parameters<Greeting>) -> String {
        format!("Hello, {name}!")
    }
}

#[tool_handler]
impl ServerHandler for Greeter {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("peer-rmcp", "1.0.0"))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let port: u16 = std::env::args().nth(1).ok_or("which port?")?.parse()?;
    let config = StreamableHttpServerConfig::default().with_legacy_session_mode(false).with_json_response(true);
    let service = StreamableHttpService::new(|| Ok(Greeter), Arc::new(NeverSessionManager::default()), config);
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
