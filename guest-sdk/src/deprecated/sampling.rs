//! Messages by the client's model.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Input, broken};
use crate::bindings::dacapo::handler::inputs as wit;

/// Asks the client's model for a message. **Deprecated** (see [`deprecated`](crate::deprecated)).
#[derive(Debug, Clone)]
pub struct Sampling {
    key: Option<String>,
    params: Params,
}

/// The params of `sampling/createMessage`, as far as they are to be said here.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Params {
    messages: Vec<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stop_sequences: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
struct Message {
    role: &'static str,
    content: Text,
}

#[derive(Debug, Clone, Serialize)]
struct Text {
    r#type: &'static str,
    text: String,
}

/// What the client's model said.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sampled {
    /// The name of the model.
    pub model: String,
    /// Why it stopped, such as `endTurn` or `maxTokens`, where the client says.
    pub stop_reason: Option<String>,
    /// Its content: one block, or a list of blocks.
    pub content: Value,
}

/// What the client sent is no message of a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("what the client sent is no message of a model: {reason}")]
pub struct SamplingError {
    reason: String,
}

impl Sampling {
    /// A request for a message of at most `max_tokens` tokens, without messages before it.
    #[must_use]
    pub const fn new(max_tokens: u32) -> Self {
        let params = Params {
            messages: Vec::new(),
            system_prompt: None,
            temperature: None,
            max_tokens,
            stop_sequences: Vec::new(),
        };
        Self { key: None, params }
    }

    /// Adds a message of the user.
    #[must_use]
    pub fn user(self, text: impl Into<String>) -> Self {
        self.message("user", text.into())
    }

    /// Adds a message of the assistant.
    #[must_use]
    pub fn assistant(self, text: impl Into<String>) -> Self {
        self.message("assistant", text.into())
    }

    fn message(mut self, role: &'static str, text: String) -> Self {
        self.params.messages.push(Message { role, content: Text { r#type: "text", text } });
        self
    }

    /// What the model is told of its part. Nothing by default.
    #[must_use]
    pub fn system_prompt(mut self, text: impl Into<String>) -> Self {
        self.params.system_prompt = Some(text.into());
        self
    }

    /// How freely the model speaks. The client's default by default.
    #[must_use]
    pub const fn temperature(mut self, temperature: f64) -> Self {
        self.params.temperature = Some(temperature);
        self
    }

    /// Texts at which the model stops. None by default.
    #[must_use]
    pub fn stop_sequences<T: Into<String>>(mut self, texts: impl IntoIterator<Item = T>) -> Self {
        self.params.stop_sequences = texts.into_iter().map(Into::into).collect();
        self
    }

    /// The key under which the client sees the request, unique in the conversation. By default `elicit-<N>`, as for questions.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }
}

impl Sampled {
    /// The texts of its content, a line each.
    #[must_use]
    pub fn text(&self) -> String {
        let blocks = match &self.content {
            Value::Array(blocks) => blocks.as_slice(),
            block => std::slice::from_ref(block),
        };
        blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect::<Vec<_>>().join("\n")
    }
}

impl Input for Sampling {
    type Response = Result<Sampled, SamplingError>;

    fn request(&self) -> wit::KeyedRequest {
        // Texts and finite numbers only. A temperature that is none is written as null, which the client refuses.
        let params = serde_json::to_string(&self.params).unwrap_or_default();
        wit::KeyedRequest { key: self.key.clone(), request: wit::InputRequest::Sample(params) }
    }

    fn response(self, response: Option<wit::InputResponse>) -> Self::Response {
        match response {
            Some(wit::InputResponse::Sampled(json)) => {
                serde_json::from_str(&json).map_err(|error| SamplingError { reason: error.to_string() })
            }
            _ => broken("a request for a message"),
        }
    }
}
