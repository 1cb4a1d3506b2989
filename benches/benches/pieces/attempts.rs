//! One attempt alone: a fresh store, an instance, a call, and the end of all three.

use std::sync::Arc;

use criterion::Criterion;
use dacapo::sandbox::{Call, Program};
use dacapo_replay::{Askable, Ending, Ledger, Opening, RetryPolicy, Stop, Walk};

use crate::host::Host;

/// What the client can be asked.
const FORMS: Askable = Askable { form: true, url: false, sampling: false, sampling_tools: false, roots: false };

pub(crate) fn measure(criterion: &mut Criterion) {
    let host = Host::start(1, &["hello", "gauge"]);
    let mut group = criterion.benchmark_group("attempt");
    let answered = [("elicit-1", r#"{"action": "accept", "content": {"yes": true}}"#)];
    for (name, tool, arguments, answers, ends) in [
        ("hello", "hello", r#"{"name": "Ada"}"#, &[][..], "returns"),
        ("returns", "give", "{}", &[], "returns"),
        // The same run up to its question; what comes of it there is what these two differ in.
        ("asks and is suspended", "ask", r#"{"questions": 1}"#, &[], "is suspended"),
        ("asks and returns", "ask", r#"{"questions": 1}"#, &answered, "returns"),
        ("traps", "trap", "{}", &[], "fails"),
    ] {
        let mut attempt = Attempt::new(&host, tool, arguments);
        if !answers.is_empty() {
            let (_, mut ledger) = host.runtime.block_on(attempt.make(&host));
            ledger.answer(answers.iter().copied(), RetryPolicy::Strict, 1).expect("the answer fits");
            attempt.ledger = ledger;
        }
        assert_eq!(host.runtime.block_on(attempt.make(&host)).0, ends, "{name}");
        group.bench_function(name, |bencher| {
            bencher.iter(|| host.runtime.block_on(attempt.make(&host)));
        });
    }
}

struct Attempt {
    program: Program,
    call: Call,
    tool: String,
    arguments: String,
    ledger: Ledger,
}

impl Attempt {
    fn new(host: &Host, tool: &str, arguments: &str) -> Self {
        let handler = host.registry.catalogue().tool(tool).cloned().expect("the tool is served");
        let call = Call {
            tenant: Arc::clone(&handler.tenant),
            target: tool.to_owned(),
            principal: None,
            progress: None,
            announcements: None,
        };
        let opening = Opening { started: 0, seed: [7; 32], protocol_version: "2026-07-28".to_owned(), askable: FORMS };
        let (program, ledger) = (handler.program.clone(), Ledger::open(opening));
        Self { program, call, tool: tool.to_owned(), arguments: arguments.to_owned(), ledger }
    }

    /// Makes it, and says how it ended.
    async fn make(&self, host: &Host) -> (&'static str, Ledger) {
        let walk = Walk::start(self.ledger.clone(), FORMS, self.call.tenant.limits.conversation());
        let made = host.sandbox.call_tool(&self.program, self.call.clone(), &self.tool, &self.arguments, walk).await;
        let made = made.expect("there is room");
        let ended = match made.ending {
            Ending::Completed(_) => "returns",
            Ending::Stopped(Stop::InputRequired(_)) => "is suspended",
            Ending::Stopped(_) => "is stopped",
            Ending::Failed(_) => "fails",
        };
        (ended, made.ledger)
    }
}
