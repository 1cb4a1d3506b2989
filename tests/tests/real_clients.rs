//! Clients that others have written hold whole conversations with the host, each by its own retry loop.

use std::ffi::OsStr;
use std::future::Future;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dacapo_tests::{Host, target};
use rmcp::ClientHandler;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationCapability, ErrorData, Implementation, ProtocolVersion,
};
use rmcp::service::{ClientLifecycleMode, RequestContext, RoleClient, serve_client_with_lifecycle};
use rmcp::transport::StreamableHttpClientTransport;
use serde_json::{Map, Value, json};
use tokio::process::Command;
use tokio::time::timeout;

/// How long one conversation may take. Much, for machines that do other things besides.
const LIMIT: Duration = Duration::from_mins(1);

#[tokio::test]
async fn the_typescript_client_completes_whole_conversations() {
    let script = target::client("node/converse.mjs");
    complete_both(|call| run_script("node".as_ref(), &script, call)).await;
}

#[tokio::test]
async fn the_python_client_completes_whole_conversations() {
    let python = target::client("python/bin/python");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/python/converse.py");
    complete_both(|call| run_script(python.as_os_str(), &script, call)).await;
}

#[tokio::test]
async fn the_rust_client_completes_whole_conversations() {
    complete_both(converse_in_rust).await;
}

/// One call of a tool, and what the user says to the questions that come, by the name of the field.
struct Call {
    url: String,
    tool: &'static str,
    arguments: Value,
    answers: Value,
}

/// Lets a client call both examples that ask. `converse` returns the JSON that the scripts print.
async fn complete_both<F: Future<Output = Value>>(converse: impl Fn(Call) -> F) {
    let host = Host::start().await;
    host.upload_guest("onboard").await;
    host.upload_guest("upgrade-plan").await;
    let converse = async |tool, arguments, answers| {
        let call = Call { url: host.mcp_url(), tool, arguments, answers };
        timeout(LIMIT, converse(call)).await.unwrap_or_else(|_| panic!("no end to {tool}; log:\n{}", host.log()))
    };

    let outcome = converse("onboard", json!({}), json!({"name": "Ada", "email": "ada@example.org"})).await;
    let welcome = json!({
        "message": "Welcome on board, Ada!",
        "user": {"name": "Ada", "email": "ada@example.org"},
        "cancelled": false,
    });
    assert_eq!(outcome, json!({"questions": ["Please enter your details"], "isError": false, "structured": welcome}));

    let outcome = converse("upgrade-plan", json!({"user": "ada"}), json!({"plan": "team", "confirmed": true})).await;
    let upgrade = json!({"status": "upgraded", "user": "ada", "plan": "team"});
    let questions = ["Pick a plan", "Confirm upgrade to team?"];
    assert_eq!(outcome, json!({"questions": questions, "isError": false, "structured": upgrade}));
}

async fn run_script(interpreter: &OsStr, script: &Path, call: Call) -> Value {
    let output = Command::new(interpreter)
        .arg(script)
        .args([&call.url, call.tool, &call.arguments.to_string(), &call.answers.to_string()])
        .env("NO_PROXY", "127.0.0.1")
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .unwrap_or_else(|error| panic!("could not start {}: {error}", interpreter.display()));
    let (out, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{} failed: {}\n{out}{errors}", script.display(), output.status);
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("no JSON: {error}\n{out}{errors}"))
}

async fn converse_in_rust(call: Call) -> Value {
    let user = User { answers: call.answers, questions: Arc::default() };
    let questions = Arc::clone(&user.questions);
    let transport = StreamableHttpClientTransport::from_uri(call.url);
    let mode = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    let client = serve_client_with_lifecycle(user, transport, mode).await.expect("the client connects");
    let Value::Object(arguments) = call.arguments else { panic!("arguments are an object") };
    let parameters = CallToolRequestParams::new(call.tool).with_arguments(arguments);
    let result = client.call_tool(parameters).await.expect("the call ends well");
    client.cancel().await.expect("the client ends");
    let questions = questions.lock().expect("no test thread panics with the lock").clone();
    json!({
        "questions": questions,
        "isError": result.is_error.unwrap_or(false),
        "structured": result.structured_content,
    })
}

/// The user at the Rust client.
struct User {
    answers: Value,
    questions: Arc<Mutex<Vec<String>>>,
}

impl ClientHandler for User {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(ElicitationCapability::default());
        ClientConfig::new(capabilities, Implementation::new("dacapo-tests-rust", "0.1.0"))
            .with_protocol_version(ProtocolVersion::V_2026_07_28)
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } = request else {
            return Err(ErrorData::invalid_params("only forms are expected", None));
        };
        self.questions.lock().expect("no test thread panics with the lock").push(message);
        let content: Map<String, Value> =
            requested_schema.properties.keys().map(|field| (field.clone(), self.answers[field].clone())).collect();
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(content.into()))
    }
}
