//! A replay that asks something else is explained, field by field and in few words.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "a test")]

use dacapo_replay::divergence::How;
use dacapo_replay::ledger::{ASKED_LIMIT, ASKED_TOTAL, Opening};
use dacapo_replay::question::{Choice, Field, FieldKind, Question, TextFormat};
use dacapo_replay::request::{Askable, Asked, Request};
use dacapo_replay::walk::Limits;
use dacapo_replay::{Differences, Divergence, Ledger, RetryPolicy, Stop, Walk};
use serde_json::json;

const ALL: Askable = Askable { form: true, url: true, sampling: true, sampling_tools: true, roots: true };

fn walk(ledger: Ledger) -> Walk {
    Walk::start(ledger, ALL, Limits::default())
}

fn fresh() -> Ledger {
    Ledger::open(Opening { started: 1, seed: [0; 32], protocol_version: "2026-07-28".into(), askable: ALL })
}

fn text(name: &str, format: Option<TextFormat>) -> Field {
    let kind = FieldKind::Text { min_length: None, max_length: None, format, default: None };
    Field { name: name.into(), title: None, description: None, required: false, kind }
}

fn form(message: &str, fields: Vec<Field>) -> Asked {
    Asked { key: None, request: Request::Elicit(Question::Form { message: message.into(), fields }) }
}

