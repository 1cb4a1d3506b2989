//! Questions as the contract has them, and what the host's replies become.

use crate::bindings::dacapo::handler::elicitation as wit;
use crate::prelude::*;
use crate::{Asks, Reply};

#[derive(Form, Debug, PartialEq)]
struct Name {
    name: String,
}

#[derive(Form, Debug, PartialEq)]
struct Age {
    age: u8,
}

fn name(name: &str) -> wit::Reply {
    wit::Reply::Accept(vec![wit::Answer { name: "name".into(), value: wit::Value::Text(name.into()) }])
}

fn age(age: i64) -> wit::Reply {
    wit::Reply::Accept(vec![wit::Answer { name: "age".into(), value: wit::Value::Integer(age) }])
}

#[test]
fn a_tuple_of_questions_gives_a_tuple_of_replies() {
    let asks = (
        Ask::<Name>::form("Who?").key("who"),
        Ask::<Age>::form("How old?"),
        Ask::url("Pay", "https://pay.example/"),
        Ask::<Name>::form("And who else?"),
    );
    let mut sent = Vec::new();
    let replies = asks.ask(|questions| {
        sent = questions.to_vec();
        vec![name("Ada"), wit::Reply::Decline, wit::Reply::Accept(Vec::new()), wit::Reply::Cancel]
    });
    let expected = (Reply::Accept(Name { name: "Ada".into() }), Reply::Decline, Reply::Accept(()), Reply::Cancel);
    assert_eq!(replies, expected);

    let keys: Vec<_> = sent.iter().map(|question| question.key.as_deref()).collect();
    assert_eq!(keys, [Some("who"), None, None, None]);
    let fields = Age::form().into_fields();
    assert_eq!(sent[1].question, wit::Question::Form(wit::FormQuestion { message: "How old?".into(), fields }));
    let page = wit::UrlQuestion { message: "Pay".into(), url: "https://pay.example/".into() };
    assert_eq!(sent[2].question, wit::Question::Url(page));
}

#[test]
fn a_vec_of_built_forms_gives_a_vec_of_answers() {
    let form = FormBuilder::new().field(Field::integer("age")).field(Field::text("nick").optional());
    let asks = vec![Ask::built("First?", &form), Ask::built("Second?", &form)];
    let replies = asks.ask(|questions| {
        assert_eq!(questions.len(), 2);
        vec![age(1), age(2)]
    });
    let ages: Vec<_> = replies.into_iter().map(|reply| reply.accepted().unwrap()).collect();
    assert_eq!(ages[0].integer("age"), Ok(Some(1)));
    assert_eq!(ages[1].integer("age"), Ok(Some(2)));
    assert_eq!(ages[1].text("nick"), Ok(None));
    assert!(ages[1].text("name").is_err());
}

#[test]
#[should_panic(expected = "the host gave an answer that does not fit its form: `age` holds 256")]
fn an_answer_that_the_host_should_have_refused_traps() {
    let _ = Ask::<Age>::form("How old?").reply(age(256));
}

#[test]
#[should_panic(expected = "fewer replies than there were questions")]
fn a_missing_reply_traps() {
    let _ = vec![Ask::<Age>::form("How old?")].ask(|_| Vec::new());
}

#[test]
fn replies_can_be_narrowed_and_mapped() {
    assert_eq!(Reply::Accept(1).accepted(), Some(1));
    assert_eq!(Reply::<u8>::Decline.accepted(), None);
    assert_eq!(Reply::<u8>::Cancel.accepted(), None);
    assert_eq!(Reply::Accept(1).map(|one| one + 1), Reply::Accept(2));
    assert_eq!(Reply::<u8>::Cancel.map(|one| one + 1), Reply::Cancel);
}
