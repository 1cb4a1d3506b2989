//! Sealing and opening.

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput};
use dacapo::carrier::{Keyring, Secret, token};

pub(crate) fn measure(criterion: &mut Criterion) {
    let ring = Keyring::new(&Secret::fresh().expect("there is randomness"), &[]);
    for kib in [1, 8, 64] {
        let payload = vec![b'x'; kib << 10];
        let sealed = token::seal(&ring, payload.clone(), usize::MAX).expect("the payload can be sealed");
        let mut group = criterion.benchmark_group("token");
        group.throughput(Throughput::Bytes(payload.len() as u64));
        group.bench_function(BenchmarkId::new("seal", format!("{kib} KiB")), |bencher| {
            bencher.iter_batched(
                || payload.clone(),
                |payload| token::seal(&ring, payload, usize::MAX),
                BatchSize::SmallInput,
            );
        });
        group.bench_function(BenchmarkId::new("open", format!("{kib} KiB")), |bencher| {
            bencher.iter(|| token::open(&ring, &sealed, usize::MAX));
        });
    }
}
