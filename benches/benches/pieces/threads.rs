//! Calls on so many threads: throughput must not fall as threads are added up to the cores.

use std::sync::Arc;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion, Throughput};
use serde_json::json;

use crate::host::{Call, Host};

/// How many calls are under way at a time, for each thread.
const EACH: u64 = 4;

pub(crate) fn measure(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("threads");
    group.throughput(Throughput::Elements(1));
    for threads in [1, 2, 4, 8] {
        let host = Host::start(threads, &["hello"]);
        let call = Arc::new(Call::new("hello", &json!({"name": "Ada"}), json!({})));
        let tasks = EACH * threads as u64;
        group.bench_function(BenchmarkId::from_parameter(threads), |bencher| {
            bencher.iter_custom(|calls| {
                let each = calls.div_ceil(tasks);
                let start = Instant::now();
                host.runtime.block_on(async {
                    let running: Vec<_> = (0..tasks)
                        .map(|_| {
                            let (server, call) = (host.server(), Arc::clone(&call));
                            tokio::spawn(async move {
                                for _ in 0..each {
                                    call.make(&server).await.expect("the handler returns");
                                }
                            })
                        })
                        .collect();
                    for task in running {
                        task.await.expect("the calls are made");
                    }
                });
                // As if exactly as many had been made as were wanted.
                start.elapsed().mul_f64(calls as f64 / (each * tasks) as f64)
            });
        });
    }
}
