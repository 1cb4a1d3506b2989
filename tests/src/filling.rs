//! Values that fit a schema, and answers that fit a request: for handlers that a test knows nothing of.

use serde_json::{Map, Value, json};

/// A value that fits `schema`, the smallest that comes to mind. References are looked up in `root`.
///
/// Panics where nothing comes to mind.
#[must_use]
pub fn value(schema: &Value, root: &Value) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        let pointer = reference.strip_prefix('#').unwrap_or_else(|| panic!("a reference to elsewhere: {reference}"));
        return value(root.pointer(pointer).unwrap_or_else(|| panic!("no {reference} in {root}")), root);
    }
    if let Some(constant) = schema.get("const") {
        return constant.clone();
    }
    if let Some(first) = schema["enum"].as_array().and_then(|values| values.first()) {
        return first.clone();
    }
    for branches in ["oneOf", "anyOf", "allOf"] {
        if let Some(first) = schema[branches].as_array().and_then(|branches| branches.first()) {
            return value(first, root);
        }
    }
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.clone(),
        kind => vec![kind.clone()],
    };
    match kinds[0].as_str() {
        Some("string") => text(schema).into(),
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(json!(1)),
        Some("boolean") => true.into(),
        Some("array") => {
            let count = schema["minItems"].as_u64().unwrap_or(0);
            (0..count).map(|_| value(&schema["items"], root)).collect()
        }
        Some("null") => Value::Null,
        _ => object(schema, root),
    }
}

/// An answer to a request of the server's: what a client sends in `inputResponses`.
///
/// Panics where the request is of no known kind.
#[must_use]
pub fn answer(request: &Value) -> Value {
    let params = &request["params"];
    match request["method"].as_str() {
        Some("elicitation/create") if params["mode"] == "url" => json!({"action": "accept"}),
        Some("elicitation/create") => {
            let form = &params["requestedSchema"];
            json!({"action": "accept", "content": value(form, form)})
        }
        Some("sampling/createMessage") => {
            json!({"role": "assistant", "content": {"type": "text", "text": "Paris"}, "model": "test"})
        }
        Some("roots/list") => json!({"roots": [{"uri": "file:///home", "name": "home"}]}),
        _ => panic!("not a request that a client answers: {request}"),
    }
}

fn object(schema: &Value, root: &Value) -> Value {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let members = required.iter().filter_map(Value::as_str);
    members.map(|name| (name.to_owned(), value(&schema["properties"][name], root))).collect::<Map<_, _>>().into()
}

fn text(schema: &Value) -> String {
    match schema["format"].as_str() {
        Some("email") => "ada@example.org".to_owned(),
        Some("uri") => "https://example.org/".to_owned(),
        Some("date") => "2026-07-28".to_owned(),
        Some("date-time") => "2026-07-28T12:00:00Z".to_owned(),
        _ => "x".repeat(schema["minLength"].as_u64().and_then(|least| usize::try_from(least).ok()).unwrap_or(1)),
    }
}
