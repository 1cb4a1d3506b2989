//! What a plain program sees.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::hint::black_box;
use std::io::{IsTerminal as _, Read as _};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use dacapo_guest::prelude::*;
use uuid::Uuid;

/// What a plain program sees.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Seen {
    /// A random UUID
    uuid: String,
    /// A UUID that was kept
    kept: String,
    /// A number that hangs on the standard library's random seed
    hash: String,
    /// The order of a set
    order: Vec<u32>,
    /// The time of day, in nanoseconds since 1970
    wall_ns: u64,
    /// How long a sleep of 2 milliseconds took on the steady clock, in nanoseconds
    slept_ns: u64,
    /// The bits of floats that are not a number
    nan_bits: Vec<String>,
    /// Where the stack and the heap are
    addresses: [usize; 2],
    /// The environment: variables, arguments, what there is to read, and whether a terminal is there
    environment: String,
}

impl Seen {
    pub(crate) fn now(ctx: &Context, name: &str) -> Result<Self> {
        let start = Instant::now();
        sleep(Duration::from_millis(2));
        let slept_ns = u64::try_from(start.elapsed().as_nanos())?;
        let order = (0..20).collect::<HashSet<u32>>().into_iter().collect();
        let on_stack = 0_u8;
        let on_heap = Box::new(0_u8);
        Ok(Self {
            uuid: Uuid::new_v4().to_string(),
            kept: ctx.once(name, || Uuid::new_v4().to_string())?,
            hash: format!("{:016x}", RandomState::new().hash_one("dacapo")),
            order,
            wall_ns: u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos())?,
            slept_ns,
            nan_bits: nans(),
            addresses: [&raw const on_stack as usize, &raw const *on_heap as usize],
            environment: environment(),
        })
    }
}

/// Floats whose bits the specification leaves to the machine.
#[expect(clippy::eq_op, clippy::cast_possible_truncation, reason = "what is wrong with them is what counts")]
fn nans() -> Vec<String> {
    let (zero, infinity) = (black_box(0.0_f64), black_box(f64::INFINITY));
    let strange = black_box(f64::from_bits(0xfff0_dead_beef_0001));
    let made = [zero / zero, infinity - infinity, -(zero / zero), strange + 1.0, strange * zero, strange.sqrt()];
    let narrow = black_box(strange) as f32;
    made.iter().map(|nan| format!("{:016x}", nan.to_bits())).chain([format!("{:08x}", narrow.to_bits())]).collect()
}

fn environment() -> String {
    let variables: HashMap<String, String> = std::env::vars().collect();
    let arguments: Vec<String> = std::env::args().collect();
    let mut input = String::new();
    let read = std::io::stdin().read_to_string(&mut input).map_err(|error| error.kind());
    let files = std::fs::read_dir("/").map(|_| "files").map_err(|error| error.kind());
    let directory = std::env::current_dir().map_err(|error| error.kind());
    let terminals = [std::io::stdin().is_terminal(), std::io::stdout().is_terminal()];
    format!("{variables:?} {arguments:?} {read:?} {input:?} {files:?} {directory:?} {terminals:?}")
}
