//! A form as the protocol writes it, and answers checked against it.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "a test")]

use dacapo_replay::question::{Choice, Field, FieldKind, Question, TextFormat};
use dacapo_replay::{ElicitResult, Reply, Value};
use serde_json::{Value as Json, json};

fn field(name: &str, required: bool, kind: FieldKind) -> Field {
    Field { name: name.into(), title: None, description: None, required, kind }
}

fn form(kind: FieldKind) -> Question {
    Question::Form { message: "?".into(), fields: vec![field("f", true, kind)] }
}

fn read(kind: &FieldKind, value: &Json) -> Result<Value, String> {
    let result: ElicitResult =
        serde_json::from_value(json!({"action": "accept", "content": {"f": value}})).expect("an answer");
    match form(kind.clone()).read("k", &result) {
        Ok(Reply::Accept(mut answers)) => Ok(answers.remove(0).1),
        Ok(other) => panic!("expected an accepted answer, got {other:?}"),
        Err(invalid) => Err(invalid.to_string()),
    }
}

fn choices() -> Vec<Choice> {
    vec![Choice { value: "a".into(), title: Some("A!".into()) }, Choice { value: "b".into(), title: None }]
}

fn text(format: Option<TextFormat>) -> FieldKind {
    FieldKind::Text { min_length: None, max_length: None, format, default: None }
}

#[test]
fn a_form_is_written_as_the_protocol_wants_it_with_its_fields_in_order() {
    let mut titled = field(
        "z",
        true,
        FieldKind::Text {
            min_length: Some(1),
            max_length: Some(9),
            format: Some(TextFormat::DateTime),
            default: Some("d".into()),
        },
    );
    titled.title = Some("Z".into());
    titled.description = Some("the last letter".into());
    let plain = || vec![Choice { value: "x".into(), title: None }];
    let question = Question::Form {
        message: "All of it".into(),
        fields: vec![
            titled,
            field("i", false, FieldKind::Integer { minimum: Some(-1), maximum: Some(1), default: Some(0) }),
            field("n", true, FieldKind::Number { minimum: Some(0.5), maximum: Some(1.5), default: None }),
            field("b", true, FieldKind::Boolean { default: Some(true) }),
            field("one", true, FieldKind::SingleChoice { choices: choices(), default: Some("b".into()) }),
            field("plain", true, FieldKind::SingleChoice { choices: plain(), default: None }),
            field(
                "many",
                true,
                FieldKind::MultipleChoice {
                    choices: choices(),
                    min_items: Some(1),
                    max_items: Some(2),
                    default: Some(vec!["a".into()]),
                },
            ),
            field(
                "a",
                true,
                FieldKind::MultipleChoice { choices: plain(), min_items: None, max_items: None, default: None },
            ),
        ],
    };
    let written = serde_json::to_string(&question).unwrap();
    assert_eq!(
        serde_json::from_str::<Json>(&written).unwrap(),
        json!({
            "mode": "form",
            "message": "All of it",
            "requestedSchema": {
                "type": "object",
                "properties": {
                    "z": {
                        "type": "string", "title": "Z", "description": "the last letter",
                        "minLength": 1, "maxLength": 9, "format": "date-time", "default": "d"
                    },
                    "i": {"type": "integer", "minimum": -1, "maximum": 1, "default": 0},
                    "n": {"type": "number", "minimum": 0.5, "maximum": 1.5},
                    "b": {"type": "boolean", "default": true},
                    "one": {
                        "type": "string",
                        "oneOf": [{"const": "a", "title": "A!"}, {"const": "b", "title": "b"}],
                        "default": "b"
                    },
                    "plain": {"type": "string", "enum": ["x"]},
                    "many": {
                        "type": "array",
                        "items": {"anyOf": [{"const": "a", "title": "A!"}, {"const": "b", "title": "b"}]},
                        "minItems": 1, "maxItems": 2, "default": ["a"]
                    },
                    "a": {"type": "array", "items": {"type": "string", "enum": ["x"]}}
                },
                "required": ["z", "n", "b", "one", "plain", "many", "a"]
            }
        })
    );
    let places: Vec<_> = ["z", "i", "n", "b", "one", "plain", "many", "a"]
        .map(|name| written.find(&format!("\"{name}\":{{")).expect(name))
        .into();
    assert!(places.is_sorted(), "{written}");
}

#[test]
fn values_of_every_kind_are_read() {
    let integer = FieldKind::Integer { minimum: None, maximum: None, default: None };
    let number = FieldKind::Number { minimum: None, maximum: None, default: None };
    let one = FieldKind::SingleChoice { choices: choices(), default: None };
    let many = FieldKind::MultipleChoice { choices: choices(), min_items: None, max_items: None, default: None };
    let cases = [
        (text(None), json!("x"), Value::Text("x".into())),
        (integer.clone(), json!(42), Value::Integer(42)),
        (integer, json!(42.0), Value::Integer(42)),
        (number.clone(), json!(1.5), Value::Number(1.5)),
        (number, json!(2), Value::Number(2.0)),
        (FieldKind::Boolean { default: None }, json!(false), Value::Boolean(false)),
        (one, json!("b"), Value::Choice("b".into())),
        (many.clone(), json!(["b", "a"]), Value::Choices(vec!["b".into(), "a".into()])),
        (many, json!([]), Value::Choices(vec![])),
    ];
    for (kind, json, value) in cases {
        assert_eq!(read(&kind, &json), Ok(value), "{kind:?} {json}");
    }
}

