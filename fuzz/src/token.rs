//! What a client sends as `requestState`.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use dacapo::carrier::{Binding, Keyring, Rejected, Revision, Wire, token};
use dacapo::protocol::params::Params;
use dacapo_replay::RetryPolicy;

const LIMIT: usize = 64 << 10;

/// Answers that come with the token.
const RESPONSES: [(&str, &str); 2] =
    [("elicit-1", r#"{"action":"accept","content":{"n":1}}"#), ("elicit-2", r#"{"action":"decline"}"#)];

/// Takes `data` for a token, which nobody sealed; and for what a sealed one holds.
///
/// # Panics
///
/// When what was not sealed opens, or what was sealed does not come back.
pub fn check(data: &[u8]) {
    let wire = Wire::new(ring(), Duration::MAX, LIMIT);
    let params = params();
    let binding = Binding { method: "tools/call", params: &params, principal: None };
    let open = |state: &str| wire.open(&binding, state, RESPONSES, RetryPolicy::Lenient, now());

    if let Ok(text) = std::str::from_utf8(data) {
        match token::open(&ring(), text, LIMIT) {
            // Only one of the corpus can: then it is the one spelling of what is in it.
            Ok(_) => assert_eq!(BASE64URL.encode(BASE64URL.decode(text).expect("it was opened")), text),
            Err(_) => assert!(matches!(open(text), Err(Rejected::Token(_)))),
        }
    }

    let Ok(state) = token::seal(&ring(), data.iter().copied().collect(), LIMIT) else { return };
    assert_eq!(token::open(&ring(), &state, LIMIT).as_deref(), Ok(data));
    match open(&state) {
        Ok(held) => {
            let revision = Revision { handler: &held.handler, component: &held.component };
            let again = wire.seal(&binding, revision, &held.ledger, now(), 2 * LIMIT).expect("it is not much longer");
            let same = Wire::new(ring(), Duration::MAX, 2 * LIMIT)
                .open(&binding, &again, [], RetryPolicy::Strict, now())
                .expect("it was just sealed");
            assert_eq!((same.ledger, same.handler, same.component), (held.ledger, held.handler, held.component));
        }
        Err(rejected) => assert_eq!(rejected.on_the_wire().code, -32602),
    }
}

fn ring() -> Keyring {
    let secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=".parse().expect("32 bytes in Base64");
    Keyring::new(&secret, &[])
}

fn params() -> Params {
    serde_json::from_str(r#"{"name":"onboard","arguments":{}}"#).expect("JSON")
}

fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_800_000_000)
}
