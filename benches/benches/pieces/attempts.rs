//! One attempt alone: a fresh store, an instance, a call, and the end of all three.

use std::sync::Arc;

use criterion::Criterion;
use dacapo::sandbox::{Call, Program};
use dacapo_replay::{Askable, Ending, Ledger, Opening, Stop, Walk};

use crate::host::Host;

pub(crate) fn measure(criterion: &mut Criterion) {
    let host = Host::start(1, &["hello", "gauge"]);
    let mut group = criterion.benchmark_group("attempt");
    for (name, tool, arguments) in [
        ("hello", "hello", r#"{"name": "Ada"}"#),
        ("returns", "give", "{}"),
        ("is suspended", "ask", r#"{"questions": 1}"#),
        ("traps", "trap", "{}"),
    ] {
        let attempt = Attempt::new(&host, tool, arguments);
        let ended = host.runtime.block_on(attempt.make(&host));
        assert_eq!(ended, name.split(' ').next().unwrap_or_default().replace("hello", "returns"), "{name}");
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
        Self { program: handler.program.clone(), call, tool: tool.to_owned(), arguments: arguments.to_owned() }
    }

    /// Makes it, and says how it ended.
    async fn make(&self, host: &Host) -> &'static str {
        let askable = Askable { form: true, ..Askable::default() };
        let opening = Opening { started: 0, seed: [7; 32], protocol_version: "2026-07-28".to_owned(), askable };
        let walk = Walk::start(Ledger::open(opening), askable, self.call.tenant.limits.conversation());
        let made = host.sandbox.call_tool(&self.program, self.call.clone(), &self.tool, &self.arguments, walk).await;
        match made.expect("there is room").ending {
            Ending::Completed(_) => "returns",
            Ending::Stopped(Stop::InputRequired(_)) => "is",
            Ending::Stopped(_) => "stopped",
            Ending::Failed(_) => "traps",
        }
    }
}
