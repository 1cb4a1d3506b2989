//! Sealing and opening.

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput};
use dacapo::carrier::token::Draft;
use dacapo::carrier::{Keyring, Secret, token};

pub(crate) fn measure(criterion: &mut Criterion) {
    let ring = Keyring::new(&Secret::fresh().expect("there is randomness"), &[]);
    for kib in [1, 8, 64] {
        let draft = || -> Draft { std::iter::repeat_n(b'x', kib << 10).collect() };
        let sealed = token::seal(&ring, draft(), usize::MAX).expect("the payload can be sealed");
        let mut group = criterion.benchmark_group("token");
        group.throughput(Throughput::Bytes((kib << 10) as u64));
        group.bench_function(BenchmarkId::new("seal", format!("{kib} KiB")), |bencher| {
            bencher.iter_batched(draft, |draft| token::seal(&ring, draft, usize::MAX), BatchSize::SmallInput);
        });
        group.bench_function(BenchmarkId::new("open", format!("{kib} KiB")), |bencher| {
            bencher.iter(|| token::open(&ring, &sealed, usize::MAX));
        });
    }
}
