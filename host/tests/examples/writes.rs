//! What servers offer and answer is written.

use dacapo::protocol::content::{Annotations, ContentBlock, Extras, Icon, Media, ResourceBody, ResourceContents, Role};
use dacapo::protocol::jsonrpc::response;
use dacapo::protocol::prompt::{GetPromptResult, Prompt, PromptArgument, PromptMessage};
use dacapo::protocol::resource::{About, ReadResourceResult, Resource, ResourceTemplate};
use dacapo::protocol::result::ResultType;
use dacapo::protocol::tool::{CallToolResult, Tool};
use serde_json::{Value, json};

use crate::same::{assert_result, assert_text, assert_written, raw, result, some, text_id};

const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const MAIN: &str = "fn main() {\n    println!(\"Hello world!\");\n}";
const REVIEW: &str = "Please review this Python code:\ndef hello():\n    print('world')";

fn text(text: &str) -> ContentBlock {
    ContentBlock::Text { text: text.into(), extras: Extras::default() }
}

fn annotated(audience: Vec<Role>, priority: f64, last_modified: Option<&str>) -> Option<Annotations> {
    Some(Annotations { audience, priority: Some(priority), last_modified: last_modified.map(str::to_owned) })
}

fn icon(src: &str, mime_type: &str, size: &str) -> Vec<Icon> {
    vec![Icon { src: src.into(), mime_type: some(mime_type), sizes: vec![size.into()], theme: None }]
}

fn contents(uri: &str, mime_type: &str, body: ResourceBody) -> ResourceContents {
    ResourceContents { uri: uri.into(), mime_type: some(mime_type), body, meta: None }
}

fn main_rs() -> ResourceContents {
    contents("file:///project/src/main.rs", "text/x-rust", ResourceBody::Text(MAIN.into()))
}

#[test]
fn content_blocks_are_written() {
    assert_written(&text("Tool result text"), json!({"type": "text", "text": "Tool result text"}));
    let wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";
    assert_written(
        &ContentBlock::Audio(Media { data: wav.into(), mime_type: "audio/wav".into(), extras: Extras::default() }),
        json!({"type": "audio", "data": wav, "mimeType": "audio/wav"}),
    );
    let extras = Extras { annotations: annotated(vec![Role::User], 0.9, None), meta: None };
    assert_written(
        &ContentBlock::Image(Media { data: PIXEL.into(), mime_type: "image/png".into(), extras }),
        json!({"type": "image", "data": PIXEL, "mimeType": "image/png",
            "annotations": {"audience": ["user"], "priority": 0.9}}),
    );
    let time = "2025-05-03T14:30:00Z";
    let annotations = annotated(vec![Role::User, Role::Assistant], 0.7, Some(time));
    assert_written(
        &ContentBlock::Resource { resource: main_rs(), extras: Extras { annotations, meta: None } },
        json!({
            "type": "resource",
            "resource": {"uri": "file:///project/src/main.rs", "mimeType": "text/x-rust", "text": MAIN},
            "annotations": {"audience": ["user", "assistant"], "priority": 0.7, "lastModified": time},
        }),
    );
    assert_written(
        &ContentBlock::ResourceLink(Resource {
            uri: "file:///project/src/main.rs".into(),
            about: about("main.rs", None, Some("Primary application entry point"), "text/x-rust"),
            size: None,
        }),
        json!({"type": "resource_link", "uri": "file:///project/src/main.rs", "name": "main.rs",
            "description": "Primary application entry point", "mimeType": "text/x-rust"}),
    );
}

