//! What came back from the client, checked against what was asked.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value as Json};

use crate::question::{Choice, Field, FieldKind, Question, TextFormat};
use crate::request::Request;

/// An answer as the protocol writes it. Its content is not checked yet.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "action", rename_all = "lowercase")]
pub enum ElicitResult {
    /// The user filled in the form, or agreed to visit the page.
    Accept {
        /// The filled-in fields; none for a page.
        #[serde(skip_serializing_if = "Map::is_empty")]
        content: Map<String, Json>,
    },
    /// The user said no.
    Decline,
    /// The user dismissed the question.
    Cancel,
}

/// Read in one go, where a derived reader would keep everything aside until it has come to the action: every answer of a
/// conversation is read on every round.
impl<'de> Deserialize<'de> for ElicitResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "lowercase")]
        enum Action {
            Accept,
            Decline,
            Cancel,
        }
        #[derive(Deserialize)]
        struct Wire {
            action: Action,
            #[serde(default, deserialize_with = "present")]
            content: Option<Json>,
        }
        // `null` is content, and of the wrong kind.
        fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
            Json::deserialize(deserializer).map(Some)
        }
        let Wire { action, content } = Wire::deserialize(deserializer)?;
        match (action, content) {
            (Action::Accept, None) => Ok(Self::Accept { content: Map::new() }),
            (Action::Accept, Some(Json::Object(content))) => Ok(Self::Accept { content }),
            (Action::Accept, Some(_)) => Err(D::Error::custom("`content` must be an object")),
            (Action::Decline, _) => Ok(Self::Decline),
            (Action::Cancel, _) => Ok(Self::Cancel),
        }
    }
}

/// A folder or file that the client works on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Root {
    /// A `file:` URI.
    pub uri: String,
    /// Its name, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// What kind of response a request wants. A token holds it by its place here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResponseKind {
    /// An answer of the user.
    Elicit,
    /// A message by the model.
    Sample,
    /// Roots.
    Roots,
}

impl ResponseKind {
    /// The protocol's name for the request.
    #[must_use]
    pub fn method(self) -> &'static str {
        match self {
            Self::Elicit => "elicitation/create",
            Self::Sample => "sampling/createMessage",
            Self::Roots => "roots/list",
        }
    }
}

/// A response as the client sent it, its form checked; an answer's content is checked where it is read. It is written as the
/// protocol has it, without what nobody asked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum InputResponse {
    /// To a question.
    Elicit(ElicitResult),
    /// To a sampling request: the whole result.
    Sample(Map<String, Json>),
    /// To a request for roots.
    Roots(RootsResult),
}

/// A client's roots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootsResult {
    /// The roots.
    pub roots: Vec<Root>,
}

impl InputResponse {
    /// Reads a response of this kind; the error says what is wrong.
    ///
    /// # Errors
    ///
    /// When the JSON is not the result of such a request.
    pub fn read(kind: ResponseKind, json: &str) -> Result<Self, String> {
        let read = match kind {
            ResponseKind::Elicit => serde_json::from_str(json).map(Self::Elicit),
            ResponseKind::Sample => serde_json::from_str(json).map(Self::Sample),
            ResponseKind::Roots => serde_json::from_str(json).map(Self::Roots),
        };
        match read.map_err(|error| error.to_string())? {
            Self::Sample(result) => match ["role", "content", "model"].iter().find(|name| !result.contains_key(**name))
            {
                Some(missing) => Err(format!("missing field `{missing}`")),
                None => Ok(Self::Sample(result)),
            },
            response => Ok(response),
        }
    }
}

/// A response as the handler reads it.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// To a question.
    Elicited(Reply),
    /// To a sampling request: the whole result.
    Sampled(Map<String, Json>),
    /// To a request for roots.
    Roots(Vec<Root>),
}

impl Request {
    /// Reads a response to this request, which was made under `key`; `None` when it is of another kind.
    ///
    /// # Errors
    ///
    /// When accepted content does not fit the form.
    pub fn read(&self, key: &str, response: InputResponse) -> Result<Option<Input>, InvalidAnswer> {
        Ok(Some(match (self, response) {
            (Self::Elicit(question), InputResponse::Elicit(result)) => Input::Elicited(question.read(key, &result)?),
            (Self::Sample(_), InputResponse::Sample(result)) => Input::Sampled(result),
            (Self::ListRoots, InputResponse::Roots(RootsResult { roots })) => Input::Roots(roots),
            _ => return Ok(None),
        }))
    }
}

/// An answer as the handler reads it.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The filled-in fields, in the order of the form; none for a page.
    Accept(Vec<(String, Value)>),
    /// The user said no.
    Decline,
    /// The user dismissed the question.
    Cancel,
}

/// A field's value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Of a text field.
    Text(String),
    /// Of an integer field.
    Integer(i64),
    /// Of a number field.
    Number(f64),
    /// Of a boolean field.
    Boolean(bool),
    /// Of a single choice.
    Choice(String),
    /// Of a multiple choice.
    Choices(Vec<String>),
}

/// An accepted answer that does not fit what was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the answer to \"{key}\" does not fit: field \"{field}\" {what}")]
pub struct InvalidAnswer {
    /// The question's key.
    pub key: String,
    /// The field's name.
    pub field: String,
    /// What was expected of it.
    pub what: String,
}