#[test]
fn values_that_do_not_fit_are_refused_and_the_error_names_field_and_expectation() {
    let integer = FieldKind::Integer { minimum: Some(1), maximum: Some(3), default: None };
    let number = FieldKind::Number { minimum: Some(0.0), maximum: Some(1.0), default: None };
    let short = FieldKind::Text { min_length: Some(2), max_length: Some(3), format: None, default: None };
    let one = FieldKind::SingleChoice { choices: choices(), default: None };
    let many = FieldKind::MultipleChoice { choices: choices(), min_items: Some(1), max_items: Some(1), default: None };
    let cases = [
        (text(None), json!(1), "a string"),
        (text(None), json!(null), "a string"),
        (short.clone(), json!("ä"), "at least 2 characters"),
        (short, json!("äöüß"), "at most 3 characters"),
        (text(Some(TextFormat::Email)), json!("nobody"), "an email address"),
        (text(Some(TextFormat::Uri)), json!("/relative"), "an absolute URI"),
        (text(Some(TextFormat::Date)), json!("2026-02-30"), "a date"),
        (text(Some(TextFormat::Date)), json!("20260728"), "a date"),
        (text(Some(TextFormat::Date)), json!("2026-07-28T12:00:00Z"), "a date"),
        (text(Some(TextFormat::DateTime)), json!("2026-07-28"), "a date and time"),
        (integer.clone(), json!(1.5), "a whole number"),
        (integer.clone(), json!("1"), "a whole number"),
        (integer.clone(), json!(0), "at least 1"),
        (integer, json!(4), "at most 3"),
        (number.clone(), json!(-0.1), "at least 0"),
        (number, json!(1.1), "at most 1"),
        (FieldKind::Boolean { default: None }, json!("true"), "true or false"),
        (one, json!("c"), "one of \"a\", \"b\""),
        (many.clone(), json!([]), "at least 1 items"),
        (many.clone(), json!(["a", "b"]), "at most 1 items"),
        (many, json!("a"), "an array"),
    ];
    for (kind, json, expected) in cases {
        let error = read(&kind, &json).expect_err(&format!("{kind:?} {json}"));
        assert!(error.contains("\"f\"") && error.contains(expected), "{error}");
    }
}

#[test]
fn texts_of_every_format_are_read() {
    let cases = [
        (TextFormat::Email, "ada@example.org"),
        (TextFormat::Uri, "https://example.org/a?b#c"),
        (TextFormat::Uri, "urn:isbn:0451450523"),
        (TextFormat::Date, "2028-02-29"),
        (TextFormat::DateTime, "2026-07-28T12:00:00Z"),
        (TextFormat::DateTime, "2026-07-28T12:00:00.25+02:00"),
    ];
    for (format, value) in cases {
        assert_eq!(read(&text(Some(format)), &json!(value)), Ok(Value::Text(value.into())));
    }
}

#[test]
fn required_fields_must_be_there_optional_ones_may_be_missing_and_strangers_are_left_out() {
    let question = Question::Form {
        message: "?".into(),
        fields: vec![field("must", true, text(None)), field("may", false, text(None))],
    };
    let answer = |content: Json| {
        let result: ElicitResult =
            serde_json::from_value(json!({"action": "accept", "content": content})).expect("an answer");
        question.read("k", &result)
    };
    let must = ("must".to_owned(), Value::Text("x".into()));
    assert_eq!(answer(json!({"must": "x", "stranger": {"deep": 1}})), Ok(Reply::Accept(vec![must])));
    let missing = answer(json!({"may": "y"})).expect_err("must is missing").to_string();
    assert!(missing.contains("\"must\"") && missing.contains("required"), "{missing}");
}

#[test]
fn an_acceptance_holds_an_object_or_nothing_and_a_refusal_whatever_it_likes() {
    use dacapo_replay::reply::{InputResponse, ResponseKind};
    let read = |json: &str| InputResponse::read(ResponseKind::Elicit, json);
    for taken in [
        r#"{"action": "accept"}"#,
        r#"{"content": {"a": 1}, "action": "accept"}"#,
        r#"{"action": "decline", "content": null}"#,
        r#"{"content": [1], "action": "cancel", "more": 1}"#,
    ] {
        assert!(read(taken).is_ok(), "{taken}");
    }
    for refused in [
        r#"{"action": "accept", "content": null}"#,
        r#"{"action": "accept", "content": [1]}"#,
        r#"{"action": "agree"}"#,
        r#"{"content": {}}"#,
    ] {
        assert!(read(refused).is_err(), "{refused}");
    }
}