#[test]
fn tools_are_written_with_their_schemas_as_they_are() {
    let location = json!({"type": "object", "required": ["location"],
        "properties": {"location": {"type": "string", "description": "City name or zip code"}}});
    let numbers = json!({"type": "object", "required": ["a", "b"],
        "properties": {"a": {"type": "number"}, "b": {"type": "number"}}});
    let mut draft_07 = numbers.clone();
    draft_07["$schema"] = "http://json-schema.org/draft-07/schema#".into();
    let either = json!({"type": "object", "oneOf": [
        {"properties": {"id": {"type": "string", "description": "Resource ID"}}, "required": ["id"]},
        {"properties": {"name": {"type": "string", "description": "Resource name"}}, "required": ["name"]},
    ]});
    let weather = json!({"type": "object", "required": ["temperature", "conditions", "humidity"], "properties": {
        "temperature": {"type": "number", "description": "Temperature in celsius"},
        "conditions": {"type": "string", "description": "Weather conditions description"},
        "humidity": {"type": "number", "description": "Humidity percentage"},
    }});
    let users = json!({"type": "array", "items": {"type": "object", "required": ["id", "name", "email"],
    "properties": {
        "id": {"type": "string", "description": "User ID"},
        "name": {"type": "string", "description": "User name"},
        "email": {"type": "string", "description": "User email"},
    }}});
    let nothing = json!({"type": "object", "properties": {}});
    let closed = json!({"type": "object", "additionalProperties": false});
    let examples = [
        ("calculate_sum", None, "Add two numbers", numbers, None),
        ("calculate_sum", None, "Add two numbers", draft_07, None),
        ("find_resource", Some("Resource Finder"), "Find a resource by ID or name", either, None),
        ("get_current_time", None, "Returns the current server time", closed, None),
        (
            "get_weather_data",
            Some("Weather Data Retriever"),
            "Get current weather data for a location",
            location.clone(),
            Some(weather),
        ),
        ("list_users", Some("User List"), "Returns a list of all users", nothing, Some(users)),
    ];
    for (name, title, description, input, output) in examples {
        let mut example = json!({"name": name, "description": description, "inputSchema": input});
        if let Some(title) = title {
            example["title"] = title.into();
        }
        if let Some(output) = &output {
            example["outputSchema"] = output.clone();
        }
        assert_written(&tool(name, title, description, input, output), example);
    }
    let (name, title, description) =
        ("get_weather", "Weather Information Provider", "Get current weather information for a location");
    let mut listed = tool(name, Some(title), description, location.clone(), None);
    listed.icons = icon("https://example.com/weather-icon.png", "image/png", "48x48");
    assert_written(
        &listed,
        json!({"name": name, "title": title, "description": description, "inputSchema": location,
            "icons": [{"src": "https://example.com/weather-icon.png", "mimeType": "image/png", "sizes": ["48x48"]}]}),
    );
}

fn tool(name: &str, title: Option<&str>, description: &str, input: Value, output: Option<Value>) -> Tool {
    Tool {
        name: name.into(),
        title: title.map(str::to_owned),
        description: some(description),
        input_schema: raw(input),
        output_schema: output.map(raw),
        annotations: None,
        icons: Vec::new(),
        meta: None,
    }
}

#[test]
fn results_of_tools_are_written() {
    let called = |said: &str, structured_content: Option<Value>, is_error| CallToolResult {
        content: vec![text(said)],
        structured_content: structured_content.map(raw),
        is_error,
        meta: None,
    };
    let content = |said: &str| json!([{"type": "text", "text": said}]);
    let said = "Invalid departure date: must be in the future. Current date is 08/08/2025.";
    assert_result(
        &called(said, None, true),
        json!({"resultType": "complete", "content": content(said), "isError": true}),
    );
    let said = r#"{"temperature": 22.5, "conditions": "Partly cloudy", "humidity": 65}"#;
    let structured: Value = serde_json::from_str(said).unwrap();
    assert_result(
        &called(said, Some(structured.clone()), false),
        json!({"resultType": "complete", "content": content(said), "structuredContent": structured}),
    );
    let said = "Found 2 users: Alice (alice@example.com) and Bob (bob@example.com).";
    let structured = json!([{"id": "1", "name": "Alice", "email": "alice@example.com"},
        {"id": "2", "name": "Bob", "email": "bob@example.com"}]);
    assert_result(
        &called(said, Some(structured.clone()), false),
        json!({"resultType": "complete", "content": content(said), "structuredContent": structured}),
    );
    // The example says `"isError": false`, which is what leaving it out means.
    let said = "Current weather in New York:\nTemperature: 72°F\nConditions: Partly cloudy";
    let answered = result(ResultType::Complete, None, &called(said, None, false));
    assert_text(
        &response(Some(&text_id("call-tool-example")), &Ok(answered)),
        json!({"jsonrpc": "2.0", "id": "call-tool-example",
            "result": {"resultType": "complete", "content": content(said)}}),
    );
}

