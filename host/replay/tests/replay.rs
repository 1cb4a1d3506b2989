//! The promises of the replay core, for any conversation.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "a test")]

use dacapo_replay::ending::Pending;
use dacapo_replay::ledger::Opening;
use dacapo_replay::question::{Choice, Field, FieldKind, Question};
use dacapo_replay::request::{Askable, Asked, Request};
use dacapo_replay::walk::{Limits, OnceError};
use dacapo_replay::{ElicitResult, Fingerprint, Input, Ledger, Rejection, Reply, RetryPolicy, Stop, Value, Walk};
use proptest::prelude::*;
use serde_json::json;

const FORMS: Askable = Askable { form: true, url: false, sampling: false, sampling_tools: false, roots: false };
const STRICT: RetryPolicy = RetryPolicy::Strict;
const START: u64 = 1_000_000_000;

fn fresh() -> Ledger {
    let protocol_version = "2026-07-28".to_owned();
    Ledger::open(Opening { started: START, seed: [7; 32], protocol_version, askable: FORMS })
}

fn walk(ledger: Ledger) -> Walk {
    Walk::start(ledger, FORMS, Limits::default())
}

fn form(message: &str) -> Question {
    let field = Field {
        name: "answer".into(),
        title: None,
        description: None,
        required: true,
        kind: FieldKind::Text { min_length: None, max_length: None, format: None, default: None },
    };
    Question::Form { message: message.into(), fields: vec![field] }
}

fn asked(message: &str) -> Asked {
    Asked { key: None, request: Request::Elicit(form(message)) }
}

fn accept(text: &str) -> String {
    json!({"action": "accept", "content": {"answer": text}}).to_string()
}

fn text(text: &str) -> Input {
    Input::Elicited(Reply::Accept(vec![("answer".into(), Value::Text(text.into()))]))
}

fn pending(stop: Stop) -> Vec<Pending> {
    match stop {
        Stop::InputRequired(pending) => pending,
        other => panic!("expected questions, got {other:?}"),
    }
}

/// A handler that asks `messages` one after the other, and returns the replies.
fn run(messages: &[String], ledger: Ledger) -> (Result<Vec<Input>, Stop>, Ledger) {
    let mut walk = walk(ledger);
    let replies = messages.iter().map(|message| walk.ask(asked(message))).collect();
    (replies, walk.into_ledger())
}

proptest! {
    #[test]
    fn a_conversation_of_n_questions_takes_n_plus_one_runs_and_keeps_every_answer(
        messages in prop::collection::vec(".{0,12}", 0..12),
        answers in prop::collection::vec(".{0,12}", 12),
    ) {
        let mut ledger = fresh();
        for (ordinal, answer) in (1..=messages.len()).zip(&answers) {
            let (stopped, left) = run(&messages, ledger);
            let open = pending(stopped.expect_err("a question is open"));
            prop_assert_eq!(open.len(), 1);
            prop_assert_eq!(&open[0].key, &format!("elicit-{ordinal}"));
            // As a token carries it.
            ledger = postcard::from_bytes(&postcard::to_allocvec(&left).unwrap()).unwrap();
            prop_assert_eq!(&ledger, &left);
            ledger.answer([(open[0].key.as_str(), accept(answer).as_str())], STRICT, START).unwrap();
        }
        let (replies, _) = run(&messages, ledger);
        let expected: Vec<_> = answers.iter().take(messages.len()).map(|answer| text(answer)).collect();
        prop_assert_eq!(replies.unwrap(), expected);
    }

    #[test]
    fn a_question_that_differs_at_an_answered_position_is_a_divergence(
        first in ".{0,12}", second in ".{0,12}", at in 0_usize..4,
    ) {
        prop_assume!(first != second);
        let messages = vec![first; 4];
        let mut ledger = fresh();
        for _ in 0..4 {
            let (stopped, left) = run(&messages, ledger);
            ledger = left;
            ledger.answer([(pending(stopped.unwrap_err())[0].key.as_str(), accept("x").as_str())], STRICT, START).unwrap();
        }
        let mut others = messages;
        others[at] = second;
        let (stopped, _) = run(&others, ledger);
        match stopped.unwrap_err() {
            Stop::Diverged(divergence) => {
                prop_assert_eq!(divergence.ordinal, at + 1);
                prop_assert_eq!(divergence.key, format!("elicit-{}", at + 1));
                prop_assert_eq!(divergence.asked, Some(Fingerprint::of(&Request::Elicit(form(&others[at]))).unwrap()));
            }
            other => prop_assert!(false, "expected a divergence, got {:?}", other),
        }
    }

    #[test]
    fn the_clock_reads_the_same_on_every_run_and_never_goes_back(reads in 0_usize..5, later in 0_u64..2_000_000_000) {
        let readings = |ledger: Ledger| {
            let mut walk = walk(ledger);
            let mut readings: Vec<u64> = (0..reads).map(|_| walk.clock().read()).collect();
            let asked = walk.ask(asked("?")).is_ok();
            if asked {
                readings.extend((0..reads).map(|_| walk.clock().read()));
            }
            (readings, walk.into_ledger())
        };
        let (first, mut ledger) = readings(fresh());
        ledger.answer([("elicit-1", accept("x").as_str())], STRICT, later).unwrap();
        let (second, _) = readings(ledger.clone());
        let (third, _) = readings(ledger);
        prop_assert_eq!(&first[..], &second[..reads]);
        prop_assert_eq!(&second, &third);
        prop_assert!(second.is_sorted());
    }
}

