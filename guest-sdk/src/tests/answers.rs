//! Answers, read by forms and by hand.

use crate::bindings::dacapo::handler::elicitation::{Answer, Value};
use crate::prelude::*;

#[derive(Choice, Debug, PartialEq)]
enum Plan {
    Pro,
    BigTeam,
}

#[derive(Form, Debug, PartialEq)]
struct Filled {
    name: String,
    nick: Option<String>,
    age: u8,
    big: i64,
    rate: f32,
    share: f64,
    sure: bool,
    plan: Plan,
    #[form(rename = "all-plans")]
    plans: Vec<Plan>,
    more: Option<Vec<Plan>>,
}

fn answer(name: &str, value: Value) -> Answer {
    Answer { name: name.into(), value }
}

fn full() -> Vec<Answer> {
    vec![
        answer("name", Value::Text("Ada".into())),
        answer("age", Value::Integer(36)),
        answer("big", Value::Integer(i64::MIN)),
        answer("rate", Value::Number(0.25)),
        answer("share", Value::Number(1e300)),
        answer("sure", Value::Boolean(true)),
        answer("plan", Value::Choice("big-team".into())),
        answer("all-plans", Value::Choices(vec!["big-team".into(), "pro".into()])),
    ]
}

fn answers(values: Vec<Answer>) -> Answers {
    Answers::new(Filled::form().into_fields().into_iter().map(|field| field.name).collect(), values)
}

/// The error of a full answer in which the field of this name holds `value` instead, or nothing.
fn error(name: &str, value: Option<Value>) -> String {
    let mut values = full();
    values.retain(|answer| answer.name != name);
    values.extend(value.map(|value| answer(name, value)));
    Filled::read(&answers(values)).unwrap_err().to_string()
}

#[test]
fn a_full_answer_is_read() {
    let expected = Filled {
        name: "Ada".into(),
        nick: None,
        age: 36,
        big: i64::MIN,
        rate: 0.25,
        share: 1e300,
        sure: true,
        plan: Plan::BigTeam,
        plans: vec![Plan::BigTeam, Plan::Pro],
        more: None,
    };
    assert_eq!(Filled::read(&answers(full())), Ok(expected));
}

#[test]
fn optional_values_are_read() {
    let mut values = full();
    values.push(answer("nick", Value::Text("countess".into())));
    values.push(answer("more", Value::Choices(Vec::new())));
    let filled = Filled::read(&answers(values)).unwrap();
    assert_eq!(filled.nick.as_deref(), Some("countess"));
    assert_eq!(filled.more, Some(Vec::new()));
}

#[test]
fn a_missing_value_is_named() {
    assert_eq!(error("name", None), "the answer has no `name`, which the form requires");
}

#[test]
fn a_value_of_another_kind_is_named() {
    assert_eq!(error("sure", Some(Value::Integer(1))), "`sure` holds an integer, but a boolean was expected");
    assert_eq!(error("age", Some(Value::Number(1.0))), "`age` holds a number, but an integer was expected");
}

#[test]
fn a_value_out_of_range_is_named() {
    assert_eq!(error("age", Some(Value::Integer(256))), "`age` holds 256, which does not fit the type u8");
}

#[test]
fn a_value_that_is_no_choice_is_named() {
    let expected = "`plan` holds `free`; expected one of pro, big-team";
    assert_eq!(error("plan", Some(Value::Choice("free".into()))), expected);
    let expected = "`all-plans` holds `free`; expected one of pro, big-team";
    assert_eq!(error("all-plans", Some(Value::Choices(vec!["pro".into(), "free".into()]))), expected);
}

#[test]
fn getters_give_what_their_field_holds() {
    let answers = answers(full());
    assert_eq!(answers.text("name"), Ok(Some("Ada")));
    assert_eq!(answers.text("nick"), Ok(None));
    assert_eq!(answers.integer("age"), Ok(Some(36)));
    assert_eq!(answers.number("rate"), Ok(Some(0.25)));
    assert_eq!(answers.boolean("sure"), Ok(Some(true)));
    assert_eq!(answers.choice("plan"), Ok(Some("big-team")));
    assert_eq!(answers.choices("all-plans"), Ok(Some(["big-team".to_owned(), "pro".to_owned()].as_slice())));
}

#[test]
fn getters_refuse_fields_that_were_not_asked() {
    let error = answers(full()).text("nmae").unwrap_err().to_string();
    assert!(error.starts_with("the form has no field `nmae`; its fields are: name, nick, age"), "{error}");
}

#[test]
fn getters_refuse_fields_of_another_kind() {
    let error = answers(full()).integer("name").unwrap_err().to_string();
    assert_eq!(error, "`name` holds a text, but an integer was expected");
}

#[test]
fn a_form_without_fields_asks_for_consent_alone() {
    #[derive(Form, Debug, PartialEq)]
    struct Consent {}
    assert_eq!(Consent::form(), FormBuilder::new());
    assert_eq!(Consent::read(&Answers::new(Vec::new(), Vec::new())), Ok(Consent {}));
}
