//! The promises of the token, for any conversation: it comes back as it was to whom it was given for what it was given,
//! and opens in no other way.
#![allow(
    clippy::duration_suboptimal_units,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test"
)]

#[path = "../replay/tests/conversations/mod.rs"]
mod conversations;

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use conversations::{any_script, json as any_json, object};
use dacapo::carrier::token::{self, TokenError};
use dacapo::carrier::wire::Held;
use dacapo::carrier::{Binding, Keyring, Rejected, Revision, Secret, Wire};
use dacapo::protocol::params::Params;
use dacapo_replay::reply::ResponseKind;
use dacapo_replay::{Askable, Ledger, RetryPolicy, Slot};
use proptest::option;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const LIMIT: usize = 1 << 20;
const TTL: Duration = Duration::from_mins(5);

/// A key, by a number.
fn secret(number: u8) -> Secret {
    base64::engine::general_purpose::STANDARD.encode([number; 32]).parse().unwrap()
}

fn ring(current: u8, previous: &[u8]) -> Keyring {
    Keyring::new(&secret(current), &previous.iter().map(|number| secret(*number)).collect::<Vec<_>>())
}

fn wire() -> Wire {
    Wire::new(ring(1, &[]), TTL, LIMIT)
}

fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_800_000_000)
}

/// What a conversation is bound to, as a test writes it, and what serves it.
#[derive(Clone, Debug)]
struct Bound {
    method: String,
    params: Map<String, Value>,
    principal: Option<String>,
    handler: String,
    component: String,
}

impl Bound {
    fn original(&self) -> Params {
        serde_json::from_str(&serde_json::to_string(&self.params).unwrap()).unwrap()
    }

    fn seal(&self, wire: &Wire, ledger: &Ledger, now: SystemTime) -> String {
        let params = self.original();
        let revision = Revision { handler: &self.handler, component: &self.component };
        wire.seal(&self.binding(&params), revision, ledger, now, LIMIT).unwrap()
    }

    fn open(&self, wire: &Wire, state: &str, now: SystemTime) -> Result<Held, Rejected> {
        let params = self.original();
        wire.open(&self.binding(&params), state, [], RetryPolicy::Strict, now)
    }

    fn binding<'a>(&'a self, params: &'a Params) -> Binding<'a> {
        Binding { method: &self.method, params, principal: self.principal.as_deref() }
    }
}

prop_compose! {
    fn any_bound()(
        method in prop_oneof!["tools/call", "prompts/get", ".{0,12}"],
        params in object(),
        principal in option::of(".{0,8}"),
        handler in "[a-z]{1,8}",
        component in "sha256:[0-9a-f]{8}",
    ) -> Bound {
        let mut params = params;
        // What a retry adds is no part of what it is held against.
        for added in ["_meta", "inputResponses", "requestState"] {
            params.remove(added);
        }
        Bound { method, params, principal, handler, component }
    }
}

