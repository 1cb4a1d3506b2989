//! A thousand conversations at once, while their handler is replaced and removed, the host restarts and its keys change.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use dacapo_tests::{Answer, Client, Host, guests};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::{RwLock, watch};

const CONVERSATIONS: usize = 1000;

/// What happens meanwhile, and how often.
const DISTURBANCES: [(Disturbance, usize); 5] = [
    (Disturbance::Upload, 12),
    (Disturbance::Removal, 2),
    (Disturbance::Restart, 4),
    (Disturbance::NewKey, 3),
    (Disturbance::OldKeysDropped, 2),
];

/// How many disturbances may pass between two steps of a conversation, at most.
const PATIENCE: usize = 3;

const HANDLER: &str = "plans";

/// Base64 of 32 bytes, all `key`.
fn secret(key: u8) -> String {
    use std::fmt::Write as _;
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for bytes in [key; 32].chunks(3) {
        let bits = bytes.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - bytes.len()));
        for place in 0..=bytes.len() {
            let digit = digits[(bits >> (18 - 6 * place)) as usize & 63];
            write!(text, "{}", char::from(digit)).expect("a string can be written");
        }
    }
    text + "="
}

/// The host and a client of it, which change with every restart.
struct Place {
    host: RwLock<(Host, Arc<Client>)>,
    /// What earlier hosts have logged.
    log: std::sync::Mutex<String>,
}

async fn start(data: &Path, keys: &[u8]) -> (Host, Arc<Client>) {
    let previous: Vec<_> = keys.iter().skip(1).map(|key| secret(*key)).collect();
    let mut host = Host::builder().data_dir(data).env("DACAPO_SECRET", secret(keys[0]));
    if !previous.is_empty() {
        host = host.env("DACAPO_PREVIOUS_SECRETS", previous.join(","));
    }
    let host = host.start().await;
    let client = Arc::new(host.client());
    (host, client)
}

#[derive(Clone, Copy)]
enum Disturbance {
    Upload,
    Removal,
    Restart,
    NewKey,
    OldKeysDropped,
}

/// How a conversation ended.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Upgraded,
    Cancelled,
    Refused(String),
}

/// One conversation: its user, and what the user will say.
struct Talk {
    user: String,
    plan: &'static str,
    agrees: bool,
}

impl Talk {
    /// The answer to whatever is asked, by key. Both revisions of the handler ask under keys of their own.
    fn answer(&self, key: &str) -> Value {
        let content = match key {
            "elicit-1" | "renewed-plan" => json!({"plan": self.plan}),
            "elicit-2" => json!({"confirmed": self.agrees}),
            "terms" => json!({"agreed": self.agrees}),
            other => panic!("nobody asks for {other}"),
        };
        json!({"action": "accept", "content": content})
    }

    async fn hold(&self, place: &Place, mut disturbed: watch::Receiver<usize>) -> End {
        let arguments = json!({"user": self.user});
        let mut answer = {
            let host = place.host.read().await;
            host.1.call_tool("upgrade-plan", arguments.clone()).await
        };
        let mut asked: Vec<String> = Vec::new();
        loop {
            let until = disturbed.borrow().saturating_add(fastrand::usize(0..=PATIENCE));
            disturbed.wait_for(|passed| *passed >= until).await.expect("disturbances are counted to the end");
            if let Some(error) = answer.body.get("error") {
                return End::Refused(refusal(error));
            }
            if answer.result()["resultType"] == "complete" {
                return self.end(&asked, answer.result());
            }
            let requests = answer.input_requests().as_object().expect("an object").clone();
            asked.extend(requests.keys().cloned());
            let answers: Value =
                requests.keys().map(|key| (key.clone(), self.answer(key))).collect::<serde_json::Map<_, _>>().into();
            let state = answer.request_state().to_owned();
            let host = place.host.read().await;
            answer = host.1.retry("upgrade-plan", arguments.clone(), &state, answers).await;
        }
    }

    /// Checks that the result is that of the revision that asked, for this user and this plan.
    fn end(&self, asked: &[String], result: &Value) -> End {
        let Self { user, plan, agrees } = self;
        match asked.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["elicit-1", "elicit-2"] => {
                let expected = if *agrees {
                    json!({"status": "upgraded", "user": user, "plan": plan})
                } else {
                    json!({"status": "cancelled", "user": user})
                };
                assert_eq!(result["structuredContent"], expected);
            }
            ["terms", "renewed-plan"] => {
                assert!(agrees);
                assert_eq!(
                    result["content"][0]["text"],
                    format!("{user} has {plan}, by the renewed revision").as_str()
                );
            }
            ["terms"] => {
                assert!(!agrees);
                assert_eq!(result["content"][0]["text"], format!("{user} did not agree").as_str());
            }
            ref others => panic!("no revision asks {others:?}"),
        }
        if *agrees { End::Upgraded } else { End::Cancelled }
    }
}

