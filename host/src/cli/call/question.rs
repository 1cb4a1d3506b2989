//! Questions as they come from a server, read into the forms that the replay core knows.

use std::fmt;
use std::marker::PhantomData;

use dacapo_replay::question::{Choice, TextFormat};
use dacapo_replay::{ElicitResult, Field, FieldKind, Question};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Number, Value, json};

/// What a server asks for, in a result that wants input.
#[derive(Debug, Deserialize)]
struct InputRequest {
    method: String,
    #[serde(default)]
    params: Option<Box<RawValue>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params {
    #[serde(default)]
    mode: Option<String>,
    message: String,
    #[serde(default)]
    requested_schema: Option<Form>,
    #[serde(default)]
    url: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Form {
    #[serde(default = "Ordered::none")]
    properties: Ordered<Property>,
    #[serde(default)]
    required: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Property {
    r#type: String,
    title: Option<String>,
    description: Option<String>,
    default: Option<Value>,
    min_length: Option<u32>,
    max_length: Option<u32>,
    format: Option<String>,
    minimum: Option<Number>,
    maximum: Option<Number>,
    min_items: Option<u32>,
    max_items: Option<u32>,
    enum_names: Option<Vec<String>>,
    items: Option<Items>,
    #[serde(flatten)]
    choices: Items,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Items {
    r#enum: Option<Vec<String>>,
    #[serde(alias = "oneOf")]
    any_of: Option<Vec<Titled>>,
}

#[derive(Debug, Deserialize)]
struct Titled {
    r#const: String,
    title: Option<String>,
}

/// A JSON object whose members keep their order: that in which the user is to see them.
#[derive(Debug)]
pub(super) struct Ordered<T>(pub(super) Vec<(String, T)>);

impl<T> Ordered<T> {
    fn none() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Ordered<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = Ordered<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ordered<T>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Ordered(members))
            }
        }
        deserializer.deserialize_map(Members(PhantomData))
    }
}

/// Reads an input request; the error says why it can't be put to a user.
///
/// # Errors
///
/// When it is none, or asks for something else than a user's answer.
pub(super) fn read(request: &RawValue) -> Result<Question, String> {
    let broken = |error: serde_json::Error| format!("it is not well formed: {error}");
    let InputRequest { method, params } = serde_json::from_str(request.get()).map_err(broken)?;
    if method != "elicitation/create" {
        return Err(format!("it is a {method}, which a terminal has no answer to"));
    }
    let params = params.as_ref().map_or("null", |params| params.get());
    let Params { mode, message, requested_schema, url } = serde_json::from_str(params).map_err(broken)?;
    match (mode.as_deref().unwrap_or("form"), requested_schema, url) {
        ("form", Some(Form { properties: Ordered(properties), required }), _) => {
            let field = |(name, property): (String, Property)| {
                let required = required.contains(&name);
                property.field(name, required)
            };
            let fields = properties.into_iter().map(field).collect::<Result<_, _>>()?;
            Ok(Question::Form { message, fields })
        }
        ("url", _, Some(url)) => Ok(Question::Url { message, url }),
        (mode, ..) => Err(format!("its mode is \"{mode}\", and what belongs to that is missing or not known")),
    }
}

