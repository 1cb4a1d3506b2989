//! Time stands still between questions, and no run waits for what an earlier one has waited for.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::time::Duration;

use dacapo_replay::ledger::Opening;
use dacapo_replay::question::Question;
use dacapo_replay::request::{Askable, Asked, Request};
use dacapo_replay::walk::Limits;
use dacapo_replay::{Ledger, RetryPolicy, VirtualClock, Walk};

const FORMS: Askable = Askable { form: true, url: false, sampling: false, sampling_tools: false, roots: false };
const SECOND: u64 = 1_000_000_000;

fn asked(message: &str) -> Asked {
    let question = Question::Form { message: message.into(), fields: vec![] };
    Asked { key: None, request: Request::Elicit(question) }
}

fn answer(ledger: &mut Ledger, key: &str, at: u64) {
    ledger.answer([(key, r#"{"action": "decline"}"#)], RetryPolicy::Strict, at).unwrap();
}

/// How long a run waits for a second of sleep before each of its questions and after them, and what its clock says then.
fn run(ledger: Ledger, questions: usize) -> (Vec<(Duration, u64)>, Ledger) {
    let mut walk = Walk::start(ledger, FORMS, Limits::default());
    let mut slept = Vec::new();
    for question in 0..=questions {
        let until = walk.clock().read() + SECOND;
        slept.push((walk.clock().sleep_until(until), walk.clock().read()));
        if question == questions || walk.ask(asked("?")).is_err() {
            break;
        }
    }
    (slept, walk.into_ledger())
}

#[test]
fn a_sleep_is_waited_for_once_and_is_on_the_clock_of_every_run() {
    let opening = Opening { started: 5 * SECOND, seed: [0; 32], protocol_version: String::new(), askable: FORMS };
    let (first, mut ledger) = run(Ledger::open(opening), 2);
    // The reading that the second is counted from takes a tick of it.
    let wait = Duration::from_secs(1).saturating_sub(VirtualClock::TICK);
    assert_eq!(first.iter().map(|(wait, _)| *wait).collect::<Vec<_>>(), [wait]);
    // A round without an answer: nothing is waited for again.
    assert_eq!(run(ledger.clone(), 2).0, [(Duration::ZERO, first[0].1)]);
    answer(&mut ledger, "elicit-1", 60 * SECOND);
    let (second, mut ledger) = run(ledger, 2);
    assert_eq!(second[0], (Duration::ZERO, first[0].1));
    assert_eq!(second[1].0, wait);
    assert!(second[1].1 >= 61 * SECOND, "{second:?}");
    answer(&mut ledger, "elicit-2", 90 * SECOND);
    let (third, ledger) = run(ledger, 2);
    assert_eq!(third.iter().map(|(wait, _)| *wait).collect::<Vec<_>>(), [Duration::ZERO, Duration::ZERO, wait]);
    assert_eq!(third[1].1, second[1].1);
    assert_eq!(run(ledger, 2).0, third);
}

#[test]
fn a_question_out_of_two_that_is_still_open_is_no_reason_to_wait_again() {
    let opening = Opening { started: SECOND, seed: [0; 32], protocol_version: String::new(), askable: FORMS };
    let mut first = Walk::start(Ledger::open(opening), FORMS, Limits::default());
    first.ask_all(vec![asked("1"), asked("2")]).unwrap_err();
    let mut ledger = first.into_ledger();
    answer(&mut ledger, "elicit-2", 2 * SECOND);
    let mut second = Walk::start(ledger, FORMS, Limits::default());
    assert_eq!(second.clock().sleep_until(9 * SECOND), Duration::ZERO);
    second.ask_all(vec![asked("1"), asked("2")]).unwrap_err();
    let mut ledger = second.into_ledger();
    answer(&mut ledger, "elicit-1", 3 * SECOND);
    let mut third = Walk::start(ledger, FORMS, Limits::default());
    third.ask_all(vec![asked("1"), asked("2")]).unwrap();
    assert_eq!(third.clock().sleep_until(4 * SECOND), Duration::from_secs(1));
}

#[test]
fn the_clock_stands_at_the_end_of_time_and_never_goes_back() {
    let clock = VirtualClock::at(u64::MAX - 10, true);
    assert_eq!(clock.sleep_until(5), Duration::ZERO);
    let readings: Vec<u64> = (0..5).map(|_| clock.read()).collect();
    assert!(readings.is_sorted(), "{readings:?}");
    assert_eq!(readings.last(), Some(&u64::MAX));
}
