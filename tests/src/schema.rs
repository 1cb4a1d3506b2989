//! The protocol's own JSON Schema, which every message is held against.
//!
//! It comes from the official conformance suite, from where `cargo xtask clients` takes it. The functions here panic, with
//! the message and what is wrong with it, where a message breaks it.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::target;

static SCHEMA: LazyLock<Schema> = LazyLock::new(Schema::load);

/// Checks a request of a client.
pub fn check_request(message: &Value) {
    let method = message["method"].as_str().unwrap_or_else(|| panic!("a request has a method: {message}"));
    let definition = SCHEMA.definition_of("ClientRequest", method);
    let definition = definition.unwrap_or_else(|| panic!("clients have no request `{method}`: {message}"));
    SCHEMA.check(&definition, message, message);
}

/// Checks a response of a server to a request with this method. Nothing for the method stands for a request that could
/// not be read: only an error can be the response then.
pub fn check_response(method: Option<&str>, message: &Value) {
    if let Some(code) = message.pointer("/error/code") {
        SCHEMA.check("JSONRPCErrorResponse", message, message);
        SCHEMA.check_error(code, message);
        return;
    }
    SCHEMA.check("JSONRPCResultResponse", message, message);
    let request = method.and_then(|method| SCHEMA.definition_of("ClientRequest", method));
    let Some(request) = request else { panic!("a result for what is no request ({method:?}): {message}") };
    let result = format!("{}Result", request.trim_end_matches("Request"));
    let asks = message["result"]["resultType"] == "input_required" && SCHEMA.may_ask(&result);
    SCHEMA.check(if asks { "InputRequiredResult" } else { &result }, &message["result"], message);
}

/// Checks a notification of a server.
pub fn check_notification(message: &Value) {
    let method = message["method"].as_str().unwrap_or_else(|| panic!("a notification has a method: {message}"));
    let definition = SCHEMA.definition_of("ServerNotification", method);
    let definition = definition.unwrap_or_else(|| panic!("servers have no notification `{method}`: {message}"));
    SCHEMA.check(&definition, message, message);
}

/// Checks what a server sends on a way that it shares with others: a notification, or the response to a request with this
/// method.
pub fn check_answer(method: Option<&str>, message: &Value) {
    if message.get("method").is_some() {
        check_notification(message);
    } else {
        check_response(method, message);
    }
}

struct Schema {
    document: Value,
    /// By the name of the definition that each checks. Made when first asked for.
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

impl Schema {
    fn load() -> Self {
        let path = target::client("schema.json");
        let text = std::fs::read_to_string(&path);
        let text = text.unwrap_or_else(|error| panic!("could not read {}: {error}", path.display()));
        let document = serde_json::from_str(&text);
        let document = document.unwrap_or_else(|error| panic!("{} is no JSON: {error}", path.display()));
        Self { document, validators: Mutex::default() }
    }

    /// The definition of the request or notification with this method, among those that the definition `union` allows.
    fn definition_of(&self, union: &str, method: &str) -> Option<String> {
        let members = self.document["$defs"][union]["anyOf"].as_array().expect("the definition is a union");
        let mut names = members.iter().filter_map(|member| member["$ref"].as_str()?.strip_prefix("#/$defs/"));
        names.find(|name| self.document["$defs"][name]["properties"]["method"]["const"] == method).map(str::to_owned)
    }

    /// Whether a response with this result may ask for input instead.
    fn may_ask(&self, result: &str) -> bool {
        let results = &self.document["$defs"][format!("{result}Response")]["properties"]["result"]["anyOf"];
        results.as_array().is_some_and(|results| results.contains(&json!({"$ref": "#/$defs/InputRequiredResult"})))
    }

    /// Checks an error by the definition for its code, where there is one. Some define the whole response and some only
    /// its error.
    fn check_error(&self, code: &Value, message: &Value) {
        for (name, definition) in self.document["$defs"].as_object().expect("definitions have names") {
            if definition.pointer("/properties/error/allOf/1/properties/code/const") == Some(code) {
                self.check(name, message, message);
            } else if definition.pointer("/properties/code/const") == Some(code) {
                self.check(name, &message["error"], message);
            }
        }
    }

    fn check(&self, definition: &str, part: &Value, message: &Value) {
        let errors: Vec<_> = self
            .validator(definition)
            .iter_errors(part)
            .map(|error| format!("at `{}`: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "this breaks {definition}: {message}\n{}", errors.join("\n"));
    }

    fn validator(&self, definition: &str) -> Arc<Validator> {
        // A broken message in one test leaves the validators whole for the others.
        let mut validators = self.validators.lock().unwrap_or_else(PoisonError::into_inner);
        let validator = validators.entry(definition.to_owned()).or_insert_with(|| {
            assert!(self.document["$defs"][definition].is_object(), "the schema does not define {definition}");
            let mut root = self.document.clone();
            root["$ref"] = format!("#/$defs/{definition}").into();
            let validator = jsonschema::options().should_validate_formats(true).build(&root);
            Arc::new(validator.unwrap_or_else(|error| panic!("{definition} can't be compiled: {error}")))
        });
        Arc::clone(validator)
    }
}
