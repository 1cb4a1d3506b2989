//! A call that returns, one that traps, one that asks.

use criterion::Criterion;
use serde_json::json;

use crate::host::{Call, Host};

pub(crate) fn measure(criterion: &mut Criterion) {
    let host = Host::start(1, &["hello", "gauge"]);
    let none = json!({});
    let calls = [
        ("hello", Call::new("hello", &json!({"name": "Ada"}), none.clone()), true),
        ("returns", Call::new("give", &none, none.clone()), true),
        ("asks", Call::new("ask", &json!({"questions": 1}), none.clone()), true),
        ("traps", Call::new("trap", &none, none.clone()), false),
        // What all of them cost before anything runs: the schema says no.
        ("refused", Call::new("hello", &json!({"name": 1}), none.clone()), true),
    ];
    let mut group = criterion.benchmark_group("call");
    for (name, call, succeeds) in calls {
        assert_eq!(host.make(&call).is_ok(), succeeds, "{name}");
        group.bench_function(name, |bencher| bencher.iter(|| host.make(&call)));
    }
}
