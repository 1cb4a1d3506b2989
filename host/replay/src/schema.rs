//! A question as the protocol writes it: the `params` of an `elicitation/create` request.
//!
//! The order of a form's fields is kept: it is the order in which the user sees them.

use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};

use crate::question::{Choice, Field, FieldKind, Question};

impl Serialize for Question {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut params = serializer.serialize_struct("ElicitRequestParams", 3)?;
        match self {
            Self::Form { message, fields } => {
                params.serialize_field("mode", "form")?;
                params.serialize_field("message", message)?;
                params.serialize_field("requestedSchema", &RequestedSchema(fields))?;
            }
            Self::Url { message, url } => {
                params.serialize_field("mode", "url")?;
                params.serialize_field("message", message)?;
                params.serialize_field("url", url)?;
            }
        }
        params.end()
    }
}

/// A form's fields as a flat object schema.
struct RequestedSchema<'a>(&'a [Field]);

impl Serialize for RequestedSchema<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let required: Vec<&str> =
            self.0.iter().filter(|field| field.required).map(|field| field.name.as_str()).collect();
        let mut schema = serializer.serialize_map(None)?;
        schema.serialize_entry("type", "object")?;
        schema.serialize_entry("properties", &Properties(self.0))?;
        if !required.is_empty() {
            schema.serialize_entry("required", &required)?;
        }
        schema.end()
    }
}

struct Properties<'a>(&'a [Field]);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|field| (&field.name, Property(field))))
    }
}

struct Property<'a>(&'a Field);

impl Serialize for Property<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut property = serializer.serialize_map(None)?;
        let kind = match &self.0.kind {
            FieldKind::Text { .. } | FieldKind::SingleChoice { .. } => "string",
            FieldKind::Integer { .. } => "integer",
            FieldKind::Number { .. } => "number",
            FieldKind::Boolean { .. } => "boolean",
            FieldKind::MultipleChoice { .. } => "array",
        };
        property.serialize_entry("type", kind)?;
        optional(&mut property, "title", self.0.title.as_ref())?;
        optional(&mut property, "description", self.0.description.as_ref())?;
        match &self.0.kind {
            FieldKind::Text { min_length, max_length, format, default } => {
                optional(&mut property, "minLength", min_length.as_ref())?;
                optional(&mut property, "maxLength", max_length.as_ref())?;
                optional(&mut property, "format", format.as_ref())?;
                optional(&mut property, "default", default.as_ref())?;
            }
            FieldKind::Integer { minimum, maximum, default } => {
                optional(&mut property, "minimum", minimum.as_ref())?;
                optional(&mut property, "maximum", maximum.as_ref())?;
                optional(&mut property, "default", default.as_ref())?;
            }
            FieldKind::Number { minimum, maximum, default } => {
                optional(&mut property, "minimum", minimum.as_ref())?;
                optional(&mut property, "maximum", maximum.as_ref())?;
                optional(&mut property, "default", default.as_ref())?;
            }
            FieldKind::Boolean { default } => optional(&mut property, "default", default.as_ref())?,
            FieldKind::SingleChoice { choices, default } => {
                if titled(choices) {
                    property.serialize_entry("oneOf", &Titled(choices))?;
                } else {
                    property.serialize_entry("enum", &Untitled(choices))?;
                }
                optional(&mut property, "default", default.as_ref())?;
            }
            FieldKind::MultipleChoice { choices, min_items, max_items, default } => {
                property.serialize_entry("items", &Items(choices))?;
                optional(&mut property, "minItems", min_items.as_ref())?;
                optional(&mut property, "maxItems", max_items.as_ref())?;
                optional(&mut property, "default", default.as_ref())?;
            }
        }
        property.end()
    }
}

fn optional<M: SerializeMap, T: Serialize>(map: &mut M, key: &str, value: Option<&T>) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(key, value))
}

/// Whether any choice has a title; one without then shows its value.
fn titled(choices: &[Choice]) -> bool {
    choices.iter().any(|choice| choice.title.is_some())
}

struct Titled<'a>(&'a [Choice]);

impl Serialize for Titled<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct Const<'a> {
            r#const: &'a str,
            title: &'a str,
        }
        serializer.collect_seq(
            self.0
                .iter()
                .map(|choice| Const { r#const: &choice.value, title: choice.title.as_ref().unwrap_or(&choice.value) }),
        )
    }
}

struct Untitled<'a>(&'a [Choice]);

impl Serialize for Untitled<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|choice| &choice.value))
    }
}

struct Items<'a>(&'a [Choice]);

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut items = serializer.serialize_map(None)?;
        if titled(self.0) {
            items.serialize_entry("anyOf", &Titled(self.0))?;
        } else {
            items.serialize_entry("type", "string")?;
            items.serialize_entry("enum", &Untitled(self.0))?;
        }
        items.end()
    }
}
