//! Forms as the contract has them.

use crate::bindings::dacapo::handler::elicitation::{
    BooleanField, Choice as WitChoice, Field as WitField, FieldKind, IntegerField, MultipleChoiceField, NumberField,
    SingleChoiceField, TextField, TextFormat,
};
use crate::prelude::*;

#[derive(Choice, Debug, Clone, PartialEq)]
enum Plan {
    /// Pro – 10 € a month
    Pro,
    #[choice(title = "For many")]
    BigTeam,
    #[choice(value = "FREE")]
    Free,
}

const SHORT: u32 = 2;

#[derive(Form)]
#[expect(dead_code, reason = "only its fields are looked at")]
struct Everything {
    /// First line
    /// second line
    ///
    /// Last paragraph
    plain: String,
    #[form(title = "Mail", description = "Where to write", format = "email", default = "a@b.example")]
    email: String,
    #[form(min_length = SHORT, max_length = 5 + 5, format = "date-time")]
    bounded: Option<String>,
    #[form(format = "uri")]
    page: String,
    #[form(format = "date")]
    day: String,
    tiny: i8,
    small: i16,
    middle: i32,
    big: i64,
    byte: u8,
    word: u16,
    long: u32,
    #[form(min = 18, default = 21)]
    age: u8,
    #[form(min = -5, max = 5)]
    score: Option<i64>,
    #[form(min = 0.5, max = 1.5, default = 1.0)]
    rate: f32,
    share: Option<f64>,
    #[form(default = true)]
    sure: bool,
    #[form(rename = "the-plan", default = Plan::BigTeam)]
    plan: Plan,
    #[form(min_items = 1, max_items = 2, default = [Plan::Pro, Plan::Free])]
    plans: Vec<Plan>,
    others: Option<Vec<Plan>>,
    r#type: bool,
}

fn field(name: &str) -> WitField {
    Everything::form().into_fields().into_iter().find(|field| field.name == name).unwrap()
}

fn kind(name: &str) -> FieldKind {
    field(name).kind
}

fn text(text: TextField) -> FieldKind {
    FieldKind::Text(text)
}

fn no_text() -> TextField {
    TextField { min_length: None, max_length: None, format: None, default: None }
}

fn integer(minimum: Option<i64>, maximum: Option<i64>, default: Option<i64>) -> FieldKind {
    FieldKind::Integer(IntegerField { minimum, maximum, default })
}

fn plans() -> Vec<WitChoice> {
    let choice = |value: &str, title: Option<&str>| WitChoice { value: value.into(), title: title.map(Into::into) };
    vec![choice("pro", Some("Pro – 10 € a month")), choice("big-team", Some("For many")), choice("FREE", None)]
}

#[test]
fn fields_keep_their_order_and_names() {
    let names: Vec<_> = Everything::form().into_fields().into_iter().map(|field| field.name).collect();
    let expected = [
        "plain", "email", "bounded", "page", "day", "tiny", "small", "middle", "big", "byte", "word", "long", "age",
        "score", "rate", "share", "sure", "the-plan", "plans", "others", "type",
    ];
    assert_eq!(names, expected);
}

#[test]
fn a_doc_comment_is_the_description() {
    let field = field("plain");
    assert_eq!(field.description.as_deref(), Some("First line\nsecond line\n\nLast paragraph"));
    assert_eq!(field.title, None);
    assert!(field.required);
    assert_eq!(field.kind, text(no_text()));
}

#[test]
fn texts_take_title_description_format_and_default() {
    let field = field("email");
    assert_eq!(field.title.as_deref(), Some("Mail"));
    assert_eq!(field.description.as_deref(), Some("Where to write"));
    let email = TextField { format: Some(TextFormat::Email), default: Some("a@b.example".into()), ..no_text() };
    assert_eq!(field.kind, text(email));
    assert_eq!(kind("page"), text(TextField { format: Some(TextFormat::Uri), ..no_text() }));
    assert_eq!(kind("day"), text(TextField { format: Some(TextFormat::Date), ..no_text() }));
}

