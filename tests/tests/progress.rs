//! Progress goes to those that asked for it, while the work goes on; and work that nobody waits for stops.

use std::time::{Duration, Instant};

use dacapo_tests::{Answer, Host};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

/// How much processor time, in the kernel's ticks of 10 ms, a host may use in [`WINDOW`] while nothing runs in it.
const IDLE: u64 = 5;

/// How long to watch a host's use of processor time.
const WINDOW: Duration = Duration::from_secs(1);

/// How soon a call ends that nobody waits for.
const STOP: Duration = Duration::from_millis(50);

async fn host(arguments: &[&str]) -> Host {
    let host = Host::builder().args(arguments).start().await;
    host.upload_guest("pacer").await;
    host.upload_guest("hello").await;
    host
}

fn content_type(answer: &Answer) -> &str {
    answer.headers["content-type"].to_str().expect("a content type")
}

/// The processor time that the host has used, in ticks.
fn ticks(host: &Host) -> u64 {
    let path = format!("/proc/{}/stat", host.pid());
    let stat = std::fs::read_to_string(&path).expect("the kernel tells about processes");
    // Behind the program's name, which is in parentheses and may have spaces: the state, ten others, the time in user
    // mode, the time in the kernel.
    let (_, fields) = stat.rsplit_once(')').expect("the name is in parentheses");
    let times = fields.split_whitespace().skip(11).take(2);
    times.map(|time| time.parse::<u64>().expect("times are numbers")).sum()
}

#[tokio::test]
async fn progress_is_streamed_where_a_token_came() {
    let host = host(&[]).await;
    for token in [json!("t"), json!(7)] {
        let client = host.client().meta("progressToken", token.clone());
        let answer = client.call_tool("pace", json!({"steps": 4, "pause_ms": 10})).await;
        // That nothing follows the response has been checked while the stream was read.
        answer.complete();
        assert_eq!(content_type(&answer), "text/event-stream");
        assert_eq!(answer.headers["x-accel-buffering"], "no");
        let told: Vec<&Value> = answer.notifications.iter().collect();
        assert_eq!(told.len(), 4, "{told:?}");
        assert!(told.iter().all(|told| told["method"] == "notifications/progress"), "{told:?}");
        for (step, told) in (1..).zip(told) {
            let params = &told["params"];
            assert_eq!(params["progressToken"], token);
            assert_eq!(params["progress"].as_f64(), Some(f64::from(step)));
            assert_eq!(params["total"].as_f64(), Some(4.0));
            assert!(params["message"].as_str().is_some_and(|message| !message.is_empty()), "{params}");
        }
    }
}

#[tokio::test]
async fn nothing_is_streamed_where_no_token_came() {
    let host = host(&[]).await;
    let answer = host.client().call_tool("pace", json!({"steps": 4, "pause_ms": 10})).await;
    answer.complete();
    assert_eq!(content_type(&answer), "application/json");
    assert_eq!(answer.notifications, Vec::<Value>::new());
}

#[tokio::test]
async fn an_answer_that_nothing_goes_before_is_json_even_where_a_token_came() {
    let host = host(&[]).await;
    let client = host.client().meta("progressToken", "t");
    let answer = client.call_tool("hello", json!({"name": "Ada"})).await;
    answer.complete();
    assert_eq!(content_type(&answer), "application/json");
}

#[tokio::test]
async fn a_tight_loop_whose_client_goes_away_stops() {
    let host = host(&[]).await;
    let client = host.client();
    let before = ticks(&host);
    let busy = async {
        while ticks(&host) < before + 10 * IDLE {
            sleep(Duration::from_millis(10)).await;
        }
    };
    // Whichever ends first, the other is dropped, and with the call its connection.
    tokio::select! {
        answer = client.call_tool("spin", json!({})) => panic!("an endless loop has ended: {}", answer.body),
        busy = timeout(Duration::from_secs(20), busy) => busy.expect("the loop uses the processor"),
    }
    sleep(STOP).await;
    let stopped = ticks(&host);
    sleep(WINDOW).await;
    let used = ticks(&host) - stopped;
    assert!(used <= IDLE, "the host has used {used} ticks in {WINDOW:?}; its log:\n{}", host.log());
}

#[tokio::test]
async fn a_tight_loop_ends_at_the_deadline_while_others_are_served() {
    let host = host(&["--deadline", "1s"]).await;
    let client = host.client();
    let start = Instant::now();
    let others = async {
        let mut served = 0;
        while start.elapsed() < Duration::from_millis(800) {
            client.call_tool("hello", json!({"name": "Ada"})).await.complete();
            served += 1;
        }
        (served, start.elapsed())
    };
    let spin = async { (client.call_tool("spin", json!({})).await, start.elapsed()) };
    let ((answer, ended), (served, last)) = tokio::join!(spin, others);
    assert_eq!(answer.error_code(), -32603);
    assert!(ended >= Duration::from_secs(1), "{ended:?}");
    assert!(
        served > 0 && last < ended,
        "{served} were served, the last after {last:?}; the loop ended after {ended:?}"
    );
}
