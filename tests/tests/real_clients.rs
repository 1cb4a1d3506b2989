//! Clients that others have written hold whole conversations with the host, each by its own retry loop.

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use dacapo_tests::{Host, Script};
use rmcp::ClientHandler;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationCapability, ErrorData, FormElicitationCapability, GetPromptRequestParams, Implementation,
    ProgressNotificationParam, ProtocolVersion, ReadResourceRequestParams, UrlElicitationCapability,
};
use rmcp::service::{
    ClientLifecycleMode, NotificationContext, RequestContext, RoleClient, serve_client_with_lifecycle,
};
use rmcp::transport::StreamableHttpClientTransport;
use serde_json::{Map, Value, json};
use tokio::time::timeout;

/// How long one conversation may take. Much, for machines that do other things besides.
const LIMIT: Duration = Duration::from_mins(1);

#[tokio::test]
async fn the_typescript_client_completes_tools_that_ask() {
    complete_tools(|call| converse_by_script(Script::TypeScript, call)).await;
}

#[tokio::test]
async fn the_python_client_completes_tools_that_ask() {
    complete_tools(|call| converse_by_script(Script::Python, call)).await;
}

#[tokio::test]
async fn the_rust_client_completes_tools_that_ask() {
    complete_tools(converse_in_rust).await;
}

#[tokio::test]
async fn the_typescript_client_completes_prompts_and_resources_that_ask() {
    complete_prompt_and_resource(|call| converse_by_script(Script::TypeScript, call)).await;
}

#[tokio::test]
async fn the_python_client_completes_prompts_and_resources_that_ask() {
    complete_prompt_and_resource(|call| converse_by_script(Script::Python, call)).await;
}

#[tokio::test]
async fn the_rust_client_completes_prompts_and_resources_that_ask() {
    complete_prompt_and_resource(converse_in_rust).await;
}

#[tokio::test]
async fn the_typescript_client_completes_several_questions_in_one_round() {
    complete_several_questions(|call| converse_by_script(Script::TypeScript, call)).await;
}

#[tokio::test]
async fn the_python_client_completes_several_questions_in_one_round() {
    complete_several_questions(|call| converse_by_script(Script::Python, call)).await;
}

#[tokio::test]
async fn the_rust_client_completes_several_questions_in_one_round() {
    complete_several_questions(converse_in_rust).await;
}

#[tokio::test]
async fn the_typescript_client_agrees_to_visit_a_page() {
    visit_page(|call| converse_by_script(Script::TypeScript, call)).await;
}

#[tokio::test]
async fn the_python_client_agrees_to_visit_a_page() {
    visit_page(|call| converse_by_script(Script::Python, call)).await;
}

#[tokio::test]
async fn the_rust_client_agrees_to_visit_a_page() {
    visit_page(converse_in_rust).await;
}

#[tokio::test]
async fn the_typescript_client_is_told_of_progress() {
    hear_of_progress(|call| converse_by_script(Script::TypeScript, call)).await;
}

#[tokio::test]
async fn the_python_client_is_told_of_progress() {
    hear_of_progress(|call| converse_by_script(Script::Python, call)).await;
}

#[tokio::test]
async fn the_rust_client_is_told_of_progress() {
    hear_of_progress(converse_in_rust).await;
}

/// One conversation, as [`Script::converse`] describes it.
struct Call {
    url: String,
    ask: Value,
    answers: Value,
}

/// Lets a client call both examples that ask.
async fn complete_tools<F: Future<Output = Value>>(converse: impl Fn(Call) -> F) {
    let host = Host::start().await;
    host.upload_guest("onboard").await;
    host.upload_guest("upgrade-plan").await;

    let outcome = converse(Call {
        url: host.mcp_url(),
        ask: json!({"tool": "onboard", "arguments": {}}),
        answers: json!({"name": "Ada", "email": "ada@example.org"}),
    });
    let outcome = outcome.await;
    let welcome = json!({
        "message": "Welcome on board, Ada!",
        "user": {"name": "Ada", "email": "ada@example.org"},
        "cancelled": false,
    });
    assert_eq!(outcome["questions"], json!(["Please enter your details"]));
    assert_eq!(outcome["result"]["structuredContent"], welcome);

    let outcome = converse(Call {
        url: host.mcp_url(),
        ask: json!({"tool": "upgrade-plan", "arguments": {"user": "ada"}}),
        answers: json!({"plan": "team", "confirmed": true}),
    });
    let outcome = outcome.await;
    let upgrade = json!({"status": "upgraded", "user": "ada", "plan": "team"});
    assert_eq!(outcome["questions"], json!(["Pick a plan", "Confirm upgrade to team?"]));
    assert_eq!(outcome["result"]["structuredContent"], upgrade);
    assert_ne!(outcome["result"]["isError"], true);
}

/// Lets a client get the prompt and read the resource that ask. What the user says comes back in both.
async fn complete_prompt_and_resource<F: Future<Output = Value>>(converse: impl Fn(Call) -> F) {
    let host = Host::start().await;
    host.upload_guest("everything").await;
    let said = "a library of maps";
    let asks = [
        (json!({"prompt": "test_input_required_result_prompt"}), "/messages/0/content/text"),
        (json!({"resource": "test://topic-by-question"}), "/contents/0/text"),
    ];
    for (ask, text) in asks {
        let call = Call { url: host.mcp_url(), ask, answers: json!({"context": said}) };
        let outcome = converse(call).await;
        assert_eq!(outcome["questions"].as_array().map(Vec::len), Some(1), "{outcome}");
        let text = outcome["result"].pointer(text).and_then(Value::as_str);
        assert!(text.is_some_and(|text| text.contains(said)), "{outcome}");
    }
}