impl Property {
    fn field(self, name: String, required: bool) -> Result<Field, String> {
        let default = self.default;
        let text = |default: Option<Value>| default.as_ref().and_then(Value::as_str).map(str::to_owned);
        let own = self.choices.choices(self.enum_names);
        let kind = match (self.r#type.as_str(), own) {
            ("string", Some(choices)) => FieldKind::SingleChoice { choices, default: text(default) },
            ("string", None) => FieldKind::Text {
                min_length: self.min_length,
                max_length: self.max_length,
                format: match self.format.as_deref() {
                    Some("email") => Some(TextFormat::Email),
                    Some("uri") => Some(TextFormat::Uri),
                    Some("date") => Some(TextFormat::Date),
                    Some("date-time") => Some(TextFormat::DateTime),
                    _ => None,
                },
                default: text(default),
            },
            ("integer", _) => FieldKind::Integer {
                minimum: self.minimum.as_ref().and_then(whole),
                maximum: self.maximum.as_ref().and_then(whole),
                default: default.as_ref().and_then(|default| whole(default.as_number()?)),
            },
            ("number", _) => FieldKind::Number {
                minimum: self.minimum.as_ref().and_then(Number::as_f64),
                maximum: self.maximum.as_ref().and_then(Number::as_f64),
                default: default.as_ref().and_then(Value::as_f64),
            },
            ("boolean", _) => FieldKind::Boolean { default: default.as_ref().and_then(Value::as_bool) },
            ("array", _) => FieldKind::MultipleChoice {
                choices: self
                    .items
                    .and_then(|items| items.choices(None))
                    .ok_or_else(|| format!("its field \"{name}\" is a list with nothing to choose from"))?,
                min_items: self.min_items,
                max_items: self.max_items,
                default: default.and_then(|default| serde_json::from_value(default).ok()),
            },
            (other, _) => return Err(format!("its field \"{name}\" is of type \"{other}\", which forms do not have")),
        };
        Ok(Field { name, title: self.title, description: self.description, required, kind })
    }
}

