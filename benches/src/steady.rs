//! One request again and again, at a rate.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::body::Bytes;
use tokio::task::JoinSet;
use tokio::time::sleep_until;

use crate::connection::Connection;
use crate::figures::{Figures, Tally};
use crate::request::Request;

/// Sends `rate` requests a second over `connections` connections, each at its own time, for a time; without a rate, the next as
/// soon as the one before is answered.
///
/// A request that can't be sent when it is due, because the connection still waits for the answer before, counts from when it was
/// due: a server that stalls is not spared what piles up meanwhile.
pub(crate) async fn run(
    address: SocketAddr,
    request: Request,
    connections: usize,
    rate: Option<f64>,
    duration: Duration,
) -> anyhow::Result<Figures> {
    let body = Bytes::from(serde_json::to_vec(&request.body)?);
    let headers = Arc::new(request.headers);
    let mut opened = Vec::with_capacity(connections);
    for _ in 0..connections {
        opened.push(Connection::open(address, Arc::clone(&headers)).await?);
    }
    let start = Instant::now();
    let end = start + duration;
    let mut loops = JoinSet::new();
    for (connection, number) in opened.into_iter().zip(0_u32..) {
        let pace = match rate.map(|rate| Duration::from_secs_f64(1.0 / rate)) {
            Some(every) => Some(Pace { next: start + every * number, every: every * connections.try_into()? }),
            None => None,
        };
        loops.spawn(send(connection, body.clone(), pace, end));
    }
    let mut whole = Tally::new()?;
    while let Some(part) = loops.join_next().await {
        whole.merge(part??)?;
    }
    Ok(whole.figures(start.elapsed()))
}

/// When to send.
struct Pace {
    next: Instant,
    every: Duration,
}

async fn send(mut connection: Connection, body: Bytes, mut pace: Option<Pace>, end: Instant) -> anyhow::Result<Tally> {
    let mut tally = Tally::new()?;
    loop {
        let mut start = Instant::now();
        if let Some(Pace { next, every }) = &mut pace {
            let due = *next;
            *next += *every;
            if due > start {
                sleep_until(due.min(end).into()).await;
                // A timer that rings late is this program's fault, not the server's.
                start = Instant::now();
            } else {
                start = due;
            }
        }
        if start.max(Instant::now()) >= end {
            return Ok(tally);
        }
        match connection.post(body.clone()).await {
            Ok(_) => tally.done(start.elapsed()),
            Err(error) => tally.failed(&error),
        }
    }
}
