//! What clients are asked is written.

use dacapo::protocol::result::{InputRequired, ResultType};
use dacapo_replay::ending::Pending;
use dacapo_replay::question::{Choice, TextFormat};
use dacapo_replay::{Field, FieldKind, Question, Request};
use serde_json::{Map, Value, json};

use crate::same::{assert_written, result, some};

fn text(format: Option<TextFormat>) -> FieldKind {
    FieldKind::Text { min_length: None, max_length: None, format, default: None }
}

fn field(name: &str, title: Option<&str>, description: Option<&str>, required: bool, kind: FieldKind) -> Field {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    Field { name: name.into(), title: owned(title), description: owned(description), required, kind }
}

fn github(title: Option<&str>, description: Option<&str>) -> Question {
    let fields = vec![field("name", title, description, true, text(None))];
    Question::Form { message: "Please provide your GitHub username".into(), fields }
}

#[test]
fn forms_are_written() {
    let asked = json!({"mode": "form", "message": "Please provide your GitHub username",
        "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}});
    assert_written(&github(None, None), asked.clone());

    let mut titled = asked;
    titled["requestedSchema"]["properties"]["name"] =
        json!({"type": "string", "title": "GitHub Username", "description": "Your GitHub username"});
    let request = Request::Elicit(github(Some("GitHub Username"), Some("Your GitHub username")));
    assert_written(&request, json!({"method": "elicitation/create", "params": titled}));

    let age = FieldKind::Number { minimum: Some(18.0), maximum: None, default: None };
    let fields = vec![
        field("name", None, Some("Your full name"), true, text(None)),
        field("email", None, Some("Your email address"), true, text(Some(TextFormat::Email))),
        field("age", None, Some("Your age"), false, age),
    ];
    assert_written(
        &Question::Form { message: "Please provide your contact information".into(), fields },
        json!({
            "mode": "form",
            "message": "Please provide your contact information",
            "requestedSchema": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "description": "Your full name"},
                    "email": {"type": "string", "format": "email", "description": "Your email address"},
                    "age": {"type": "number", "minimum": 18, "description": "Your age"},
                },
                "required": ["name", "email"],
            },
        }),
    );
}

#[test]
fn pages_are_written() {
    let message = "Please provide your API key to continue.";
    let url = "https://mcp.example.com/ui/set_api_key";
    assert_written(
        &Question::Url { message: message.into(), url: url.into() },
        json!({"mode": "url", "url": url, "message": message}),
    );
}

/// Checks how a field is written, in a form of its own.
fn assert_field(title: &str, description: &str, kind: FieldKind, example: Value) {
    let fields = vec![field("it", Some(title), Some(description), false, kind)];
    let schema = json!({"type": "object", "properties": {"it": example}});
    assert_written(
        &Question::Form { message: "?".into(), fields },
        json!({"mode": "form", "message": "?", "requestedSchema": schema}),
    );
}

#[test]
fn fields_of_every_simple_kind_are_written() {
    let (title, description) = ("Display Name", "Description text");
    assert_field(
        title,
        description,
        FieldKind::Boolean { default: Some(false) },
        json!({"type": "boolean", "title": title, "description": description, "default": false}),
    );
    assert_field(
        title,
        description,
        FieldKind::Number { minimum: Some(0.0), maximum: Some(100.0), default: Some(50.0) },
        json!({"type": "number", "title": title, "description": description,
            "minimum": 0, "maximum": 100, "default": 50}),
    );
    assert_field(
        title,
        description,
        FieldKind::Text {
            min_length: Some(3),
            max_length: Some(50),
            format: Some(TextFormat::Email),
            default: some("user@example.com"),
        },
        json!({"type": "string", "title": title, "description": description,
            "minLength": 3, "maxLength": 50, "format": "email", "default": "user@example.com"}),
    );
}

#[test]
fn choices_are_written_with_titles_and_without() {
    let one = ("Color Selection", "Choose your favorite color");
    let several = ("Color Selection", "Choose your favorite colors");
    let names = ["Red", "Green", "Blue"];
    let untitled = || names.map(|name| Choice { value: name.into(), title: None }).to_vec();
    let titled = || {
        let colors = ["#FF0000", "#00FF00", "#0000FF"].into_iter().zip(names);
        colors.map(|(value, title)| Choice { value: value.into(), title: some(title) }).collect::<Vec<_>>()
    };
    let consts = json!([{"const": "#FF0000", "title": "Red"}, {"const": "#00FF00", "title": "Green"},
        {"const": "#0000FF", "title": "Blue"}]);
    let multiple = |choices, default: [&str; 2]| FieldKind::MultipleChoice {
        choices,
        min_items: Some(1),
        max_items: Some(2),
        default: Some(default.map(str::to_owned).to_vec()),
    };
    assert_field(
        one.0,
        one.1,
        FieldKind::SingleChoice { choices: untitled(), default: some("Red") },
        json!({"type": "string", "title": one.0, "description": one.1, "enum": names, "default": "Red"}),
    );
    assert_field(
        one.0,
        one.1,
        FieldKind::SingleChoice { choices: titled(), default: some("#FF0000") },
        json!({"type": "string", "title": one.0, "description": one.1, "oneOf": consts, "default": "#FF0000"}),
    );
    assert_field(
        several.0,
        several.1,
        multiple(untitled(), ["Red", "Green"]),
        json!({"type": "array", "title": several.0, "description": several.1, "minItems": 1, "maxItems": 2,
            "items": {"type": "string", "enum": names}, "default": ["Red", "Green"]}),
    );
    assert_field(
        several.0,
        several.1,
        multiple(titled(), ["#FF0000", "#00FF00"]),
        json!({"type": "array", "title": several.0, "description": several.1, "minItems": 1, "maxItems": 2,
            "items": {"anyOf": consts}, "default": ["#FF0000", "#00FF00"]}),
    );
}

fn sampling() -> Map<String, Value> {
    let Value::Object(params) = json!({
        "messages": [{"role": "user", "content": {"type": "text", "text": "What is the capital of France?"}}],
        "maxTokens": 100,
    }) else {
        panic!("params are an object");
    };
    params
}

#[test]
fn several_requests_are_written_under_their_keys_beside_the_state() {
    let pending =
        [("github_login", Request::Elicit(github(None, None))), ("capital_of_france", Request::Sample(sampling()))];
    let pending = pending.map(|(key, request)| {
        let json = request.json().unwrap();
        Pending { key: key.into(), request, json }
    });
    let state = "eyJsb2NhdGlvbiI6Ik5ldyBZb3JrIn0";
    assert_written(
        &result(ResultType::InputRequired, None, &InputRequired::new(&pending, state.into())),
        json!({
            "resultType": "input_required",
            "inputRequests": {
                "github_login": {
                    "method": "elicitation/create",
                    "params": {
                        "mode": "form",
                        "message": "Please provide your GitHub username",
                        "requestedSchema": {
                            "type": "object",
                            "properties": {"name": {"type": "string"}},
                            "required": ["name"],
                        },
                    },
                },
                "capital_of_france": {"method": "sampling/createMessage", "params": sampling()},
            },
            "requestState": state,
        }),
    );
}