impl Question {
    /// Reads an answer to this question, which was asked under `key`.
    ///
    /// Fields that were not asked for are left out.
    ///
    /// # Errors
    ///
    /// When accepted content does not fit the form.
    pub fn read(&self, key: &str, result: &ElicitResult) -> Result<Reply, InvalidAnswer> {
        let content = match result {
            ElicitResult::Accept { content } => content,
            ElicitResult::Decline => return Ok(Reply::Decline),
            ElicitResult::Cancel => return Ok(Reply::Cancel),
        };
        let Self::Form { fields, .. } = self else { return Ok(Reply::Accept(Vec::new())) };
        let invalid = |field: &Field, what| InvalidAnswer { key: key.to_owned(), field: field.name.clone(), what };
        let mut answers = Vec::with_capacity(fields.len());
        for field in fields {
            match content.get(&field.name) {
                Some(value) => {
                    let value = field.kind.read(value).map_err(|what| invalid(field, what))?;
                    answers.push((field.name.clone(), value));
                }
                None if field.required => return Err(invalid(field, "is required and missing".to_owned())),
                None => {}
            }
        }
        Ok(Reply::Accept(answers))
    }
}

impl FieldKind {
    /// Reads one value; the error says what was expected.
    fn read(&self, value: &Json) -> Result<Value, String> {
        match self {
            Self::Text { min_length, max_length, format, .. } => {
                let text = value.as_str().ok_or("must be a string")?;
                let length = text.chars().count();
                within("characters", length, min_length.as_ref(), max_length.as_ref())?;
                format.map_or(Ok(()), |format| format.check(text))?;
                Ok(Value::Text(text.to_owned()))
            }
            Self::Integer { minimum, maximum, .. } => {
                let integer = integer(value).ok_or("must be a whole number of 64 bits")?;
                in_bounds(integer, minimum.as_ref(), maximum.as_ref())?;
                Ok(Value::Integer(integer))
            }
            Self::Number { minimum, maximum, .. } => {
                let number = value.as_f64().ok_or("must be a number")?;
                in_bounds(number, minimum.as_ref(), maximum.as_ref())?;
                Ok(Value::Number(number))
            }
            Self::Boolean { .. } => Ok(Value::Boolean(value.as_bool().ok_or("must be true or false")?)),
            Self::SingleChoice { choices, .. } => chosen(choices, value).map(Value::Choice),
            Self::MultipleChoice { choices, min_items, max_items, .. } => {
                let items = value.as_array().ok_or("must be an array")?;
                within("items", items.len(), min_items.as_ref(), max_items.as_ref())?;
                items.iter().map(|item| chosen(choices, item)).collect::<Result<_, _>>().map(Value::Choices)
            }
        }
    }
}

impl TextFormat {
    fn check(self, text: &str) -> Result<(), String> {
        use time::format_description::well_known::{Iso8601, Rfc3339, iso8601};
        // RFC 3339's full-date: the one calendar form, with separators.
        const DATE: u128 =
            iso8601::Config::DEFAULT.set_formatted_components(iso8601::FormattedComponents::Date).encode();
        let (fits, name) = match self {
            Self::Email => (email_address::EmailAddress::is_valid(text), "an email address"),
            Self::Uri => (fluent_uri::Uri::parse(text).is_ok(), "an absolute URI"),
            Self::Date => (
                text.len() == "2026-07-28".len() && time::Date::parse(text, &Iso8601::<DATE>).is_ok(),
                "a date such as 2026-07-28",
            ),
            Self::DateTime => {
                (time::OffsetDateTime::parse(text, &Rfc3339).is_ok(), "a date and time such as 2026-07-28T12:00:00Z")
            }
        };
        if fits { Ok(()) } else { Err(format!("must be {name}")) }
    }
}

/// JSON Schema's integers: `42` and `42.0` are the same number.
fn integer(value: &Json) -> Option<i64> {
    /// Up to here every whole `f64` is one integer and no other.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    value.as_i64().or_else(|| {
        let number = value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() <= EXACT)?;
        #[expect(clippy::cast_possible_truncation, reason = "whole and within the exact range, checked just above")]
        Some(number as i64)
    })
}

fn chosen(choices: &[Choice], value: &Json) -> Result<String, String> {
    value.as_str().filter(|text| choices.iter().any(|choice| choice.value == *text)).map(str::to_owned).ok_or_else(
        || {
            let known: Vec<_> = choices.iter().map(|choice| format!("\"{}\"", choice.value)).collect();
            format!("must be one of {}", known.join(", "))
        },
    )
}

fn within(unit: &str, length: usize, least: Option<&u32>, most: Option<&u32>) -> Result<(), String> {
    let length = u64::try_from(length).unwrap_or(u64::MAX);
    match (least, most) {
        (Some(least), _) if length < u64::from(*least) => Err(format!("must have at least {least} {unit}")),
        (_, Some(most)) if length > u64::from(*most) => Err(format!("must have at most {most} {unit}")),
        _ => Ok(()),
    }
}

fn in_bounds<T: Copy + PartialOrd + std::fmt::Display>(
    value: T,
    least: Option<&T>,
    most: Option<&T>,
) -> Result<(), String> {
    match (least, most) {
        (Some(least), _) if value < *least => Err(format!("must be at least {least}")),
        (_, Some(most)) if value > *most => Err(format!("must be at most {most}")),
        _ => Ok(()),
    }
}
