//! All of them at once.

use std::time::Duration;

use dacapo_tests::{Client, Host, guests};
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::raw::Raw;
use super::scene::Scene;

/// How often each hostile call is made at once.
const EACH: usize = 9;

/// How often all of that is done. Each call is made more often than the pool has places (16 for runs, and 8 besides): one
/// that lost its place would be missed by the last of them.
const ROUNDS: usize = 3;

/// Every handler runs once at a time, and there is a place for each of the 16: none keeps another waiting.
const LIMITS: [&str; 4] = ["--deadline=1s", "--memory=16MiB", "--max-attempts=16", "--concurrency=1"];

/// What is answered where there is no place.
const BUSY: u16 = 429;

/// Guests whose calls make up the crowd.
const GUESTS: [&str; 14] = [
    "spinner",
    "recursion",
    "memory-bomb",
    "giant-result",
    "progress-flood",
    "elicit-storm",
    "fickle",
    "trapper",
    "quitter",
    "panicker",
    "snoop",
    "garbled",
    "wanderer",
    "catcher",
];

/// What the crowd calls.
fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("spin", Value::Null),
        ("recurse", Value::Null),
        ("hoard", Value::Null),
        ("have-a-gibibyte", Value::Null),
        ("claim-a-gibibyte", Value::Null),
        ("flood", json!({"reports": 100_000, "bytes": 100})),
        ("nag", Value::Null),
        ("storm", json!({"questions": 60, "bytes": 100_000})),
        ("storm", json!({"questions": 5_000, "bytes": 0})),
        ("differ", json!({"source": "leftovers"})),
        ("trap", Value::Null),
        ("quit", Value::Null),
        ("quit_well", Value::Null),
        ("panic", Value::Null),
        ("babble", Value::Null),
        ("look_around", Value::Null),
        ("garble", json!({"place": "result"})),
        ("garble", json!({"place": "question"})),
        ("wander", Value::Null),
        ("catch", Value::Null),
        ("raw", json!({})),
    ]
}

/// Those of the calls that come to a result, if there is memory for a run, a table and a stack.
const HARMLESS: [&str; 5] = ["nag", "differ", "look_around", "wander", "catch"];

/// Uploads of the crowd, all of which are refused.
fn uploads() -> Vec<Vec<u8>> {
    let mut looping = Raw::new();
    looping.fields.push_str("(func $spin (loop $on (br $on))) (start $spin)");
    let mut uploads: Vec<Vec<u8>> = ["two-names", "garbled-descriptor"].map(guests::bytes).into();
    uploads.push(looping.component());
    uploads
}

#[tokio::test]
async fn after_all_of_them_at_once_the_host_is_as_it_was() {
    let host = Host::builder()
        .args(LIMITS)
        // One heap of the C library's instead of one a thread: what is measured is then what the host holds on to, and
        // not what its threads happened to free where.
        .env("MALLOC_ARENA_MAX", "1")
        .start()
        .await;
    host.upload_guest("hello").await;
    let mut table_bomb = Raw::new();
    table_bomb.fields.push_str("(table $t 1 funcref)");
    table_bomb.call.push_str("(loop $more (drop (table.grow $t (ref.null func) (i32.const 100))) (br $more))");
    assert_eq!(host.upload("raw", table_bomb.component()).await.status.as_u16(), 201);
    for guest in GUESTS {
        host.upload_guest(guest).await;
    }
    let scene = Scene { host };
    let before_any = scene.host.client().call("tools/list", Value::Null).await.complete().clone();

    // What places keep of their last run is there once every one of them has had one.
    for _ in 1..ROUNDS {
        rampage(&scene).await;
    }
    let warm = settled(&scene).await;
    rampage(&scene).await;
    let after = settled(&scene).await;

    assert!(after <= warm + warm / 10, "resident memory grew from {warm} to {after} bytes");
    scene.serves().await;
    assert_eq!(scene.host.client().call("tools/list", Value::Null).await.complete(), &before_any);
    // There is a place for every handler still.
    let client = scene.client();
    join_all(calls().into_iter().map(|(tool, arguments)| attempt(&client, tool, arguments))).await;
    scene.serves().await;
}

/// Every hostile call, so many times each, and every hostile upload, all at once; `hello` is served meanwhile.
async fn rampage(scene: &Scene) {
    let client = scene.client();
    let with_progress = scene.client().meta("progressToken", "t");
    let all = calls();
    let calling = join_all((0..EACH).flat_map(|round| {
        // Every other one is told of progress.
        let client = if round % 2 == 0 { &client } else { &with_progress };
        all.iter().map(move |(tool, arguments)| attempt(client, tool, arguments.clone()))
    }));
    let uploading = async {
        for component in uploads() {
            let refused = scene.host.upload("refused", component).await;
            assert_eq!(refused.status.as_u16(), 422, "{}", refused.body);
        }
    };
    let serving = async {
        for _ in 0..10 {
            scene.serves().await;
            sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::join!(calling, uploading, serving);
}

/// One hostile call, made until there is a place for it. The host answers with a result or an error of the handler's.
async fn attempt(client: &Client, tool: &str, arguments: Value) {
    let mut answer = client.call_tool(tool, arguments.clone()).await;
    while answer.status.as_u16() == BUSY {
        sleep(Duration::from_millis(20)).await;
        answer = client.call_tool(tool, arguments.clone()).await;
    }
    if answer.body.get("result").is_none() {
        assert_eq!(answer.error_code(), -32603, "{tool}: {}", answer.body);
    }
    if HARMLESS.contains(&tool) {
        assert!(answer.body.get("result").is_some(), "{tool}: {}", answer.body);
    }
}

/// The host's memory once it is at rest.
async fn settled(scene: &Scene) -> u64 {
    let mut least = u64::MAX;
    for _ in 0..10 {
        scene.serves().await;
        sleep(Duration::from_millis(100)).await;
        least = least.min(resident(scene.host.pid()));
    }
    least
}

/// The memory that a process has now, in bytes.
pub(crate) fn resident(pid: u32) -> u64 {
    const PAGE: u64 = 4096;
    let statm = std::fs::read_to_string(format!("/proc/{pid}/statm")).expect("the host runs");
    let pages = statm.split_whitespace().nth(1).expect("the kernel counts pages");
    pages.parse::<u64>().expect("pages are a number") * PAGE
}