#[test]
fn decline_and_cancel_are_answers() {
    for (action, reply) in [("decline", Reply::Decline), ("cancel", Reply::Cancel)] {
        let (_, mut ledger) = run(&["?".into()], fresh());
        ledger.answer([("elicit-1", json!({"action": action}).to_string().as_str())], STRICT, START).unwrap();
        assert_eq!(run(&["?".into()], ledger).0.unwrap(), [Input::Elicited(reply)]);
    }
}

#[test]
fn a_round_that_answers_nothing_asks_the_same_again() {
    let (first, ledger) = run(&["?".into()], fresh());
    let (second, again) = run(&["?".into()], ledger.clone());
    assert_eq!((first, ledger), (second, again));
}

#[test]
fn a_question_that_nobody_answered_may_change() {
    let (_, ledger) = run(&["before".into()], fresh());
    let (stopped, _) = run(&["after".into()], ledger);
    assert_eq!(pending(stopped.unwrap_err())[0].request, Request::Elicit(form("after")));
}

#[test]
fn several_questions_are_asked_at_once_and_what_was_answered_is_kept_in_any_order() {
    let both = || vec![Asked { key: Some("one".into()), request: Request::Elicit(form("1")) }, asked("2")];
    for order in [["one", "elicit-2"], ["elicit-2", "one"]] {
        let mut ledger = fresh();
        for (answered, key) in order.into_iter().enumerate() {
            let mut walk = walk(ledger);
            let keys: Vec<_> = pending(walk.ask_all(both()).unwrap_err()).into_iter().map(|open| open.key).collect();
            assert_eq!(keys.len(), 2 - answered, "{keys:?}");
            assert!(keys.iter().any(|open| open == key));
            ledger = walk.into_ledger();
            ledger.answer([(key, accept(key).as_str())], STRICT, START).unwrap();
        }
        assert_eq!(walk(ledger).ask_all(both()).unwrap(), [text("one"), text("elicit-2")]);
    }
}

#[test]
fn answers_that_fit_no_open_question_are_rejected_and_nothing_is_taken_in() {
    let (_, mut ledger) = run(&["1".into(), "2".into()], fresh());
    let before = ledger.clone();
    let both = [("elicit-1", accept("x")), ("elicit-9", accept("y"))];
    let answers = both.iter().map(|(key, json)| (*key, json.as_str()));
    assert_eq!(ledger.answer(answers, STRICT, START), Err(Rejection::UnknownKey("elicit-9".into())));
    assert_eq!(ledger, before);
    for bad in ["12345", "null", "{}", r#"{"action":"maybe"}"#, r#"{"action":"accept","content":[]}"#] {
        let rejected = ledger.answer([("elicit-1", bad)], STRICT, START);
        assert!(matches!(rejected, Err(Rejection::NotAnAnswer { .. })), "{bad}: {rejected:?}");
    }
    ledger.answer([("elicit-1", accept("x").as_str())], STRICT, START).unwrap();
    let again = ledger.answer([("elicit-1", accept("z").as_str())], STRICT, START);
    assert_eq!(again, Err(Rejection::AlreadyAnswered("elicit-1".into())));
}