proptest! {
    #[test]
    fn any_conversation_comes_back_from_its_token_as_it_was(
        script in any_script(), bound in any_bound(), age in 0..=TTL.as_millis(),
    ) {
        let (wire, ledger) = (wire(), script.ledger());
        let state = bound.seal(&wire, &ledger, now());
        let later = now() + Duration::from_millis(u64::try_from(age).unwrap());
        let held = bound.open(&wire, &state, later).unwrap();
        prop_assert_eq!(&held.ledger, &ledger);
        prop_assert!(held.params.same_as(&bound.original()));
        // Whoever opens it, it says which component it was sealed with.
        prop_assert_eq!((&held.handler, &held.component), (&bound.handler, &bound.component));
        // Two tokens of one conversation have nothing in common but its length.
        let other = bound.seal(&wire, &ledger, now());
        prop_assert_ne!(&state, &other);
        prop_assert_eq!(state.len(), other.len());
    }

    #[test]
    fn a_token_that_has_expired_opens_no_more(script in any_script(), bound in any_bound(), over in 1..1_000_000_u64) {
        let state = bound.seal(&wire(), &script.ledger(), now());
        let late = now() + TTL + Duration::from_millis(over);
        let opened = bound.open(&wire(), &state, late);
        prop_assert!(matches!(opened, Err(Rejected::Expired { .. })), "{:?}", opened);
    }

    #[test]
    fn a_token_opens_with_no_key_but_its_own(script in any_script(), bound in any_bound(), key in 2..=255_u8) {
        let state = bound.seal(&wire(), &script.ledger(), now());
        let other = Wire::new(ring(key, &[key.wrapping_add(1).max(2)]), TTL, LIMIT);
        prop_assert!(matches!(bound.open(&other, &state, now()), Err(Rejected::Token(TokenError::UnknownKey(_)))));
        let rotated = Wire::new(ring(key, &[1]), TTL, LIMIT);
        prop_assert!(bound.open(&rotated, &state, now()).is_ok());
    }

    #[test]
    fn a_token_opens_for_no_other_method(script in any_script(), bound in any_bound(), method in ".{0,12}") {
        prop_assume!(method != bound.method);
        let state = bound.seal(&wire(), &script.ledger(), now());
        let other = Bound { method, ..bound };
        prop_assert!(matches!(other.open(&wire(), &state, now()), Err(Rejected::OtherMethod(_))));
    }

    #[test]
    fn a_token_opens_for_no_other_caller(
        script in any_script(), bound in any_bound(), principal in option::of(".{0,8}"),
    ) {
        prop_assume!(principal != bound.principal);
        let state = bound.seal(&wire(), &script.ledger(), now());
        let other = Bound { principal, ..bound };
        prop_assert!(matches!(other.open(&wire(), &state, now()), Err(Rejected::OtherPrincipal(_))));
    }

    #[test]
    fn a_token_opens_for_no_other_params(
        script in any_script(), bound in any_bound(), at in any::<prop::sample::Index>(), value in any_json(), change in 0..3,
    ) {
        let state = bound.seal(&wire(), &script.ledger(), now());
        let mut other = bound.clone();
        let names: Vec<String> = other.params.keys().cloned().collect();
        match (change, names.is_empty()) {
            (0, false) => drop(other.params.remove(at.get(&names))),
            // The value that was, in a list: another one, whatever it was.
            (1, false) => {
                let was = other.params[at.get(&names)].take();
                other.params.insert(at.get(&names).clone(), vec![was].into());
            }
            _ => drop(other.params.insert("one more".to_owned(), value)),
        }
        prop_assert!(matches!(other.open(&wire(), &state, now()), Err(Rejected::OtherParams)));
    }

    #[test]
    fn any_bit_flipped_anywhere_makes_a_token_worthless(
        script in any_script(), bound in any_bound(), at in any::<prop::sample::Index>(), bit in 0..8,
    ) {
        let state = bound.seal(&wire(), &script.ledger(), now());
        let mut bytes = BASE64URL.decode(&state).unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= 1_u8 << bit;
        prop_assert!(matches!(bound.open(&wire(), &BASE64URL.encode(bytes), now()), Err(Rejected::Token(_))));
    }

    #[test]
    fn a_token_that_is_cut_short_or_made_longer_is_worthless(
        script in any_script(), bound in any_bound(), at in any::<prop::sample::Index>(), more in prop::collection::vec(any::<u8>(), 1..40),
    ) {
        let state = bound.seal(&wire(), &script.ledger(), now());
        let bytes = BASE64URL.decode(&state).unwrap();
        let cut = at.index(bytes.len());
        let longer = [more.as_slice(), &bytes].concat();
        let inside = [&bytes[..cut], more.as_slice(), &bytes[cut..]].concat();
        for changed in [&bytes[..cut], &[bytes.as_slice(), &more].concat(), &longer, &inside] {
            let opened = bound.open(&wire(), &BASE64URL.encode(changed), now());
            prop_assert!(matches!(opened, Err(Rejected::Token(_))), "{} bytes, {} before", changed.len(), bytes.len());
        }
        prop_assert!(bound.open(&wire(), &state[..at.index(state.len())], now()).is_err());
    }

    #[test]
    fn what_a_token_holds_is_read_whole_or_not_at_all(
        script in any_script(), bound in any_bound(), at in any::<prop::sample::Index>(), more in any::<u8>(),
    ) {
        let state = bound.seal(&wire(), &script.ledger(), now());
        let payload = token::open(&ring(1, &[]), &state, LIMIT).unwrap();
        let longer = [payload.as_slice(), &[more]].concat();
        for payload in [&payload[..at.index(payload.len())], &longer] {
            let state = token::seal(&ring(1, &[]), payload.iter().copied().collect(), LIMIT).unwrap();
            prop_assert!(matches!(bound.open(&wire(), &state, now()), Err(Rejected::Unreadable(_))));
        }
    }

    #[test]
    fn what_nobody_sealed_does_not_open(text in "[A-Za-z0-9_-]{0,200}", junk in ".{0,40}") {
        prop_assert!(token::open(&ring(1, &[]), &text, LIMIT).is_err());
        prop_assert!(token::open(&ring(1, &[]), &junk, LIMIT).is_err());
    }

    #[test]
    fn parts_of_two_tokens_make_no_third(
        one in any_script(), other in any_script(), bound in any_bound(), at in any::<prop::sample::Index>(),
    ) {
        let sealed = |ledger: &Ledger| BASE64URL.decode(bound.seal(&wire(), ledger, now())).unwrap();
        let (one, other) = (sealed(&one.ledger()), sealed(&other.ledger()));
        // Version and key are the same in both.
        let cut = 5 + 1 + at.index(one.len().min(other.len()) - 6);
        let mixed = BASE64URL.encode([&one[..cut], &other[cut..]].concat());
        prop_assert!(matches!(bound.open(&wire(), &mixed, now()), Err(Rejected::Token(TokenError::Forged))));
    }
}