impl Items {
    fn choices(self, names: Option<Vec<String>>) -> Option<Vec<Choice>> {
        if let Some(titled) = self.any_of {
            return Some(titled.into_iter().map(|Titled { r#const: value, title }| Choice { value, title }).collect());
        }
        let mut names = names.unwrap_or_default().into_iter();
        Some(self.r#enum?.into_iter().map(|value| Choice { value, title: names.next() }).collect())
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a bound beyond 64 bits is as good as the last number of 64 bits")]
fn whole(number: &Number) -> Option<i64> {
    number.as_i64().or_else(|| number.as_f64().map(|number| number as i64))
}

/// Whether a field takes a value; the error says what was expected.
///
/// # Errors
///
/// When it does not.
pub(super) fn check(field: &Field, value: &Value) -> Result<(), String> {
    let content = Map::from_iter([(field.name.clone(), value.clone())]);
    let question = Question::Form { message: String::new(), fields: vec![field.clone()] };
    question.read("", &ElicitResult::Accept { content }).map(|_| ()).map_err(|invalid| invalid.what)
}

/// What a field takes, in words.
pub(super) fn wanted(field: &Field) -> String {
    let bounds = |unit: &str, least: Option<String>, most: Option<String>| match (least, most) {
        (Some(least), Some(most)) => format!(", {least} to {most}{unit}"),
        (Some(least), None) => format!(", at least {least}{unit}"),
        (None, Some(most)) => format!(", at most {most}{unit}"),
        (None, None) => String::new(),
    };
    let count = |number: &Option<u32>| number.as_ref().map(ToString::to_string);
    match &field.kind {
        FieldKind::Text { min_length, max_length, format, .. } => {
            let what = match format {
                Some(TextFormat::Email) => "an email address",
                Some(TextFormat::Uri) => "a URI",
                Some(TextFormat::Date) => "a date such as 2026-07-28",
                Some(TextFormat::DateTime) => "a date and time such as 2026-07-28T12:00:00Z",
                None => "text",
            };
            format!("{what}{}", bounds(" characters", count(min_length), count(max_length)))
        }
        FieldKind::Integer { minimum, maximum, .. } => {
            format!("a whole number{}", bounds("", minimum.map(|it| it.to_string()), maximum.map(|it| it.to_string())))
        }
        FieldKind::Number { minimum, maximum, .. } => {
            format!("a number{}", bounds("", minimum.map(|it| it.to_string()), maximum.map(|it| it.to_string())))
        }
        FieldKind::Boolean { .. } => "true or false".to_owned(),
        FieldKind::SingleChoice { choices, .. } => format!("one of {}", values(choices)),
        FieldKind::MultipleChoice { choices, min_items, max_items, .. } => {
            format!("some of {}{}", values(choices), bounds(" of them", count(min_items), count(max_items)))
        }
    }
}

fn values(choices: &[Choice]) -> String {
    choices.iter().map(|choice| format!("\"{}\"", choice.value)).collect::<Vec<_>>().join(", ")
}

/// An answer such as a file for `--answers` may hold.
pub(super) fn example(question: &Question) -> Value {
    let Question::Form { fields, .. } = question else { return json!({"action": "accept"}) };
    let value = |field: &Field| match &field.kind {
        FieldKind::Text { default, .. } => default.as_deref().unwrap_or("…").into(),
        FieldKind::Integer { default, minimum, .. } => default.or(*minimum).unwrap_or(0).into(),
        FieldKind::Number { default, minimum, .. } => default.or(*minimum).unwrap_or(0.0).into(),
        FieldKind::Boolean { default } => default.unwrap_or(true).into(),
        FieldKind::SingleChoice { choices, default } => {
            default.as_deref().or_else(|| Some(&choices.first()?.value)).unwrap_or_default().into()
        }
        FieldKind::MultipleChoice { choices, default, .. } => match (default, choices.first()) {
            (Some(default), _) => default.clone().into(),
            (None, first) => first.iter().map(|choice| choice.value.clone()).collect::<Vec<_>>().into(),
        },
    };
    let content: Map<String, Value> = fields.iter().map(|field| (field.name.clone(), value(field))).collect();
    json!({"action": "accept", "content": content})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_json(json: &str) -> Result<Question, String> {
        read(&RawValue::from_string(json.to_owned()).unwrap())
    }

    #[test]
    fn every_kind_of_field_is_read_in_the_order_of_the_form() {
        let schema = r#"{"type": "object", "required": ["z"], "properties": {
            "z": {"type": "string", "title": "Z", "minLength": 1, "maxLength": 3, "format": "date", "default": "x"},
            "i": {"type": "integer", "minimum": 1.0, "maximum": 5, "default": 2},
            "n": {"type": "number", "minimum": 0.5},
            "b": {"type": "boolean", "default": true},
            "s": {"type": "string", "enum": ["a", "b"], "enumNames": ["A"]},
            "t": {"type": "string", "oneOf": [{"const": "a", "title": "A"}], "default": "a"},
            "m": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "minItems": 1},
            "k": {"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}, "default": ["a"], "maxItems": 1}
        }}"#;
        let question = read_json(&format!(
            r#"{{"method": "elicitation/create", "params": {{"message": "?", "requestedSchema": {schema}}}}}"#
        ));
        let Ok(Question::Form { fields, .. }) = question else { panic!("{question:?}") };
        let shown: Vec<String> = fields.iter().map(|field| format!("{}: {}", field.name, wanted(field))).collect();
        assert_eq!(
            shown,
            [
                "z: a date such as 2026-07-28, 1 to 3 characters",
                "i: a whole number, 1 to 5",
                "n: a number, at least 0.5",
                "b: true or false",
                "s: one of \"a\", \"b\"",
                "t: one of \"a\"",
                "m: some of \"a\", \"b\", at least 1 of them",
                "k: some of \"a\", at most 1 of them",
            ]
        );
        assert_eq!(fields.iter().filter(|field| field.required).count(), 1);
        assert!(check(&fields[1], &json!(6)).unwrap_err().contains("at most 5"));
        assert!(check(&fields[1], &json!(5)).is_ok());
        let form = Question::Form { message: String::new(), fields };
        assert_eq!(
            example(&form)["content"],
            json!({"z": "x", "i": 2, "n": 0.5, "b": true, "s": "a", "t": "a", "m": ["a"], "k": ["a"]})
        );
    }

    #[test]
    fn what_can_not_be_put_to_a_user_is_named() {
        for (json, word) in [
            (r#"{"method": "sampling/createMessage", "params": {}}"#, "sampling/createMessage"),
            (r#"{"method": "elicitation/create", "params": {"mode": "url", "message": "?"}}"#, "url"),
            (r#"{"method": "elicitation/create"}"#, "not well formed"),
            (
                r#"{"method": "elicitation/create", "params": {"message": "?", "requestedSchema":
                    {"properties": {"x": {"type": "object"}}}}}"#,
                "\"object\"",
            ),
        ] {
            let refused = read_json(json).unwrap_err();
            assert!(refused.contains(word), "{json}: {refused}");
        }
    }
}
