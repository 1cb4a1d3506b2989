//! The arguments of a call: JSON, and `NAME=VALUE` read as the tool's schema wants it.

use serde_json::{Map, Value};

use super::super::output::Usage;
use crate::protocol::header_params::HeaderParam;
use crate::transport::headers::encoded;

/// Reads arguments as they were typed: a JSON object (`@FILE` holds one), and pairs that add to it. `schema` is the tool's
/// input schema.
///
/// # Errors
///
/// A [`Usage`] that names the argument at fault.
pub(super) fn read(json: Option<&str>, pairs: &[String], schema: &Value) -> Result<Map<String, Value>, Usage> {
    let mut arguments = json.map(object).transpose()?.unwrap_or_default();
    for pair in pairs {
        let (name, value) = split(pair)?;
        arguments.insert(name.to_owned(), typed(name, value, property(schema, name))?);
    }
    Ok(arguments)
}

/// Reads arguments that are all texts, as those of a prompt.
///
/// # Errors
///
/// As [`read`].
pub(super) fn read_texts(json: Option<&str>, pairs: &[String]) -> Result<Map<String, Value>, Usage> {
    let mut arguments = json.map(object).transpose()?.unwrap_or_default();
    for pair in pairs {
        let (name, value) = split(pair)?;
        arguments.insert(name.to_owned(), value.into());
    }
    Ok(arguments)
}

/// The headers that repeat arguments.
pub(super) fn headers(params: &[HeaderParam], arguments: &Map<String, Value>) -> Vec<(String, String)> {
    let arguments = Value::Object(arguments.clone());
    let header = |param: &HeaderParam| {
        let value = match param.value(&arguments)? {
            Value::String(text) => encoded(text).into_owned(),
            value @ (Value::Bool(_) | Value::Number(_)) => value.to_string(),
            _ => return None,
        };
        Some((format!("mcp-param-{}", param.name), value))
    };
    params.iter().filter_map(header).collect()
}

fn object(json: &str) -> Result<Map<String, Value>, Usage> {
    let file = json.strip_prefix('@').map(|path| {
        std::fs::read_to_string(path).map_err(|error| Usage(format!("--args @{path}: can't read it: {error}")))
    });
    let file = file.transpose()?;
    let text = file.as_deref().unwrap_or(json);
    serde_json::from_str(text)
        .map_err(|error| Usage(format!("--args is no JSON object: {error}; expected such as '{{\"name\": \"Ada\"}}'")))
}

fn split(pair: &str) -> Result<(&str, &str), Usage> {
    pair.split_once('=')
        .filter(|(name, _)| !name.is_empty())
        .ok_or_else(|| Usage(format!("\"{pair}\" is no argument: expected NAME=VALUE")))
}

/// The schema of one argument, references within the document followed.
fn property<'a>(schema: &'a Value, name: &str) -> &'a Value {
    /// How many references lead on at most.
    const STEPS: usize = 16;
    let mut found = schema.get("properties").and_then(|properties| properties.get(name)).unwrap_or(&Value::Null);
    for _ in 0..STEPS {
        match found.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix('#')) {
            Some(pointer) => found = schema.pointer(pointer).unwrap_or(&Value::Null),
            None => break,
        }
    }
    found
}

/// Reads a value: as JSON where the schema takes what it says then, and else as text.
fn typed(name: &str, value: &str, schema: &Value) -> Result<Value, Usage> {
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => match schema.get("enum").and_then(Value::as_array) {
            Some(values) if values.iter().all(Value::is_string) => vec!["string"],
            _ => Vec::new(),
        },
    };
    let is = |value: &Value, kind: &str| match kind {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        _ => true,
    };
    let json = serde_json::from_str::<Value>(value).ok();
    match json {
        // What is a text anyway needs no quotes.
        Some(json) if !json.is_string() && (types.is_empty() || types.iter().any(|kind| is(&json, kind))) => Ok(json),
        _ if types.is_empty() || types.contains(&"string") => Ok(value.into()),
        _ => Err(Usage(format!("argument \"{name}\" is \"{value}\"; the tool's schema wants: {}", types.join(" or ")))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema() -> Value {
        json!({"type": "object", "$defs": {"Plan": {"type": "string", "enum": ["1", "2"]}}, "properties": {
            "text": {"type": "string"}, "count": {"type": "integer"}, "share": {"type": "number"},
            "sure": {"type": "boolean"}, "tags": {"type": "array"}, "plan": {"$ref": "#/$defs/Plan"},
            "maybe": {"type": ["integer", "null"]}, "choice": {"enum": ["1", "a"]},
        }})
    }

    #[test]
    fn pairs_are_read_as_the_schema_wants_them() {
        let pairs = ["text=12", "count=12", "share=1.5", "sure=true", "tags=[\"a\"]", "plan=1", "maybe=null"];
        let pairs: Vec<String> =
            pairs.into_iter().chain(["choice=1", "stranger={\"a\":1}", "word=x=y"]).map(str::to_owned).collect();
        let read = read(Some(r#"{"count": 1, "other": "z"}"#), &pairs, &schema()).unwrap();
        assert_eq!(
            Value::Object(read),
            json!({"text": "12", "count": 12, "share": 1.5, "sure": true, "tags": ["a"], "plan": "1", "maybe": null,
                "choice": "1", "stranger": {"a": 1}, "word": "x=y", "other": "z"})
        );
    }

    #[test]
    fn what_does_not_fit_is_named() {
        for (json, pair, word) in [
            (None, "count=many", "integer"),
            (None, "sure=1", "boolean"),
            (None, "=x", "NAME=VALUE"),
            (None, "x", "NAME=VALUE"),
            (Some("[]"), "text=", "JSON object"),
            (Some("@/nowhere.json"), "text=", "/nowhere.json"),
        ] {
            let Usage(message) = read(json, &[pair.to_owned()], &schema()).unwrap_err();
            assert!(message.contains(word), "{pair}: {message}");
        }
    }

    #[test]
    fn headers_repeat_what_is_there() {
        let param = |name: &str| HeaderParam { name: name.to_owned(), path: vec![name.to_owned()] };
        let params = ["text", "count", "sure", "share"].map(param);
        let arguments = json!({"text": "größe", "count": 3, "sure": null});
        let headers = headers(&params, arguments.as_object().unwrap());
        assert_eq!(
            headers,
            [
                ("mcp-param-text".to_owned(), "=?base64?Z3LDtsOfZQ==?=".to_owned()),
                ("mcp-param-count".to_owned(), "3".to_owned())
            ]
        );
    }
}
