//! Conversations, so many at a time.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use hyper::body::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::task::JoinSet;

use crate::connection::Connection;
use crate::figures::{Figures, Tally};
use crate::request::Request;

/// What every conversation consists of.
struct Script {
    request: Map<String, Value>,
    /// The content that each round's forms are answered with.
    answers: Vec<Value>,
}

/// Holds conversations over `connections` connections, one after the other on each, for a time.
pub(crate) async fn run(
    address: SocketAddr,
    request: Request,
    answers: Vec<Value>,
    connections: usize,
    duration: Duration,
) -> anyhow::Result<Figures> {
    let script = Arc::new(Script { request: request.body, answers });
    let headers = Arc::new(request.headers);
    let start = Instant::now();
    let mut loops = JoinSet::new();
    for _ in 0..connections {
        let connection = Connection::open(address, Arc::clone(&headers)).await?;
        loops.spawn(converse(connection, Arc::clone(&script), start + duration));
    }
    let mut whole = Tally::new()?;
    while let Some(part) = loops.join_next().await {
        whole.merge(part??)?;
    }
    Ok(whole.figures(start.elapsed()))
}

async fn converse(mut connection: Connection, script: Arc<Script>, end: Instant) -> anyhow::Result<Tally> {
    let mut tally = Tally::new()?;
    while Instant::now() < end {
        let start = Instant::now();
        match script.play(&mut connection).await {
            Ok(()) => tally.done(start.elapsed()),
            Err(error) => tally.failed(&error),
        }
    }
    Ok(tally)
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    result: Answer<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    result_type: &'a str,
    is_error: Option<bool>,
    #[serde(borrow)]
    input_requests: Option<BTreeMap<&'a str, &'a RawValue>>,
    request_state: Option<&'a str>,
}

impl Script {
    /// Holds one conversation to its end.
    async fn play(&self, connection: &mut Connection) -> anyhow::Result<()> {
        let mut answer = connection.post(serde_json::to_vec(&self.request)?.into()).await?;
        for content in &self.answers {
            let retry = self.retry(&answer, content)?;
            answer = connection.post(retry).await?;
        }
        let Message { result } = read(&answer)?;
        let well = result.result_type == "complete" && result.is_error != Some(true);
        anyhow::ensure!(well, "expected a result, got {}", String::from_utf8_lossy(&answer));
        Ok(())
    }

    /// The request again, with the state and an answer to everything that `answer` asks.
    fn retry(&self, answer: &[u8], content: &Value) -> anyhow::Result<Bytes> {
        #[derive(Serialize)]
        struct Reply<'a> {
            action: &'a str,
            content: &'a Value,
        }
        let Message { result } = read(answer)?;
        let asked = result.input_requests.context("expected a question")?;
        let state = result.request_state.context("expected a state with the question")?;
        let replies: BTreeMap<&str, Reply<'_>> =
            asked.keys().map(|key| (*key, Reply { action: "accept", content })).collect();
        let mut request = self.request.clone();
        let params = request.get_mut("params").and_then(Value::as_object_mut).context("the request has no params")?;
        params.insert("requestState".to_owned(), json!(state));
        params.insert("inputResponses".to_owned(), serde_json::to_value(&replies)?);
        Ok(serde_json::to_vec(&request)?.into())
    }
}

fn read(answer: &[u8]) -> anyhow::Result<Message<'_>> {
    serde_json::from_slice(answer).with_context(|| format!("unexpected: {}", String::from_utf8_lossy(answer)))
}
