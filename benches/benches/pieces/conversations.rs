//! A replay of so many questions, and whole conversations.

use criterion::{BenchmarkId, Criterion};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::host::{Call, Host};

const QUESTIONS: [u32; 6] = [1, 2, 4, 8, 16, 32];

pub(crate) fn measure(criterion: &mut Criterion) {
    let host = Host::start(1, &["gauge"]);
    let mut replays = criterion.benchmark_group("replay");
    for questions in QUESTIONS {
        let rounds = rounds(&host, questions);
        let last = rounds.last().expect("there is a last round");
        replays.bench_function(BenchmarkId::from_parameter(questions), |bencher| bencher.iter(|| host.make(last)));
    }
    replays.finish();
    let mut conversations = criterion.benchmark_group("conversation");
    for questions in QUESTIONS {
        let rounds = rounds(&host, questions);
        conversations.bench_function(BenchmarkId::from_parameter(questions), |bencher| {
            bencher.iter(|| rounds.iter().for_each(|round| drop(host.make(round))));
        });
    }
    conversations.finish();
    // What a conversation is held against: as many calls that ask nothing.
    let mut plain = criterion.benchmark_group("plain-calls");
    let call = Call::new("give", &json!({}), json!({}));
    for calls in QUESTIONS.map(|questions| questions + 1) {
        plain.bench_function(BenchmarkId::from_parameter(calls), |bencher| {
            bencher.iter(|| (0..calls).for_each(|_| drop(host.make(&call))));
        });
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    input_requests: serde_json::Map<String, Value>,
    request_state: String,
}

/// The calls that a conversation of so many questions consists of. They may be made again: the host keeps nothing.
fn rounds(host: &Host, questions: u32) -> Vec<Call> {
    let arguments = json!({"questions": questions});
    let mut rounds = vec![Call::new("ask", &arguments, json!({}))];
    for _ in 0..questions {
        let answer = host.make(rounds.last().expect("there is a first")).expect("the handler asks");
        let asked: Asked = serde_json::from_str(answer.get()).expect("the answer is a question");
        let yes = json!({"action": "accept", "content": {"yes": true}});
        let responses: serde_json::Map<_, _> =
            asked.input_requests.keys().map(|key| (key.clone(), yes.clone())).collect();
        let more = json!({"requestState": asked.request_state, "inputResponses": responses});
        rounds.push(Call::new("ask", &arguments, more));
    }
    let end = host.make(rounds.last().expect("there is a last")).expect("the handler returns");
    assert!(end.get().contains(&format!("{questions} of {questions}")), "{end}");
    rounds
}
