//! A replay of so many questions, and whole conversations.

use std::time::SystemTime;

use criterion::{BenchmarkId, Criterion};
use dacapo::carrier::{Binding, Revision, Wire};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::host::{Call, Host};

const QUESTIONS: [u32; 6] = [1, 2, 4, 8, 16, 32];

pub(crate) fn measure(criterion: &mut Criterion) {
    let host = Host::start(1, &["gauge"]);
    let rounds = QUESTIONS.map(|questions| (questions, Rounds::of(&host, questions)));
    let mut replays = criterion.benchmark_group("replay");
    for (questions, rounds) in &rounds {
        let last = rounds.calls.last().expect("there is a last round");
        replays.bench_function(BenchmarkId::from_parameter(questions), |bencher| bencher.iter(|| host.make(last)));
    }
    replays.finish();
    let mut conversations = criterion.benchmark_group("conversation");
    for (questions, rounds) in &rounds {
        conversations.bench_function(BenchmarkId::from_parameter(questions), |bencher| {
            bencher.iter(|| rounds.calls.iter().for_each(|call| drop(host.make(call))));
        });
    }
    conversations.finish();
    // What a conversation is held against: as many calls of the same tool that ask nothing, and what its answers weigh.
    let mut plain = criterion.benchmark_group("plain-calls");
    let call = Call::new("ask", &json!({"questions": 0}), json!({}));
    for calls in QUESTIONS.map(|questions| questions + 1) {
        plain.bench_function(BenchmarkId::from_parameter(calls), |bencher| {
            bencher.iter(|| (0..calls).for_each(|_| drop(host.make(&call))));
        });
    }
    plain.finish();
    let mut carrying = criterion.benchmark_group("carrying");
    for (questions, rounds) in &rounds {
        carrying.bench_function(BenchmarkId::from_parameter(questions), |bencher| {
            bencher.iter(|| rounds.states.iter().for_each(|state| drop(carry(&host.wire, state))));
        });
    }
}

/// Opens the state of a conversation and seals it again.
fn carry(wire: &Wire, state: &str) -> String {
    let held = wire.read(state).expect("the host sealed it");
    let binding = Binding { method: &held.method, params: &held.original_params, principal: None };
    let revision = Revision { handler: &held.handler, component: &held.component };
    wire.seal(&binding, revision, &held.ledger, SystemTime::now(), usize::MAX).expect("it was sealed before")
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    input_requests: serde_json::Map<String, Value>,
    request_state: String,
}

/// The calls that a conversation consists of, and the states that it has in between. The calls may be made again: the host
/// keeps nothing.
struct Rounds {
    calls: Vec<Call>,
    states: Vec<String>,
}

impl Rounds {
    /// Holds a conversation of so many questions.
    fn of(host: &Host, questions: u32) -> Self {
        let arguments = json!({"questions": questions});
        let mut rounds = Self { calls: vec![Call::new("ask", &arguments, json!({}))], states: vec![] };
        for _ in 0..questions {
            let answer = host.make(rounds.calls.last().expect("there is a first")).expect("the handler asks");
            let asked: Asked = serde_json::from_str(answer.get()).expect("the answer is a question");
            let yes = json!({"action": "accept", "content": {"yes": true}});
            let responses: serde_json::Map<_, _> =
                asked.input_requests.keys().map(|key| (key.clone(), yes.clone())).collect();
            let more = json!({"requestState": asked.request_state, "inputResponses": responses});
            rounds.calls.push(Call::new("ask", &arguments, more));
            rounds.states.push(asked.request_state);
        }
        let end = host.make(rounds.calls.last().expect("there is a last")).expect("the handler returns");
        assert!(end.get().contains(&format!("{questions} of {questions}")), "{end}");
        rounds
    }
}
