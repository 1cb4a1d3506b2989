//! Questions as they were asked.

use dacapo_replay::ending::Pending;
use dacapo_replay::question::TextFormat;
use dacapo_replay::{Field, FieldKind, Request};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// A question as it was asked, under the key that answers it.
#[derive(Clone, PartialEq)]
pub struct Question {
    key: String,
    request: Request,
}

impl From<Pending> for Question {
    fn from(pending: Pending) -> Self {
        Self { key: pending.key, request: pending.request }
    }
}

impl Question {
    /// The key that answers it.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What the user reads. Empty for requests that no user sees.
    #[must_use]
    pub fn message(&self) -> &str {
        match &self.request {
            Request::Elicit(
                dacapo_replay::Question::Form { message, .. } | dacapo_replay::Question::Url { message, .. },
            ) => message,
            Request::Sample(_) | Request::ListRoots => "",
        }
    }

    /// The request as the client sees it: `method` and `params`.
    #[must_use]
    pub fn request(&self) -> Value {
        // Its numbers are finite, or it would not have been asked.
        serde_json::to_value(&self.request).unwrap_or_default()
    }

    /// The form's JSON Schema; null where no form is asked for.
    #[must_use]
    pub fn schema(&self) -> Value {
        self.request().pointer_mut("/params/requestedSchema").map(Value::take).unwrap_or_default()
    }

    /// The page's address, where a page is to be visited.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        match &self.request {
            Request::Elicit(dacapo_replay::Question::Url { url, .. }) => Some(url),
            _ => None,
        }
    }

    /// The form's JSON Schema, its fields in their order.
    fn form(&self) -> String {
        #[derive(Deserialize)]
        struct Written {
            params: Params,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Params {
            requested_schema: Box<RawValue>,
        }
        let written = serde_json::to_string(&self.request).unwrap_or_default();
        let read: Result<Written, _> = serde_json::from_str(&written);
        read.map_or(written, |request| request.params.requested_schema.get().to_owned())
    }

    /// A line of a script that answers it.
    pub(super) fn suggestion(&self) -> String {
        let answer = match &self.request {
            Request::Elicit(dacapo_replay::Question::Form { fields, .. }) => {
                let required = fields.iter().filter(|field| field.required);
                let content: Vec<_> = required.map(|field| format!("{:?}: {}", field.name, sample(field))).collect();
                format!("accept(json!({{{}}}))", content.join(", "))
            }
            Request::Elicit(dacapo_replay::Question::Url { .. }) => "accept(json!({}))".to_owned(),
            Request::Sample(_) => {
                let text = json!({ "type": "text", "text": "…" });
                format!("json!({})", json!({ "role": "assistant", "model": "m", "content": text }))
            }
            Request::ListRoots => format!("json!({})", json!({ "roots": [{ "uri": "file:///home" }] })),
        };
        format!(".answer({:?}, {answer})", self.key)
    }
}

/// As the author is told of it: key, message, and the form or the page.
impl std::fmt::Debug for Question {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {:?}", self.key, self.message())?;
        match &self.request {
            Request::Elicit(dacapo_replay::Question::Form { .. }) => write!(f, " with the form {}", self.form()),
            Request::Elicit(dacapo_replay::Question::Url { url, .. }) => write!(f, " with the page {url}"),
            _ => write!(f, " by {}", self.request()),
        }
    }
}

/// A value that fits the field.
fn sample(field: &Field) -> Value {
    match &field.kind {
        FieldKind::Text { default: Some(text), .. } => json!(text),
        FieldKind::Text { format: Some(format), .. } => json!(match format {
            TextFormat::Email => "ada@example.org",
            TextFormat::Uri => "https://example.org",
            TextFormat::Date => "2026-07-28",
            TextFormat::DateTime => "2026-07-28T12:00:00Z",
        }),
        FieldKind::Text { min_length, .. } => {
            json!("a".repeat(usize::try_from(min_length.unwrap_or(0)).unwrap_or(0).max(1)))
        }
        FieldKind::Integer { minimum, maximum, default } => {
            json!(default.unwrap_or_else(|| 1.max(minimum.unwrap_or(1)).min(maximum.unwrap_or(i64::MAX))))
        }
        FieldKind::Number { minimum, maximum, default } => {
            json!(default.unwrap_or_else(|| 1f64.max(minimum.unwrap_or(1.0)).min(maximum.unwrap_or(f64::MAX))))
        }
        FieldKind::Boolean { .. } => json!(true),
        FieldKind::SingleChoice { choices, default } => {
            json!(default.as_ref().or_else(|| choices.first().map(|choice| &choice.value)))
        }
        FieldKind::MultipleChoice { choices, min_items, .. } => {
            let items = usize::try_from(min_items.unwrap_or(0)).unwrap_or(0).max(1);
            choices.iter().take(items).map(|choice| choice.value.as_str()).collect()
        }
    }
}