/// A ledger in which `asked` was answered, as it comes out of a token.
fn answered(asked: Asked) -> Ledger {
    let mut walk = walk(fresh());
    walk.ask(asked).unwrap_err();
    let mut ledger: Ledger = postcard::from_bytes(&postcard::to_allocvec(walk.ledger()).unwrap()).unwrap();
    let key = ledger.slots[0].key.clone();
    ledger.answer([(key.as_str(), r#"{"action": "decline"}"#)], RetryPolicy::Strict, 2).unwrap();
    ledger
}

fn diverged(stopped: Stop) -> Divergence {
    match stopped {
        Stop::Diverged(divergence) => *divergence,
        other => panic!("expected a divergence, got {other:?}"),
    }
}

fn diverges(recorded: Asked, asked: Asked) -> String {
    diverged(walk(answered(recorded)).ask(asked).unwrap_err()).to_string()
}

/// What follows the words that all divergences have in common.
fn told(divergence: &str) -> &str {
    let words = "(up to its last question it must ask the same on every run): at position 1, key \"";
    divergence.split_once(words).unwrap_or_else(|| panic!("{divergence}")).1
}

#[test]
fn every_field_that_differs_is_named_with_both_values() {
    let choices = |titles: [&str; 2]| {
        let choices = titles.map(|title| Choice { value: title.to_lowercase(), title: Some(title.into()) }).to_vec();
        Field { kind: FieldKind::SingleChoice { choices, default: None }, ..text("plan", None) }
    };
    let one = form("Who?", vec![text("email", Some(TextFormat::Email)), text("odd name", None), choices(["A", "B"])]);
    let other = form("Who are you?", vec![text("email", None), choices(["A", "C"])]);
    assert_eq!(
        told(&diverges(one, other)),
        "elicit-1\", it asked something else than what was answered: message: recorded \"Who?\", asked \"Who are you?\"; \
         requestedSchema.properties.email.format: recorded \"email\", asked nothing; \
         requestedSchema.properties[\"odd name\"]: recorded {\"type\":\"string\"}, asked nothing; \
         requestedSchema.properties.plan.oneOf[1].const: recorded \"b\", asked \"c\"; \
         requestedSchema.properties.plan.oneOf[1].title: recorded \"B\", asked \"C\""
    );
}

#[test]
fn another_key_and_another_kind_are_named() {
    let keyed = |key: &str| Asked { key: Some(key.into()), ..form("?", vec![text("a", None)]) };
    assert_eq!(
        told(&diverges(keyed("one"), keyed("two"))),
        "one\", it asked something else than what was answered: key: recorded \"one\", asked \"two\""
    );
    let roots = Asked { key: None, request: Request::ListRoots };
    assert_eq!(
        told(&diverges(form("?", vec![]), roots)),
        "elicit-1\", it asked something else than what was answered: \
         method: recorded \"elicitation/create\", asked \"roots/list\""
    );
    let page = Question::Url { message: "?".into(), url: "https://example.org/".into() };
    let page = Asked { key: None, request: Request::Elicit(page) };
    let text = diverges(form("?", vec![]), page);
    for part in ["mode: recorded \"form\", asked \"url\"", "url: recorded nothing, asked \"https://example.org/\""] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn a_question_more_in_the_round_is_seen_where_it_pushes_another_from_its_place() {
    let asked = vec![form("new", vec![text("a", None)]), form("old", vec![text("a", None)])];
    let stopped = walk(answered(form("old", vec![text("a", None)]))).ask_all(asked).unwrap_err();
    let text = diverged(stopped).to_string();
    assert!(text.ends_with("as number 1 of 2 at once: message: recorded \"old\", asked \"new\""), "{text}");
}

#[test]
fn a_handler_that_ended_is_told_what_it_did_not_ask() {
    let divergence = walk(answered(form("Go on?", vec![]))).finish().unwrap_err();
    assert_eq!(divergence.asked, None);
    let text = divergence.to_string();
    assert!(text.contains("it ended without asking what was answered: {"), "{text}");
    assert!(text.contains("\"message\":\"Go on?\""), "{text}");
}

#[test]
fn a_question_too_long_to_keep_is_known_by_its_fingerprint_and_the_explanation_says_so() {
    let long = |end: &str| form(&format!("{}{end}", "x".repeat(ASKED_LIMIT)), vec![]);
    let ledger = answered(long("1"));
    assert_eq!(ledger.slots[0].asked.json(), None);
    assert!(walk(ledger.clone()).ask(long("1")).is_ok());
    let divergence = diverged(walk(ledger).ask(long("2")).unwrap_err());
    assert!(matches!(divergence.how, How::Unknown { .. }));
    assert_ne!(Some(divergence.recorded), divergence.asked);
    let text = divergence.to_string();
    assert!(text.contains("only the fingerprint was recorded") && text.len() < 1000, "{text}");
    // Key and kind are known all the same.
    let roots = Asked { key: Some("r".into()), request: Request::ListRoots };
    let text = diverged(walk(answered(long("1"))).ask(roots).unwrap_err()).to_string();
    assert!(text.contains("key: recorded \"elicit-1\", asked \"r\"; method: recorded"), "{text}");
}

#[test]
fn what_is_kept_to_explain_leaves_room_in_the_token() {
    let mut walk = walk(fresh());
    let long = |n: usize| form(&format!("{n}{}", "x".repeat(ASKED_LIMIT - 200)), vec![]);
    walk.ask_all((0..20).map(long).collect()).unwrap_err();
    let kept: usize = walk.ledger().slots.iter().filter_map(|slot| slot.asked.json()).map(str::len).sum();
    assert!((ASKED_TOTAL / 2..=ASKED_TOTAL).contains(&kept), "{kept}");
    // Asked anew in the same places, the same are kept: what is replaced takes no room.
    let again = self::walk(walk.into_ledger());
    let mut again = again;
    again.ask_all((100..120).map(long).collect()).unwrap_err();
    let again: usize = again.ledger().slots.iter().filter(|slot| slot.asked.json().is_some()).count();
    assert!(again >= 4, "{again}");
}

#[test]
fn whatever_a_handler_asks_its_explanation_is_short_and_has_no_control_characters() {
    let hostile = |n: usize| {
        let fields =
            (0..200).map(|field| text(&format!("{n}\u{1b}[31m\n\"{field}{}", "y".repeat(400)), None)).collect();
        form(&format!("{n}\u{7}\n{}", "z".repeat(5000)), fields)
    };
    let key = |n: usize| Some(format!("{n}\u{1b}\n{}", "k".repeat(3000)));
    let short =
        |n: usize| Asked { key: key(n), ..form("\u{1b}[31m\u{9b}2J\u{202e}\r\n?", vec![text("\u{1b}\n", None)]) };
    for (recorded, asked) in [
        (hostile(1), hostile(2)),
        (short(1), hostile(2)),
        (short(1), short(2)),
        (Asked { key: None, ..short(1) }, hostile(3)),
    ] {
        let text = diverges(recorded, asked);
        assert!(text.len() < 3000, "{} bytes: {text}", text.len());
        assert!(!text.chars().any(|c| c.is_control() || c == '\u{202e}'), "{text:?}");
    }
}

#[test]
fn differences_beyond_the_first_five_are_counted() {
    let many =
        |value: i32| json!((0..9).map(|n| (format!("m{n}"), value)).collect::<std::collections::BTreeMap<_, _>>());
    let found = Differences::between(&many(1), &many(2));
    assert_eq!((found.first.len(), found.more), (5, 4));
    assert!(found.named("a", "b").to_string().ends_with("m4: a 1, b 2; and 4 more"));
    assert!(Differences::between(&many(1), &many(1)).is_empty());
    let whole = Differences::between(&json!([1]), &json!({"a": 1}));
    assert_eq!(whole.named("a", "b").to_string(), "a [1], b {\"a\":1}");
}

#[test]
fn a_form_whose_fields_stand_in_another_order_is_another_question() {
    let one = form("?", vec![text("a", None), text("b", None)]);
    let other = form("?", vec![text("b", None), text("a", None)]);
    assert_eq!(
        told(&diverges(one, other)),
        "elicit-1\", it asked something else than what was answered: order: recorded [\"a\",\"b\"], asked [\"b\",\"a\"]"
    );
}