#[test]
fn a_handler_that_returns_before_it_asked_what_was_answered_has_diverged() {
    let (_, mut ledger) = run(&["?".into()], fresh());
    ledger.answer([("elicit-1", accept("x").as_str())], STRICT, START).unwrap();
    let divergence = walk(ledger).finish().unwrap_err();
    assert_eq!((divergence.ordinal, divergence.asked), (1, None));
}

#[test]
fn a_client_is_not_asked_what_it_did_not_say_that_it_takes() {
    let page = Question::Url { message: "go".into(), url: "https://example.org/pay".into() };
    let stopped = walk(fresh()).ask(Asked { key: None, request: Request::Elicit(page.clone()) });
    assert_eq!(stopped, Err(Stop::NotAskable(Askable { url: true, ..Askable::default() })));
    let nothing = Askable::default();
    let stopped = Walk::start(fresh(), nothing, Limits::default()).ask(asked("?"));
    assert_eq!(stopped, Err(Stop::NotAskable(FORMS)));
    let all = Askable { url: true, ..FORMS };
    let asked = Walk::start(fresh(), all, Limits::default()).ask(Asked { key: None, request: Request::Elicit(page) });
    assert!(matches!(asked, Err(Stop::InputRequired(_))));
}

#[test]
fn a_conversation_has_no_more_questions_than_allowed() {
    let limits = Limits { questions: 2, ..Limits::default() };
    let messages: Vec<String> = (0..3).map(|n| n.to_string()).collect();
    let mut ledger = fresh();
    for key in ["elicit-1", "elicit-2"] {
        (_, ledger) = run(&messages, ledger);
        ledger.answer([(key, accept("x").as_str())], STRICT, START).unwrap();
    }
    let mut walk = Walk::start(ledger, FORMS, limits);
    walk.ask(asked("0")).unwrap();
    walk.ask(asked("1")).unwrap();
    assert_eq!(walk.ask(asked("2")), Err(Stop::TooManyQuestions(2)));
}

#[test]
fn questions_that_no_user_could_answer_are_refused() {
    let choice = |value: &str| Choice { value: value.into(), title: None };
    let kinds = [
        FieldKind::SingleChoice { choices: vec![], default: None },
        FieldKind::SingleChoice { choices: vec![choice("a"), choice("a")], default: None },
        FieldKind::SingleChoice { choices: vec![choice("a")], default: Some("b".into()) },
        FieldKind::MultipleChoice { choices: vec![choice("a")], min_items: Some(2), max_items: None, default: None },
        FieldKind::Integer { minimum: Some(2), maximum: Some(1), default: None },
        FieldKind::Integer { minimum: Some(2), maximum: None, default: Some(1) },
        FieldKind::Number { minimum: Some(f64::NAN), maximum: None, default: None },
        FieldKind::Text { min_length: Some(2), max_length: Some(1), format: None, default: None },
    ];
    let field = |kind| Field { name: "f".into(), title: None, description: None, required: true, kind };
    let forms = kinds.map(|kind| Question::Form { message: String::new(), fields: vec![field(kind)] });
    let boolean = || field(FieldKind::Boolean { default: None });
    let twice = Question::Form { message: String::new(), fields: vec![boolean(), boolean()] };
    let pages = ["", "example.org", "javascript:alert(1)", "https://", "http:///path", "https://exa mple.org"]
        .map(|url| Question::Url { message: String::new(), url: url.into() });
    for question in forms.into_iter().chain([twice]).chain(pages) {
        let stopped = walk(fresh()).ask(Asked { key: None, request: Request::Elicit(question.clone()) });
        assert!(matches!(stopped, Err(Stop::BadQuestion(_))), "{question:?}: {stopped:?}");
    }
    assert!(matches!(walk(fresh()).ask_all(vec![]), Err(Stop::BadQuestion(_))));
    let same = || Asked { key: Some("k".into()), request: Request::Elicit(form("?")) };
    assert!(matches!(walk(fresh()).ask_all(vec![same(), same()]), Err(Stop::BadQuestion(_))));
}