/// The stable word for why a conversation can't begin or go on.
fn refusal(error: &Value) -> String {
    let (reason, message) = (&error["data"]["reason"], error["message"].as_str().expect("a message"));
    match reason.as_str() {
        Some(reason @ ("handler-removed" | "handler-replaced" | "invalid-state")) => reason.to_owned(),
        None if message.contains("there is no tool") => "no-tool".to_owned(),
        _ => panic!("a conversation ended without a reason that a user would understand: {error}"),
    }
}

/// Replaces, removes, restarts and changes keys, in any order, and counts.
async fn disturb(place: &Place, data: &Path, count: &watch::Sender<usize>) {
    let mut all: Vec<_> = DISTURBANCES.into_iter().flat_map(|(what, often)| std::iter::repeat_n(what, often)).collect();
    fastrand::shuffle(&mut all);
    let mut keys = vec![1];
    for (build, what) in (1..).zip(all) {
        match what {
            Disturbance::Upload => upload(&place.host.read().await.0, build).await,
            Disturbance::Removal => {
                let host = place.host.read().await;
                let removed = Answer::to(host.0.request(Method::DELETE, &format!("/v1/handlers/{HANDLER}"))).await;
                assert_eq!(removed.status, 204);
                upload(&host.0, build).await;
            }
            Disturbance::Restart => restart(place, data, &keys).await,
            Disturbance::NewKey => {
                keys.insert(0, keys[0] + 1);
                restart(place, data, &keys).await;
            }
            Disturbance::OldKeysDropped => {
                keys.truncate(1);
                restart(place, data, &keys).await;
            }
        }
        count.send_modify(|count| *count += 1);
    }
    // Whoever waits for one more goes on.
    count.send_replace(usize::MAX);
}

/// Uploads the next build: one revision or the other, and never the same bytes again.
async fn upload(host: &Host, build: u32) {
    let mut component = guests::bytes(if build.is_multiple_of(2) { "upgrade-plan" } else { "renewed-plan" });
    // A custom section without a name changes nothing but the digest.
    component.extend_from_slice(&[0, 5, 0]);
    component.extend_from_slice(&build.to_le_bytes());
    let answer = host.upload(HANDLER, component).await;
    assert!(answer.status.is_success(), "{}", answer.body);
}

async fn restart(place: &Place, data: &Path, keys: &[u8]) {
    let mut held = place.host.write().await;
    held.0.stop(Duration::from_secs(30)).await;
    place.log.lock().expect("unpoisoned").push_str(&held.0.log());
    *held = start(data, keys).await;
}

/// How often each user was charged, as the handlers wrote it.
fn charges(log: &str) -> BTreeMap<&str, usize> {
    let mut charges = BTreeMap::new();
    for line in log.lines() {
        if let Some((_, charge)) = line.split_once("charged ") {
            *charges.entry(charge.split(' ').next().unwrap_or_default()).or_insert(0) += 1;
        }
    }
    charges
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_conversations_end_right_or_with_a_reason_and_nobody_is_charged_twice() {
    let data = tempfile::tempdir().expect("a temporary directory can be made");
    let (host, client) = start(data.path(), &[1]).await;
    upload(&host, 0).await;
    let place = Arc::new(Place { host: RwLock::new((host, client)), log: std::sync::Mutex::default() });
    let (count, disturbed) = watch::channel(0);
    let disturbances: usize = DISTURBANCES.iter().map(|(_, often)| often).sum();
    let talks: Vec<_> = (0..CONVERSATIONS)
        .map(|number| {
            let (place, mut disturbed) = (Arc::clone(&place), disturbed.clone());
            tokio::spawn(async move {
                let turn = number * disturbances / CONVERSATIONS;
                disturbed.wait_for(|passed| *passed >= turn).await.expect("disturbances are counted to the end");
                let plan = if fastrand::bool() { "pro" } else { "team" };
                let talk = Talk { user: format!("user-{number}"), plan, agrees: fastrand::u8(0..4) > 0 };
                let end = talk.hold(&place, disturbed).await;
                (talk.user, end)
            })
        })
        .collect();
    disturb(&place, data.path(), &count).await;
    let mut ends = BTreeMap::new();
    let mut upgraded = Vec::new();
    for talk in talks {
        let (user, end) = talk.await.expect("a conversation ends");
        if end == End::Upgraded {
            upgraded.push(user);
        }
        *ends.entry(end).or_insert(0_usize) += 1;
    }
    // What the last host has logged is read when it has ended.
    restart(&place, data.path(), &[1]).await;
    println!("{ends:?}");

    let log = place.log.lock().expect("unpoisoned").clone();
    let charges = charges(&log);
    for user in &upgraded {
        assert_eq!(charges.get(user.as_str()), Some(&1), "{user} was upgraded");
    }
    assert_eq!(charges.len(), upgraded.len(), "nobody else was charged");
    assert!(upgraded.len() > CONVERSATIONS / 4, "most conversations get to their end: {ends:?}");
    let refused = |reason: &str| ends.contains_key(&End::Refused(reason.to_owned()));
    assert!(refused("handler-removed") || refused("handler-replaced"), "a removal ends conversations: {ends:?}");
}
