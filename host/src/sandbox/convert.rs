//! From the contract's types to the protocol's and back.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use dacapo_replay::Fault;
use dacapo_replay::question::{Asked, Choice, Field, FieldKind, Question, TextFormat};
use dacapo_replay::reply::{Reply, Value};
use serde_json::Map;
use serde_json::value::RawValue;

use super::bindings::dacapo::handler::content as wit;
use super::bindings::dacapo::handler::elicitation;
use super::bindings::exports::dacapo::handler::tools;
use crate::protocol::content::{
    Annotations, ContentBlock, Extras, Icon, Media, ResourceBody, ResourceContents, ResourceLink, Role, Theme,
};
use crate::protocol::error::RpcError;
use crate::protocol::tool::{CallToolResult, Tool, ToolAnnotations};

pub(super) fn asked(keyed: elicitation::KeyedQuestion) -> Asked {
    let question = match keyed.question {
        elicitation::Question::Form(form) => {
            Question::Form { message: form.message, fields: form.fields.into_iter().map(field).collect() }
        }
        elicitation::Question::Url(page) => Question::Url { message: page.message, url: page.url },
    };
    Asked { key: keyed.key, question }
}

fn field(field: elicitation::Field) -> Field {
    use elicitation::FieldKind as Kind;
    let kind = match field.kind {
        Kind::Text(text) => FieldKind::Text {
            min_length: text.min_length,
            max_length: text.max_length,
            format: text.format.map(|format| match format {
                elicitation::TextFormat::Email => TextFormat::Email,
                elicitation::TextFormat::Uri => TextFormat::Uri,
                elicitation::TextFormat::Date => TextFormat::Date,
                elicitation::TextFormat::DateTime => TextFormat::DateTime,
            }),
            default: text.default,
        },
        Kind::Integer(integer) => {
            FieldKind::Integer { minimum: integer.minimum, maximum: integer.maximum, default: integer.default }
        }
        Kind::Number(number) => {
            FieldKind::Number { minimum: number.minimum, maximum: number.maximum, default: number.default }
        }
        Kind::Boolean(boolean) => FieldKind::Boolean { default: boolean.default },
        Kind::SingleChoice(single) => {
            FieldKind::SingleChoice { choices: choices(single.choices), default: single.default }
        }
        Kind::MultipleChoice(multiple) => FieldKind::MultipleChoice {
            choices: choices(multiple.choices),
            min_items: multiple.min_items,
            max_items: multiple.max_items,
            default: multiple.default,
        },
    };
    Field { name: field.name, title: field.title, description: field.description, required: field.required, kind }
}

fn choices(choices: Vec<elicitation::Choice>) -> Vec<Choice> {
    choices.into_iter().map(|choice| Choice { value: choice.value, title: choice.title }).collect()
}

pub(super) fn reply(reply: Reply) -> elicitation::Reply {
    match reply {
        Reply::Accept(answers) => elicitation::Reply::Accept(
            answers.into_iter().map(|(name, value)| elicitation::Answer { name, value: self::value(value) }).collect(),
        ),
        Reply::Decline => elicitation::Reply::Decline,
        Reply::Cancel => elicitation::Reply::Cancel,
    }
}

fn value(value: Value) -> elicitation::Value {
    match value {
        Value::Text(text) => elicitation::Value::Text(text),
        Value::Integer(integer) => elicitation::Value::Integer(integer),
        Value::Number(number) => elicitation::Value::Number(number),
        Value::Boolean(boolean) => elicitation::Value::Boolean(boolean),
        Value::Choice(choice) => elicitation::Value::Choice(choice),
        Value::Choices(choices) => elicitation::Value::Choices(choices),
    }
}

/// What a handler gave that is not well formed; becomes a [`Fault::BadResult`].
type Malformed = Fault;

fn json(what: &str, text: String) -> Result<Box<RawValue>, Malformed> {
    RawValue::from_string(text).map_err(|error| Fault::BadResult(format!("{what} is not JSON: {error}")))
}

fn object(what: &str, text: String) -> Result<Box<RawValue>, Malformed> {
    let raw = json(what, text)?;
    if raw.get().trim_start().starts_with('{') {
        Ok(raw)
    } else {
        Err(Fault::BadResult(format!("{what} is not a JSON object")))
    }
}

