//! From the bytes of a component to a handler that is served.

use criterion::{BatchSize, Criterion};

use crate::host::{Host, component};

pub(crate) fn measure(criterion: &mut Criterion) {
    let host = Host::start(2, &[]);
    let wasm = component("hello");
    let mut uploads = 0_u64;
    let mut group = criterion.benchmark_group("upload");
    group.sample_size(10);
    group.bench_function("hello", |bencher| {
        bencher.iter_batched(
            || {
                uploads += 1;
                distinct(&wasm, uploads)
            },
            |wasm| {
                let upload = host.registry.upload("hello".parse().expect("this is a name"), wasm);
                host.runtime.block_on(upload).expect("the guest is a handler")
            },
            BatchSize::PerIteration,
        );
    });
}

/// The component with a section of its own at its end: the same handler, another digest.
fn distinct(wasm: &[u8], number: u64) -> Vec<u8> {
    let mut wasm = wasm.to_vec();
    // A custom section: its id, its size, the length of its name, its name (empty), its content.
    wasm.extend([0, 9, 0]);
    wasm.extend(number.to_le_bytes());
    wasm
}
