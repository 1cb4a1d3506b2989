//! Between the contract's types and those of the replay core.

use dacapo_replay::question::{Choice, Field, FieldKind, Question, TextFormat};
use dacapo_replay::{Asked, Input, Reply, Request, Value};

use crate::bindings::dacapo::handler::{elicitation, inputs};

pub(super) fn asked(keyed: &elicitation::KeyedQuestion) -> Asked {
    Asked { key: keyed.key.clone(), request: Request::Elicit(question(&keyed.question)) }
}

pub(super) fn any_asked(keyed: &inputs::KeyedRequest) -> Asked {
    let request = match &keyed.request {
        inputs::InputRequest::Elicit(asked) => Request::Elicit(question(asked)),
        // The SDK wrote it.
        inputs::InputRequest::Sample(params) => Request::Sample(serde_json::from_str(params).unwrap_or_default()),
        inputs::InputRequest::ListRoots => Request::ListRoots,
    };
    Asked { key: keyed.key.clone(), request }
}

fn question(question: &elicitation::Question) -> Question {
    match question {
        elicitation::Question::Form(form) => {
            Question::Form { message: form.message.clone(), fields: form.fields.iter().map(field).collect() }
        }
        elicitation::Question::Url(page) => Question::Url { message: page.message.clone(), url: page.url.clone() },
    }
}

fn field(field: &elicitation::Field) -> Field {
    use elicitation::FieldKind as Kind;
    let elicitation::Field { name, title, description, required, kind } = field.clone();
    let kind = match kind {
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
    Field { name, title, description, required, kind }
}

fn choices(choices: Vec<elicitation::Choice>) -> Vec<Choice> {
    choices.into_iter().map(|choice| Choice { value: choice.value, title: choice.title }).collect()
}

/// The reply in an input, where it is one.
pub(super) fn reply(input: Input) -> Option<elicitation::Reply> {
    match input {
        Input::Elicited(reply) => Some(elicited(reply)),
        Input::Sampled(_) | Input::Roots(_) => None,
    }
}

pub(super) fn response(input: Input) -> inputs::InputResponse {
    match input {
        Input::Elicited(reply) => inputs::InputResponse::Elicited(elicited(reply)),
        Input::Sampled(result) => inputs::InputResponse::Sampled(serde_json::Value::from(result).to_string()),
        Input::Roots(roots) => inputs::InputResponse::Roots(
            roots.into_iter().map(|root| inputs::Root { uri: root.uri, name: root.name }).collect(),
        ),
    }
}

fn elicited(reply: Reply) -> elicitation::Reply {
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
