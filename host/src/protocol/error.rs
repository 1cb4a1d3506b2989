//! Errors and their HTTP status.

use dacapo_replay::{Askable, Exceeded};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// A JSON-RPC error, as the client sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RpcError {
    /// The code; see the constructors.
    pub code: i32,
    /// One sentence: what is wrong, what was expected, what to do.
    pub message: String,
    /// What a program can act on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// Whether the server has no room for the request now: 429 over HTTP.
    #[serde(skip)]
    pub is_busy: bool,
}

impl RpcError {
    fn new(code: i32, message: impl Into<String>, data: Option<Value>) -> Self {
        Self { code, message: message.into(), data, is_busy: false }
    }

    /// -32700: what was sent is not JSON.
    pub fn parse(message: impl Into<String>) -> Self {
        Self::new(-32700, message, None)
    }

    /// -32600: what was sent is not a request.
    pub fn invalid_request(message: impl Into<String>) -> Self {
        Self::new(-32600, message, None)
    }

    /// -32601: there is no such method.
    #[must_use]
    pub fn method_not_found(method: &str) -> Self {
        Self::new(-32601, format!("there is no method \"{method}\" in revision {}", super::VERSION), None)
    }

    /// -32602: the method's parameters are wrong.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(-32602, message, None)
    }

    /// -32602: there is no such resource.
    #[must_use]
    pub fn resource_not_found(uri: &str) -> Self {
        Self::new(-32602, format!("there is no resource \"{uri}\""), Some(json!({ "uri": uri })))
    }

    /// -32602 for a retry that can't be served; `reason` is a stable word for programs.
    pub fn rejected_retry(reason: &'static str, message: impl Into<String>) -> Self {
        Self::new(-32602, message, Some(json!({ "reason": reason })))
    }

    /// -32603: the handler or the host failed. What happened stands in the operator's log.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(-32603, message, None)
    }

    /// -32603: the handler wanted more than it may have.
    #[must_use]
    pub fn limit(exceeded: &Exceeded) -> Self {
        let Exceeded { limit, allowed } = exceeded;
        let message = format!("the handler exceeded its limit \"{limit}\", {allowed}");
        Self::new(-32603, message, Some(limit_data("limit", exceeded)))
    }

    /// -32602: the parameters have `size` bytes, more than the handler takes.
    #[must_use]
    pub fn params_too_large(size: usize, exceeded: &Exceeded) -> Self {
        let message = format!("the params have {size} bytes; this handler takes {} at most", exceeded.allowed);
        Self::new(-32602, message, Some(limit_data("limit", exceeded)))
    }

    /// -32603: there is no room for the call now; the same call may be served a little later.
    #[must_use]
    pub fn busy(exceeded: &Exceeded) -> Self {
        let message = "the server has no room for this call now; send it again a little later";
        Self { is_busy: true, ..Self::new(-32603, message, Some(limit_data("busy", exceeded))) }
    }

    /// -32020: a header is missing or says something else than the body.
    pub fn header_mismatch(message: impl Into<String>) -> Self {
        Self::new(-32020, message, None)
    }

    /// -32021: the client did not declare capabilities that the call needs.
    #[must_use]
    pub fn missing_capabilities(lacking: Askable) -> Self {
        let mut elicitation = Map::new();
        let mut sampling = Map::new();
        for (mode, lacks) in [("form", lacking.form), ("url", lacking.url)] {
            if lacks {
                elicitation.insert(mode.to_owned(), json!({}));
            }
        }
        if lacking.sampling_tools {
            sampling.insert("tools".to_owned(), json!({}));
        }
        let mut required = Map::new();
        if !elicitation.is_empty() {
            required.insert("elicitation".to_owned(), elicitation.into());
        }
        if lacking.sampling || lacking.sampling_tools {
            required.insert("sampling".to_owned(), sampling.into());
        }
        if lacking.roots {
            required.insert("roots".to_owned(), json!({}));
        }
        let required = Value::from(required);
        let message = format!("the call needs client capabilities that this request did not declare: {required}");
        Self::new(-32021, message, Some(json!({ "requiredCapabilities": required })))
    }

    /// -32022: the client speaks a revision that the host does not.
    #[must_use]
    pub fn unsupported_version(requested: &str) -> Self {
        let supported = super::SUPPORTED_VERSIONS;
        Self::new(
            -32022,
            format!("protocol version \"{requested}\" is not supported; this server speaks {}", supported.join(", ")),
            Some(json!({ "supported": supported, "requested": requested })),
        )
    }

    /// An error of a handler's own. A code that the protocol reserves becomes -32603.
    #[must_use]
    pub fn of_handler(code: i32, message: String, data: Option<Value>) -> Self {
        let allowed = matches!(code, -32602 | -32603) || !(-32768..=-32000).contains(&code);
        Self::new(if allowed { code } else { -32603 }, message, data)
    }

    /// Bytes of what it says, about as many as its JSON has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.message.len() + self.data.as_ref().map_or(0, |data| data.to_string().len())
    }

    /// The status of an HTTP response that carries this error.
    #[must_use]
    pub fn http_status(&self) -> u16 {
        match self.code {
            _ if self.is_busy => 429,
            -32700 | -32600 | -32602 | -32020 | -32021 | -32022 => 400,
            -32601 => 404,
            _ => 200,
        }
    }
}

fn limit_data(reason: &str, Exceeded { limit, allowed }: &Exceeded) -> Value {
    json!({ "reason": reason, "limit": limit, "value": allowed.number(), "unit": allowed.unit() })
}