/// What is in a token is written without names, so another order of anything would be read as something else. Where this
/// fails, the format has changed: give tokens another version, and make the corpus of the fuzz targets anew.
#[test]
fn a_token_of_this_version_holds_what_it_always_held() {
    /// Key, kind and answer of a slot.
    type Found<'a> = (&'a str, ResponseKind, Option<&'a str>);

    let bound = Bound {
        method: "tools/call".into(),
        params: object_of(json!({"name": "onboard", "arguments": {}})),
        principal: None,
        handler: "onboard".into(),
        component: "sha256:00".into(),
    };
    let slots: [(&str, &[Found<'_>]); 3] = [
        ("fresh", &[("elicit-1", ResponseKind::Elicit, None)]),
        (
            "answered",
            &[(
                "elicit-1",
                ResponseKind::Elicit,
                Some(r#"{"action":"accept","content":{"l":[1,null],"n":0.1,"s":"x"}}"#),
            )],
        ),
        (
            "sampled",
            &[
                ("elicit-2", ResponseKind::Sample, Some(r#"{"content":{},"model":"m","role":"assistant"}"#)),
                ("r", ResponseKind::Roots, Some(r#"{"roots":[{"uri":"file:///a"}]}"#)),
            ],
        ),
    ];
    for (file, slots) in slots {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/token").join(file);
        let payload = std::fs::read(path).unwrap();
        let state = token::seal(&ring(1, &[]), payload.iter().copied().collect(), LIMIT).unwrap();
        let held = bound.open(&wire(), &state, now()).unwrap();
        assert_eq!((held.handler.as_str(), held.component.as_str()), ("onboard", "sha256:00"));
        let opening = &held.ledger.opening;
        assert_eq!((opening.started, opening.protocol_version.as_str()), (1, "2026-07-28"));
        assert_eq!(opening.askable, Askable { form: true, ..Askable::default() });
        let found: Vec<_> = held.ledger.slots.iter().map(|slot| (&*slot.key, slot.kind, answer(slot))).collect();
        assert_eq!(found, slots, "{file}");
        let again = bound.seal(&wire(), &held.ledger, UNIX_EPOCH + Duration::from_secs(1_800_000_000));
        assert_eq!(token::open(&ring(1, &[]), &again, LIMIT).unwrap(), payload, "{file}");
    }
}

fn answer(slot: &Slot) -> Option<&str> {
    slot.answer.as_ref().map(|answer| &*answer.response)
}

fn object_of(value: Value) -> Map<String, Value> {
    let Value::Object(object) = value else { panic!("{value} is no object") };
    object
}

/// Every single bit of a token, and every bit of its text.
#[test]
fn no_bit_of_a_token_can_be_flipped() {
    // In the second ring, two keys answer to one name.
    let rings = [ring(1, &[2, 3]), ring(1, &[1])];
    for (payload, ring) in ["", "x", "a payload of more than one block"]
        .into_iter()
        .flat_map(|payload| rings.iter().map(move |ring| (payload, ring)))
    {
        let sealed = token::seal(ring, payload.bytes().collect(), LIMIT).unwrap();
        assert_eq!(token::open(ring, &sealed, LIMIT).unwrap(), payload.as_bytes());
        let bytes = BASE64URL.decode(&sealed).unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1_u8 << (bit % 8);
            assert!(token::open(ring, &BASE64URL.encode(flipped), LIMIT).is_err(), "bit {bit}");
        }
        for bit in 0..sealed.len() * 8 {
            let mut flipped = sealed.clone().into_bytes();
            flipped[bit / 8] ^= 1_u8 << (bit % 8);
            // What is no text can't be in JSON.
            if let Ok(flipped) = String::from_utf8(flipped) {
                assert!(token::open(ring, &flipped, LIMIT).is_err(), "bit {bit} of the text");
            }
        }
    }
}

#[test]
fn a_token_has_one_spelling_only() {
    let ring = ring(1, &[]);
    for payload in ["", "x", "xy", "xyz"] {
        let sealed = token::seal(&ring, payload.bytes().collect(), LIMIT).unwrap();
        let standard = sealed.replace('-', "+").replace('_', "/");
        let mut others = vec![format!("{sealed}="), format!("{sealed}=="), format!(" {sealed}"), format!("{sealed}\n")];
        others.extend((standard != sealed).then_some(standard));
        // The last character may have bits that stand for nothing.
        let (start, _) = sealed.split_at(sealed.len() - 1);
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        others.extend(alphabet.chars().map(|last| format!("{start}{last}")).filter(|other| *other != sealed));
        for other in others {
            assert!(token::open(&ring, &other, LIMIT).is_err(), "{other:?} opens, and is not {sealed:?}");
        }
    }
}
