//! Shows what time and randomness it sees, in its question and in its result. A replay must see the same.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use dacapo_guest::prelude::*;

/// How long to wait before the clocks are read.
const PAUSE: Duration = Duration::from_millis(10);

/// Any question will do.
#[derive(Form)]
#[expect(dead_code, reason = "no matter what the answer is")]
struct GoOn {
    /// Whether to go on
    go_on: bool,
}

/// What the clocks and the source of randomness said.
#[derive(Serialize, JsonSchema)]
struct Readings {
    /// 128 random bits, drawn from the host, in hexadecimal
    random: String,
    /// A number that hangs on the standard library's own random seed, in hexadecimal
    hash: String,
    /// The time of day, in nanoseconds since 1970
    wall: String,
    /// How far the steady clock advanced between two readings, in nanoseconds
    elapsed: String,
}

impl Readings {
    fn take() -> Result<Self> {
        let start = Instant::now();
        // Waiting must get somewhere, though the clock stands still between readings.
        while start.elapsed() < PAUSE {
            std::thread::sleep(PAUSE / 3);
        }
        let mut random = [0; 16];
        getrandom::fill(&mut random)?;
        Ok(Self {
            random: format!("{:032x}", u128::from_be_bytes(random)),
            hash: format!("{:016x}", RandomState::new().hash_one("dacapo")),
            wall: SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos().to_string(),
            elapsed: start.elapsed().as_nanos().to_string(),
        })
    }
}

/// Reads clocks and randomness, asks a question that says what they were, and returns them.
#[tool(name = "clock")]
fn clock(ctx: &Context) -> Result<Readings> {
    let readings = Readings::take()?;
    let Readings { random, hash, wall, elapsed } = &readings;
    let _ = ctx.elicit::<GoOn>(format!("random {random}, hash {hash}, wall {wall}, elapsed {elapsed}: go on?"));
    Ok(readings)
}

dacapo_guest::handlers! { tools: [clock] }