#[test]
fn an_option_is_not_required_and_takes_attributes() {
    let field = field("bounded");
    assert!(!field.required);
    assert_eq!(field.description, None);
    let format = Some(TextFormat::DateTime);
    assert_eq!(field.kind, text(TextField { min_length: Some(2), max_length: Some(10), format, ..no_text() }));
}

#[test]
fn narrow_integers_bring_their_bounds() {
    assert_eq!(kind("tiny"), integer(Some(-128), Some(127), None));
    assert_eq!(kind("small"), integer(Some(-32768), Some(32767), None));
    assert_eq!(kind("middle"), integer(Some(i32::MIN.into()), Some(i32::MAX.into()), None));
    assert_eq!(kind("big"), integer(None, None, None));
    assert_eq!(kind("byte"), integer(Some(0), Some(255), None));
    assert_eq!(kind("word"), integer(Some(0), Some(65535), None));
    assert_eq!(kind("long"), integer(Some(0), Some(u32::MAX.into()), None));
}

#[test]
fn given_bounds_beat_those_of_the_type() {
    assert_eq!(kind("age"), integer(Some(18), Some(255), Some(21)));
    assert_eq!(kind("score"), integer(Some(-5), Some(5), None));
    assert!(!field("score").required);
}

#[test]
fn floats_are_numbers() {
    let rate = NumberField { minimum: Some(0.5), maximum: Some(1.5), default: Some(1.0) };
    assert_eq!(kind("rate"), FieldKind::Number(rate));
    let share = NumberField { minimum: None, maximum: None, default: None };
    assert_eq!(kind("share"), FieldKind::Number(share));
    assert!(!field("share").required);
}

#[test]
fn booleans_take_a_default() {
    assert_eq!(kind("sure"), FieldKind::Boolean(BooleanField { default: Some(true) }));
    assert_eq!(kind("type"), FieldKind::Boolean(BooleanField { default: None }));
}

#[test]
fn an_enum_is_a_single_choice() {
    let choice = SingleChoiceField { choices: plans(), default: Some("big-team".into()) };
    assert_eq!(kind("the-plan"), FieldKind::SingleChoice(choice));
}

#[test]
fn a_vec_of_enums_is_a_multiple_choice() {
    let choice = MultipleChoiceField {
        choices: plans(),
        min_items: Some(1),
        max_items: Some(2),
        default: Some(vec!["pro".into(), "FREE".into()]),
    };
    assert_eq!(kind("plans"), FieldKind::MultipleChoice(choice));
    let choice = MultipleChoiceField { choices: plans(), min_items: None, max_items: None, default: None };
    assert_eq!(kind("others"), FieldKind::MultipleChoice(choice));
    assert!(!field("others").required);
}

#[test]
fn choices_go_there_and_back() {
    for plan in [Plan::Pro, Plan::BigTeam, Plan::Free] {
        assert_eq!(Plan::from_value(plan.value()), Some(plan));
    }
    assert_eq!(Plan::from_value("Pro"), None);
}

#[test]
fn a_form_built_by_hand_is_the_derived_one() {
    #[derive(Form)]
    #[expect(dead_code, reason = "only its fields are looked at")]
    struct Derived {
        /// Who?
        #[form(title = "Name", min_length = 1)]
        name: String,
        #[form(min = 18, max = 99)]
        age: Option<i64>,
        share: f64,
        #[form(default = false)]
        sure: bool,
        #[form(default = Plan::Pro)]
        plan: Plan,
        #[form(max_items = 2)]
        plans: Vec<Plan>,
    }
    let titles = [("pro", "Pro – 10 € a month"), ("big-team", "For many")];
    let single = titles.iter().fold(Field::choice("plan"), |field, (value, title)| field.titled(*value, *title));
    let multiple = titles.iter().fold(Field::choices("plans"), |field, (value, title)| field.titled(*value, *title));
    let built = FormBuilder::new()
        .field(Field::text("name").title("Name").description("Who?").min_length(1))
        .field(Field::integer("age").min(18).max(99).optional())
        .field(Field::number("share"))
        .field(Field::boolean("sure").default(false))
        .field(single.value("FREE").default("pro"))
        .field(multiple.value("FREE").max_items(2));
    assert_eq!(built, Derived::form());
}