#[test]
fn once_keeps_a_value_for_every_later_run_within_its_bounds() {
    let limits = Limits { once_values: 2, once_bytes: 20, ..Limits::default() };
    let mut first = Walk::start(fresh(), FORMS, limits);
    assert_eq!(first.recall("quote"), None);
    assert_eq!(first.remember("quote".into(), "{\"eur\":12}".into()), Ok(()));
    assert_eq!(first.remember("quote".into(), "1".into()), Err(OnceError::AlreadyKept));
    assert_eq!(first.remember("b".into(), "\"0123456789\"".into()), Err(OnceError::TooLarge(20)));
    assert_eq!(first.remember("b".into(), "nope".into()), Err(OnceError::NotJson));
    assert_eq!(first.remember("b".into(), "1".into()), Ok(()));
    assert_eq!(first.remember("c".into(), "1".into()), Err(OnceError::TooMany(2)));
    let mut second = Walk::start(first.into_ledger(), FORMS, limits);
    assert_eq!(second.recall("quote"), Some("{\"eur\":12}"));
}

#[test]
fn what_led_to_a_kept_value_is_passed_over_and_all_that_follows_is_the_same() {
    use dacapo_replay::draws::Stream;
    // Works a value out with a question, a sleep and randomness; then asks once more.
    let run = |ledger| {
        let mut walk = walk(ledger);
        if walk.recall("quote").is_none() {
            let until = walk.clock().read() + 1_000_000;
            let _wait = walk.clock().sleep_until(until);
            walk.draws().set(Stream::Secure, 4);
            walk.ask(asked("Which currency?"))?;
            walk.draws().set(Stream::Insecure, 2);
            walk.remember("quote".into(), "12".into()).unwrap();
        }
        let seen = (walk.clock().read(), walk.draws().get(Stream::Secure), walk.draws().get(Stream::Insecure));
        let asked = walk.ask(asked(&format!("{seen:?}: take it?")));
        let left = (asked.is_ok(), walk.finish());
        Ok::<_, Stop>((seen, left, walk.into_ledger()))
    };
    let mut first = walk(fresh());
    first.ask(asked("Which currency?")).unwrap_err();
    let mut ledger = first.into_ledger();
    ledger.answer([("elicit-1", accept("EUR").as_str())], STRICT, START + 5_000_000).unwrap();
    let (seen, _, mut ledger) = run(ledger).unwrap();
    assert!(seen.0 >= START + 5_000_000, "after the answer: {seen:?}");
    ledger.answer([("elicit-2", accept("yes").as_str())], STRICT, START + 9_000_000).unwrap();
    let (again, (is_answered, finished), _) = run(ledger).unwrap();
    assert_eq!(again, seen);
    assert!(is_answered && finished.is_ok());
}

#[test]
fn a_value_that_once_refuses_is_refused_for_the_same_reason_on_every_run() {
    let limits = Limits { once_values: 3, once_bytes: 40, ..Limits::default() };
    // Too large, no JSON, small enough, one too many.
    let values = [("long", "1".repeat(50)), ("odd", "nope".into()), ("a", "1".into()), ("b", "2".into())];
    let more = [("c", "3".into()), ("d", "4".into()), ("large", "5".repeat(33)), ("odd too", "no".into())];
    let run = |ledger| {
        let mut walk = Walk::start(ledger, FORMS, limits);
        let outcomes: Vec<_> = values
            .iter()
            .chain(&more)
            .map(|(name, value)| match walk.recall(name) {
                Some(kept) => Ok(kept.to_owned()),
                None => walk.remember((*name).to_owned(), value.clone()).map(|()| value.clone()),
            })
            .collect();
        (outcomes, walk.into_ledger())
    };
    let (first, ledger) = run(fresh());
    assert!(first.contains(&Err(OnceError::TooMany(3))) && first.contains(&Err(OnceError::TooLarge(40))), "{first:?}");
    assert_eq!(run(ledger).0, first);
}

#[test]
fn a_fingerprint_tells_every_part_of_a_question() {
    let one = Fingerprint::of(&Request::Elicit(form("?"))).unwrap();
    let other = Fingerprint::of(&Request::Elicit(form("!"))).unwrap();
    let mut optional = form("?");
    if let Question::Form { fields, .. } = &mut optional {
        fields[0].required = false;
    }
    assert_ne!(one, other);
    assert_ne!(one, Fingerprint::of(&Request::Elicit(optional)).unwrap());
    let shown = one.to_string();
    assert!(shown.strip_prefix("sha256:").is_some_and(|digits| digits.len() == 64), "{shown}");
}