#[test]
fn prompts_are_written() {
    let description = "Asks the LLM to analyze code quality and suggest improvements";
    assert_written(
        &Prompt {
            name: "code_review".into(),
            title: some("Request Code Review"),
            description: some(description),
            arguments: vec![PromptArgument {
                name: "code".into(),
                title: None,
                description: some("The code to review"),
                required: true,
            }],
            icons: icon("https://example.com/review-icon.svg", "image/svg+xml", "any"),
            meta: None,
        },
        json!({
            "name": "code_review",
            "title": "Request Code Review",
            "description": description,
            "arguments": [{"name": "code", "description": "The code to review", "required": true}],
            "icons": [{"src": "https://example.com/review-icon.svg", "mimeType": "image/svg+xml", "sizes": ["any"]}],
        }),
    );
    let body = GetPromptResult {
        description: some("Code review prompt"),
        messages: vec![PromptMessage { role: Role::User, content: text(REVIEW) }],
        meta: None,
    };
    let example = json!({"resultType": "complete", "description": "Code review prompt",
        "messages": [{"role": "user", "content": {"type": "text", "text": REVIEW}}]});
    assert_result(&body, example.clone());
    assert_text(
        &response(Some(&text_id("get-prompt-example")), &Ok(result(ResultType::Complete, None, &body))),
        json!({"jsonrpc": "2.0", "id": "get-prompt-example", "result": example}),
    );
}

fn about(name: &str, title: Option<&str>, description: Option<&str>, mime_type: &str) -> About {
    About {
        name: name.into(),
        title: title.map(str::to_owned),
        description: description.map(str::to_owned),
        mime_type: some(mime_type),
        annotations: None,
        icons: Vec::new(),
        meta: None,
    }
}

#[test]
fn resources_and_templates_are_written() {
    let (title, description) = ("Rust Software Application Main File", "Primary application entry point");
    let mut main = about("main.rs", Some(title), Some(description), "text/x-rust");
    main.icons = icon("https://example.com/rust-file-icon.png", "image/png", "48x48");
    assert_written(
        &Resource { uri: "file:///project/src/main.rs".into(), about: main, size: None },
        json!({"uri": "file:///project/src/main.rs", "name": "main.rs", "title": title, "description": description,
            "mimeType": "text/x-rust", "icons": [
                {"src": "https://example.com/rust-file-icon.png", "mimeType": "image/png", "sizes": ["48x48"]}]}),
    );
    let time = "2025-01-12T15:00:58Z";
    let mut readme = about("README.md", Some("Project Documentation"), None, "text/markdown");
    readme.annotations = annotated(vec![Role::User], 0.8, Some(time));
    assert_written(
        &Resource { uri: "file:///project/README.md".into(), about: readme, size: None },
        json!({"uri": "file:///project/README.md", "name": "README.md", "title": "Project Documentation",
            "mimeType": "text/markdown",
            "annotations": {"audience": ["user"], "priority": 0.8, "lastModified": time}}),
    );
    let description = "Access files in the project directory";
    let mut files = about("Project Files", Some("📁 Project Files"), Some(description), "application/octet-stream");
    files.icons = icon("https://example.com/folder-icon.png", "image/png", "48x48");
    assert_written(
        &ResourceTemplate { uri_template: "file:///{path}".into(), about: files },
        json!({"uriTemplate": "file:///{path}", "name": "Project Files", "title": "📁 Project Files",
            "description": description, "mimeType": "application/octet-stream", "icons": [
                {"src": "https://example.com/folder-icon.png", "mimeType": "image/png", "sizes": ["48x48"]}]}),
    );
}

#[test]
fn contents_of_resources_are_written() {
    assert_written(
        &contents("file:///example.png", "image/png", ResourceBody::Blob(PIXEL.into())),
        json!({"uri": "file:///example.png", "mimeType": "image/png", "blob": PIXEL}),
    );
    assert_written(
        &contents("file:///example.txt", "text/plain", ResourceBody::Text("Resource content".into())),
        json!({"uri": "file:///example.txt", "mimeType": "text/plain", "text": "Resource content"}),
    );
    let read = result(ResultType::Complete, None, &ReadResourceResult { contents: vec![main_rs()], meta: None });
    assert_text(
        &response(Some(&text_id("read-resource-example")), &Ok(read)),
        json!({"jsonrpc": "2.0", "id": "read-resource-example", "result": {"resultType": "complete",
            "contents": [{"uri": "file:///project/src/main.rs", "mimeType": "text/x-rust", "text": MAIN}]}}),
    );
}
