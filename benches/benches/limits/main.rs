//! Measures what each limit, and each setting that makes replays faithful, costs a call. It prints a page of Markdown:
//! `cargo bench -p dacapo-benches --bench limits > docs/cost-of-limits.md`.
//!
//! The guests must have been built (`cargo xtask guests`). The guest `hello` is run with all of them on, as the host does, and
//! with each of them off in turn. The ways take turns, batch by batch, so that whatever else the machine does meets all alike.
//!
//! # Layout
//!
//! - `guard`: the limits and settings that can be off
//! - `loops`: what the compiled code itself costs more where it loops
//! - `runner`: runs a guest so guarded
//! - `schema`: what holding arguments and results against their schemas costs
//! - `spread`: a measurement, as often as it was made

// A measurement that can't be taken is of no use to anybody.
#![allow(clippy::indexing_slicing, clippy::expect_used, clippy::panic)]

mod guard;
mod loops;
mod runner;
mod schema;
mod spread;

use guard::{Guard, Guards};
use runner::Runner;
use spread::Spread;

/// How often the ways take turns.
const TURNS: usize = 60;
/// How many calls make a batch.
const BATCH: u32 = 400;

fn main() {
    // `cargo test --benches` only wants to know whether it runs.
    let (turns, batch) = if std::env::args().any(|argument| argument == "--bench") { (TURNS, BATCH) } else { (1, 1) };
    let ways: Vec<Guards> =
        [Guards::all()].into_iter().chain(Guard::ALL.map(Guards::all_but)).chain([Guards::none()]).collect();
    let runners: Vec<Runner> = ways.into_iter().map(Runner::new).collect();
    let times = spread::in_turns(turns, batch, &runners, Runner::call);
    let (on, off) = times.split_at(1);
    let (each, none) = off.split_at(Guard::ALL.len());
    let (all, none) = (&on[0], &none[0]);
    println!("# What the limits cost\n");
    println!(
        "One call of the guest `hello` in a fresh instance, without HTTP and JSON: a store is made, the component instantiated, its \
         tool called, and all of it dropped again. Made by\n\n```sh\ncargo xtask guests\ncargo bench -p dacapo-benches --bench limits > \
         docs/cost-of-limits.md\n```\n"
    );
    println!(
        "Medians of {turns} batches of {batch} calls; the ways took turns. In brackets, the half of the batches in the middle.\n"
    );
    println!("| | a call takes | it costs |\n|---|---|---|");
    println!("| all on, as the host runs it | {all} | |");
    for (guard, time) in Guard::ALL.iter().zip(each) {
        println!("| without {} | {time} | {} |", guard.name(), cost(all, time));
    }
    println!("| without any of them | {none} | {} |\n", cost(all, none));
    schema::print(turns, batch);
    loops::print(turns);
}

/// What was saved, in nanoseconds and as a share.
fn cost(with: &Spread, without: &Spread) -> String {
    let saved = with.median() - without.median();
    format!("{:+.0} ns ({:+.1}%)", saved, 100.0 * saved / without.median())
}