#[test]
fn an_accepted_page_has_no_content() {
    let page = Question::Url { message: "go".into(), url: "https://example.org/".into() };
    let accepted: ElicitResult = serde_json::from_str(r#"{"action":"accept"}"#).unwrap();
    assert_eq!(page.read("k", &accepted), Ok(Reply::Accept(vec![])));
}

#[test]
fn a_lenient_round_ignores_answers_that_nobody_waits_for() {
    let (_, mut ledger) = run(&["1".into()], fresh());
    let both = [("elicit-1", accept("x")), ("stranger", "12345".to_owned())];
    let answers = || both.iter().map(|(key, json)| (*key, json.as_str()));
    ledger.answer(answers(), RetryPolicy::Lenient, START).unwrap();
    let once = ledger.clone();
    ledger.answer([("elicit-1", accept("y").as_str())], RetryPolicy::Lenient, START).unwrap();
    assert_eq!(ledger, once, "the first answer stays");
    assert_eq!(run(&["1".into()], ledger).0.unwrap(), [text("x")]);
}

#[test]
fn responses_that_came_beforehand_are_matched_by_key_and_checked() {
    let given = |json: &str| [("name".to_owned(), json.to_owned()), ("stranger".into(), "1".into())].into();
    let named = || Asked { key: Some("name".into()), request: Request::Elicit(form("?")) };
    let mut good = walk(fresh()).with_responses(given(&accept("Ada")), START);
    assert_eq!(good.ask(named()), Ok(text("Ada")));
    assert!(matches!(good.ask(asked("next")), Err(Stop::InputRequired(_))));
    let mut bad = walk(fresh()).with_responses(given("12345"), START);
    assert!(matches!(bad.ask(named()), Err(Stop::Rejected(Rejection::NotAnAnswer { .. }))));
    let mut unfit = walk(fresh()).with_responses(given(r#"{"action":"accept"}"#), START);
    assert!(matches!(unfit.ask(named()), Err(Stop::InvalidAnswer(_))));
}

#[test]
fn sampling_and_roots_are_asked_for_beside_questions() {
    let all = Askable { sampling: true, roots: true, ..FORMS };
    let sample = Request::Sample(json!({"messages": [], "maxTokens": 9}).as_object().unwrap().clone());
    let asked = || {
        [Request::Elicit(form("?")), sample.clone(), Request::ListRoots]
            .map(|request| Asked { key: None, request })
            .to_vec()
    };
    let mut first = Walk::start(fresh(), all, Limits::default());
    let open = pending(first.ask_all(asked()).unwrap_err());
    let methods: Vec<_> =
        open.iter().map(|open| serde_json::to_value(&open.request).unwrap()["method"].clone()).collect();
    assert_eq!(methods, ["elicitation/create", "sampling/createMessage", "roots/list"]);
    let mut ledger = first.into_ledger();
    let roots = json!({"roots": [{"uri": "file:///a", "name": "A"}]}).to_string();
    for wrong in [("elicit-2", roots.as_str()), ("elicit-3", r#"{"action":"decline"}"#)] {
        assert!(matches!(ledger.answer([wrong], STRICT, START), Err(Rejection::NotAnAnswer { .. })));
    }
    let message = json!({"role": "assistant", "content": {"type": "text", "text": "hi"}, "model": "m"});
    let text_of = message.to_string();
    let responses =
        [("elicit-1", r#"{"action":"decline"}"#), ("elicit-2", text_of.as_str()), ("elicit-3", roots.as_str())];
    ledger.answer(responses, STRICT, START).unwrap();
    let inputs = Walk::start(ledger, all, Limits::default()).ask_all(asked()).unwrap();
    assert_eq!(inputs[0], Input::Elicited(Reply::Decline));
    assert_eq!(inputs[1], Input::Sampled(message.as_object().unwrap().clone()));
    assert!(matches!(&inputs[2], Input::Roots(roots) if roots[0].uri == "file:///a"));
    let with_tools = Request::Sample(json!({"messages": [], "maxTokens": 9, "tools": []}).as_object().unwrap().clone());
    let stopped = Walk::start(fresh(), all, Limits::default()).ask(Asked { key: None, request: with_tools });
    assert_eq!(stopped, Err(Stop::NotAskable(Askable { sampling_tools: true, ..Askable::default() })));
}