fn meta(meta: Option<String>) -> Result<Option<Box<RawValue>>, Malformed> {
    meta.map(|text| object("_meta", text)).transpose()
}

pub(super) fn tool(tool: tools::Tool) -> Result<Tool, Malformed> {
    Ok(Tool {
        name: tool.name,
        title: tool.title,
        description: tool.description,
        input_schema: object("its input schema", tool.input_schema)?,
        output_schema: tool.output_schema.map(|schema| object("its output schema", schema)).transpose()?,
        annotations: tool.annotations.map(|hints| ToolAnnotations {
            title: hints.title,
            read_only_hint: hints.read_only,
            destructive_hint: hints.destructive,
            idempotent_hint: hints.idempotent,
            open_world_hint: hints.open_world,
        }),
        icons: tool.icons.into_iter().map(icon).collect(),
        meta: meta(tool.meta)?,
    })
}

pub(super) fn tool_result(result: tools::ToolResult) -> Result<CallToolResult, Malformed> {
    let meta: Option<Map<String, serde_json::Value>> = result
        .meta
        .map(|text| {
            serde_json::from_str(&text)
                .map_err(|error| Fault::BadResult(format!("its _meta is not a JSON object: {error}")))
        })
        .transpose()?;
    Ok(CallToolResult {
        content: result.content.into_iter().map(block).collect::<Result<_, _>>()?,
        structured_content: result.structured_content.map(|text| json("its structured content", text)).transpose()?,
        is_error: result.is_error,
        meta,
    })
}

pub(super) fn protocol_error(error: wit::ProtocolError) -> Result<RpcError, Malformed> {
    let data = error
        .data
        .map(|text| {
            serde_json::from_str(&text)
                .map_err(|error| Fault::BadResult(format!("the data of its error is not JSON: {error}")))
        })
        .transpose()?;
    Ok(RpcError::of_handler(error.code, error.message, data))
}

fn block(block: wit::ContentBlock) -> Result<ContentBlock, Malformed> {
    Ok(match block {
        wit::ContentBlock::Text(text) => {
            ContentBlock::Text { text: text.text, extras: extras(text.annotations, text.meta)? }
        }
        wit::ContentBlock::Image(image) => ContentBlock::Image(media(image)?),
        wit::ContentBlock::Audio(audio) => ContentBlock::Audio(media(audio)?),
        wit::ContentBlock::ResourceLink(link) => ContentBlock::ResourceLink(ResourceLink {
            uri: link.uri,
            name: link.name,
            title: link.title,
            description: link.description,
            mime_type: link.mime_type,
            size: link.size,
            icons: link.icons.into_iter().map(icon).collect(),
            extras: extras(link.annotations, link.meta)?,
        }),
        wit::ContentBlock::EmbeddedResource(embedded) => ContentBlock::Resource {
            resource: ResourceContents {
                uri: embedded.contents.uri,
                mime_type: embedded.contents.mime_type,
                body: match embedded.contents.body {
                    wit::ResourceBody::Text(text) => ResourceBody::Text(text),
                    wit::ResourceBody::Blob(bytes) => ResourceBody::Blob(BASE64.encode(bytes)),
                },
                meta: meta(embedded.contents.meta)?,
            },
            extras: extras(embedded.annotations, embedded.meta)?,
        },
    })
}

fn media(media: wit::MediaContent) -> Result<Media, Malformed> {
    Ok(Media {
        data: BASE64.encode(media.data),
        mime_type: media.mime_type,
        extras: extras(media.annotations, media.meta)?,
    })
}

fn extras(annotations: Option<wit::Annotations>, block_meta: Option<String>) -> Result<Extras, Malformed> {
    let annotations = annotations.map(|hints| Annotations {
        audience: hints
            .audience
            .into_iter()
            .map(|role| match role {
                wit::Role::User => Role::User,
                wit::Role::Assistant => Role::Assistant,
            })
            .collect(),
        priority: hints.priority,
        last_modified: hints.last_modified,
    });
    Ok(Extras { annotations, meta: meta(block_meta)? })
}

fn icon(icon: wit::Icon) -> Icon {
    Icon {
        src: icon.src,
        mime_type: icon.mime_type,
        sizes: icon.sizes,
        theme: icon.theme.map(|theme| match theme {
            wit::Theme::Light => Theme::Light,
            wit::Theme::Dark => Theme::Dark,
        }),
    }
}
