//! Tries to ask differently on each run, by everything that differs between two runs of an ordinary program. Nothing does
//! here, so its question is always the same.

use std::cell::Cell;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use dacapo_guest::prelude::*;
use wasip2::clocks::monotonic_clock::subscribe_duration;
use wasip2::io::poll::poll;

static RUNS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static VISITS: Cell<u64> = const { Cell::new(0) };
}

/// What might tell one run from another.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Source {
    /// The time of day
    Time,
    /// How long things take
    Haste,
    /// How long a nap was
    Nap,
    /// Which of two timers rings first, when both are as good as due
    Race,
    /// Random numbers of the host
    Random,
    /// The seed of the standard library's hash tables
    HashSeed,
    /// The order of a hash table
    HashOrder,
    /// Where things are in memory
    Addresses,
    /// What a static variable holds
    Statics,
    /// What new memory holds
    Leftovers,
    /// How much memory there is to be had
    Room,
    /// Which thread this is
    Thread,
}

/// By what to ask.
#[derive(Deserialize, JsonSchema)]
struct By {
    /// What might tell one run from another
    source: Source,
}

/// Any question will do.
#[derive(Form)]
#[expect(dead_code, reason = "no matter what the answer is")]
struct GoOn {
    /// Whether to go on
    go_on: bool,
}

/// Asks three questions that say what the source says.
#[tool]
fn differ(ctx: &Context, By { source }: By) -> Result<String> {
    let mut seen = Vec::new();
    for _ in 0..3 {
        seen.push(look(source)?);
        let _ = ctx.elicit::<GoOn>(format!("I see {}. Go on?", seen.join(", ")));
    }
    Ok(seen.join(", "))
}

fn look(source: Source) -> Result<String> {
    Ok(match source {
        Source::Time => SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos().to_string(),
        Source::Haste => {
            let start = Instant::now();
            let sum: u64 = (0..100_000_u64).map(std::hint::black_box).sum();
            format!("{} after {}", sum, start.elapsed().as_nanos())
        }
        Source::Nap => {
            let start = Instant::now();
            std::thread::sleep(Duration::from_millis(3));
            start.elapsed().as_nanos().to_string()
        }
        Source::Race => {
            let (one, other) = (subscribe_duration(2_000_000), subscribe_duration(2_000_100));
            // The one, the other, or both.
            format!("{:?}", poll(&[&other, &one]))
        }
        Source::Random => {
            let mut bytes = [0; 8];
            getrandom::fill(&mut bytes)?;
            u64::from_be_bytes(bytes).to_string()
        }
        Source::HashSeed => RandomState::new().hash_one("dacapo").to_string(),
        Source::HashOrder => {
            let table: HashSet<u32> = (0..100).collect();
            table.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
        }
        Source::Addresses => {
            let (here, there) = (0_u8, Box::new(0_u8));
            format!("{:p} {:p} {:p}", &raw const here, &raw const *there, &raw const RUNS)
        }
        Source::Statics => {
            VISITS.set(VISITS.get() + 1);
            format!("{} {}", RUNS.fetch_add(1, Ordering::Relaxed), VISITS.get())
        }
        Source::Leftovers => {
            let written = vec![0xa5_u8; 200_000];
            drop(std::hint::black_box(written));
            leftovers(200_000).to_string()
        }
        Source::Room => {
            let mut room = Vec::<u8>::new();
            let mut got = 0_usize;
            while got < 8 << 20 && room.try_reserve_exact(got + (1 << 20)).is_ok() {
                got += 1 << 20;
            }
            format!("{got} at {:p}", room.as_ptr())
        }
        Source::Thread => format!("{:?}", std::thread::current().id()),
    })
}

/// The sum of what stands in memory that was just taken and not written yet.
#[expect(unsafe_code, reason = "it looks where it must not, to see whether there is anything")]
#[expect(clippy::uninit_vec, reason = "that is the point")]
fn leftovers(size: usize) -> u64 {
    let mut memory: Vec<u8> = Vec::with_capacity(size);
    // SAFETY: none. What is read is whatever the host and this guest left there.
    unsafe { memory.set_len(size) };
    std::hint::black_box(&memory).iter().map(|byte| u64::from(*byte)).sum()
}

dacapo_guest::handlers! { tools: [differ] }