/// Lets a client answer two questions that come in one round.
async fn complete_several_questions<F: Future<Output = Value>>(converse: impl Fn(Call) -> F) {
    const TOOL: &str = "test_several_questions";
    let host = Host::start().await;
    host.upload_guest("everything").await;
    let round = host.client().call_tool(TOOL, json!({})).await;
    let keys = round.input_requests().as_object().expect("requests have keys").keys();
    assert_eq!(keys.collect::<Vec<_>>(), ["color", "name"]);

    let outcome = call_tool(&host, converse, TOOL, json!({"name": "Ada", "color": "teal"})).await;
    // A client may put them in any order.
    let mut questions: Vec<&str> =
        outcome["questions"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    questions.sort_unstable();
    assert_eq!(questions, ["What is your favourite colour?", "What is your name?"]);
    assert_eq!(outcome["result"]["content"][0]["text"], "Ada likes teal.");
}

/// Lets a client be asked to visit a page. Its user agrees.
async fn visit_page<F: Future<Output = Value>>(converse: impl Fn(Call) -> F) {
    let host = Host::start().await;
    host.upload_guest("everything").await;
    let outcome = call_tool(&host, converse, "test_url_elicitation", json!({})).await;
    assert_eq!(outcome["pages"], json!(["https://example.com/api-key"]));
    assert_eq!(outcome["questions"], json!(["Please set your API key on this page."]));
    assert_eq!(outcome["result"]["content"][0]["text"], "The user agreed to visit the page.");
}

/// Lets a client call a tool that reports how far it is.
async fn hear_of_progress<F: Future<Output = Value>>(converse: impl Fn(Call) -> F) {
    let host = Host::start().await;
    host.upload_guest("everything").await;
    let outcome = call_tool(&host, converse, "test_tool_with_progress", json!({})).await;
    let progress = outcome["progress"].as_array().expect("a list").iter().map(Value::as_f64);
    assert_eq!(progress.collect::<Vec<_>>(), [Some(0.0), Some(50.0), Some(100.0)]);
    assert_ne!(outcome["result"]["isError"], true);
}

/// Lets a client call a tool without arguments.
async fn call_tool<F: Future<Output = Value>>(
    host: &Host,
    converse: impl Fn(Call) -> F,
    tool: &str,
    answers: Value,
) -> Value {
    converse(Call { url: host.mcp_url(), ask: json!({"tool": tool, "arguments": {}}), answers }).await
}

async fn converse_by_script(script: Script, call: Call) -> Value {
    script.converse(&json!({"url": call.url}), &call.ask, &call.answers).await
}

async fn converse_in_rust(call: Call) -> Value {
    let seen = Arc::new(Mutex::new(Seen::default()));
    let user = User { answers: call.answers, seen: Arc::clone(&seen) };
    let transport = StreamableHttpClientTransport::from_uri(call.url);
    let mode = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    let client = serve_client_with_lifecycle(user, transport, mode).await.expect("the client connects");
    let name = |kind: &str| call.ask[kind].as_str().map(str::to_owned);
    let outcome = async {
        if let Some(tool) = name("tool") {
            let Value::Object(arguments) = &call.ask["arguments"] else { panic!("arguments are an object") };
            let parameters = CallToolRequestParams::new(tool).with_arguments(arguments.clone());
            json!(client.call_tool(parameters).await.expect("the call ends well"))
        } else if let Some(prompt) = name("prompt") {
            json!(client.get_prompt(GetPromptRequestParams::new(prompt)).await.expect("the prompt comes"))
        } else {
            let uri = name("resource").expect("what else is there to ask for");
            json!(client.read_resource(ReadResourceRequestParams::new(uri)).await.expect("the resource comes"))
        }
    };
    let result = timeout(LIMIT, outcome).await.unwrap_or_else(|_| panic!("no end to {}", call.ask));
    client.cancel().await.expect("the client ends");
    let Seen { questions, pages, progress } = &*seen.lock().expect("no test thread panics with the lock");
    json!({"questions": questions, "pages": pages, "progress": progress, "result": result})
}

/// The user at the Rust client.
struct User {
    answers: Value,
    seen: Arc<Mutex<Seen>>,
}

/// What the user has seen, in order.
#[derive(Default)]
struct Seen {
    questions: Vec<String>,
    pages: Vec<String>,
    progress: Vec<f64>,
}

impl User {
    fn see(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().expect("no test thread panics with the lock")
    }
}

impl ClientHandler for User {
    fn get_info(&self) -> ClientConfig {
        let elicitation = ElicitationCapability::new()
            .with_form(FormElicitationCapability::new())
            .with_url(UrlElicitationCapability::new());
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(elicitation);
        ClientConfig::new(capabilities, Implementation::new("dacapo-tests-rust", "0.1.0"))
            .with_protocol_version(ProtocolVersion::V_2026_07_28)
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let accepted = ElicitResult::new(ElicitationAction::Accept);
        Ok(match request {
            ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } => {
                self.see().questions.push(message);
                let fields = requested_schema.properties.keys();
                let content: Map<String, Value> =
                    fields.map(|field| (field.clone(), self.answers[field].clone())).collect();
                accepted.with_content(content.into())
            }
            ElicitRequestParams::UrlElicitationParams { message, url, .. } => {
                let mut seen = self.see();
                seen.questions.push(message);
                seen.pages.push(url);
                accepted
            }
            other => return Err(ErrorData::invalid_params(format!("no question to a user: {other:?}"), None)),
        })
    }

    async fn on_progress(&self, report: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.see().progress.push(report.progress);
    }
}
