//! Any conversation, for property tests: a ledger is never made by hand, but by asking and answering.

use dacapo_replay::question::{Choice, Field, FieldKind, Question};
use dacapo_replay::walk::Limits;
use dacapo_replay::{Askable, Asked, Ledger, Opening, Request, RetryPolicy, Stop, Walk};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A client that can be asked anything.
pub(crate) const EVERYTHING: Askable =
    Askable { form: true, url: true, sampling: true, sampling_tools: true, roots: true };

/// What a handler asks, and what the client answers.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    asked: Asked,
    /// Nothing where the conversation stands still.
    response: Option<String>,
    at: u64,
}

/// A handler that keeps some values and then asks one question after the other.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    opening: Opening,
    kept: Vec<(String, String)>,
    steps: Vec<Step>,
}

impl Script {
    /// One run of the handler: how far it got, and what it left.
    pub(crate) fn run(&self, ledger: Ledger) -> (Option<Stop>, Ledger) {
        let mut walk = Walk::start(ledger, EVERYTHING, Limits::default());
        for (name, value) in &self.kept {
            // On a later run the values are there already.
            let _kept = walk.remember(name.clone(), value.clone());
        }
        let stopped = self.steps.iter().find_map(|step| walk.ask(step.asked.clone()).err());
        (stopped, walk.into_ledger())
    }

    /// The ledger as it is when all that has an answer is answered.
    pub(crate) fn ledger(&self) -> Ledger {
        let mut ledger = Ledger::open(self.opening.clone());
        for step in &self.steps {
            ledger = self.run(ledger).1;
            let Some(response) = &step.response else { return ledger };
            let key = ledger.slots.last().expect("something was asked").key.clone();
            ledger.answer([(key.as_str(), response.as_str())], RetryPolicy::Strict, step.at).expect("an answer");
        }
        self.run(ledger).1
    }
}

/// A step as it is drawn: what is asked and answered, the key, and when the answer comes.
type Drawn = ((Request, Value), Option<String>, Option<u64>);

/// Any handler that the host lets go on.
pub(crate) fn any_script() -> impl Strategy<Value = Script> {
    let kept = btree_map(".{0,8}", json(), 0..4)
        .prop_map(|kept| kept.into_iter().map(|(name, value)| (name, value.to_string())).collect());
    let steps = vec((request(), option::of(".{0,8}"), option::weighted(0.9, any::<u64>())), 0..6).prop_map(|steps| {
        let steps = steps.into_iter().enumerate();
        let step = |(index, ((request, response), key, at)): (usize, Drawn)| {
            let key = key.map(|key| format!("{index} {key}"));
            let response = at.map(|_| response.to_string());
            Step { asked: Asked { key, request }, response, at: at.unwrap_or_default() }
        };
        steps.map(step).collect()
    });
    (opening(), kept, steps).prop_map(|(opening, kept, steps)| Script { opening, kept, steps })
}

fn opening() -> impl Strategy<Value = Opening> {
    (any::<u64>(), any::<[u8; 32]>(), ".{0,12}", any::<[bool; 5]>()).prop_map(
        |(started, seed, protocol_version, [form, url, sampling, sampling_tools, roots])| Opening {
            started,
            seed,
            protocol_version,
            askable: Askable { form, url, sampling, sampling_tools, roots },
        },
    )
}

/// Any request, with a response that fits it.
fn request() -> impl Strategy<Value = (Request, Value)> {
    prop_oneof![
        (".{0,12}", vec(field(), 0..4), action(), object()).prop_map(|(message, fields, action, stray)| {
            let mut content = stray;
            let fields = (0_u8..).zip(fields).map(|(index, (kind, value))| {
                let name = format!("field {index}");
                content.insert(name.clone(), value);
                Field { name, title: None, description: None, required: index % 2 == 0, kind }
            });
            let question = Question::Form { message, fields: fields.collect() };
            let response = match action {
                "accept" => json!({"action": action, "content": content}),
                _ => json!({"action": action}),
            };
            (Request::Elicit(question), response)
        }),
        (".{0,12}", action()).prop_map(|(message, action)| {
            let url = "https://example.org/pay?order=1".to_owned();
            (Request::Elicit(Question::Url { message, url }), json!({"action": action}))
        }),
        (object(), object()).prop_map(|(params, mut message)| {
            message.extend([
                ("role".to_owned(), json!("assistant")),
                ("content".to_owned(), json!({"type": "text", "text": "hi"})),
                ("model".to_owned(), json!("m")),
            ]);
            (Request::Sample(params), message.into())
        }),
        vec((".{0,8}", option::of(".{0,8}")), 0..3).prop_map(|roots| {
            let root = |(uri, name): (String, Option<String>)| match name {
                Some(name) => json!({"uri": uri, "name": name}),
                None => json!({"uri": uri}),
            };
            (Request::ListRoots, json!({"roots": roots.into_iter().map(root).collect::<Vec<_>>()}))
        }),
    ]
}

fn action() -> impl Strategy<Value = &'static str> {
    prop_oneof![4 => Just("accept"), 1 => Just("decline"), 1 => Just("cancel")]
}

/// Any field, with a value that fits it.
fn field() -> impl Strategy<Value = (FieldKind, Value)> {
    let choices = || ["a", "ä", ""].map(|value| Choice { value: value.to_owned(), title: None }).into();
    prop_oneof![
        (option::of(".{0,8}"), ".{0,12}").prop_map(|(default, text)| {
            (FieldKind::Text { min_length: None, max_length: None, format: None, default }, json!(text))
        }),
        any::<i64>().prop_map(|number| {
            (FieldKind::Integer { minimum: None, maximum: Some(i64::MAX), default: None }, json!(number))
        }),
        number().prop_map(|number| (FieldKind::Number { minimum: None, maximum: None, default: None }, json!(number))),
        any::<bool>().prop_map(|answer| (FieldKind::Boolean { default: None }, json!(answer))),
        Just((FieldKind::SingleChoice { choices: choices(), default: None }, json!("ä"))),
        Just((
            FieldKind::MultipleChoice { choices: choices(), min_items: None, max_items: None, default: None },
            json!(["", "a"])
        )),
    ]
}

/// A number that JSON can write.
fn number() -> impl Strategy<Value = f64> {
    prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO
}

/// Any JSON object.
pub(crate) fn object() -> impl Strategy<Value = Map<String, Value>> {
    btree_map(".{0,6}", json(), 0..4).prop_map(|members| members.into_iter().collect())
}

/// Any JSON.
pub(crate) fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        number().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(".{0,6}", inner, 0..4).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}
