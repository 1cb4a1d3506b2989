//! Standard input and output: a message a line in both directions, as a client speaks to a server that it has started.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{
    AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::underway::{Event, Underway};
use crate::protocol::cancelled::{CANCELLED, Cancelled};
use crate::protocol::check;
use crate::protocol::error::RpcError;
use crate::protocol::jsonrpc::{self, Message, Request, RequestId};
use crate::protocol::method::Method;
use crate::server::Server;

/// How many messages may wait for a slow client before those who send more wait.
const BACKLOG: usize = 16;
/// How long requests under way may take to end once the client has closed its side.
const GRACE: Duration = Duration::from_secs(1);

/// A server for one client, at the other end of two pipes.
pub struct Stdio {
    /// Who serves.
    pub server: Arc<Server>,
    /// Who calls, as whoever started this says.
    pub principal: Option<Arc<str>>,
    /// The greatest size of a message, in bytes.
    pub max_request: usize,
}

/// The requests under way, by id.
type Running = Arc<Mutex<HashMap<RequestId, AbortHandle>>>;

impl Stdio {
    /// Serves until the input ends, the output is closed, or `stop` is done. Requests under way have a second to end then.
    ///
    /// # Errors
    ///
    /// When the input can't be read.
    pub async fn serve(
        self,
        input: impl AsyncRead + Unpin,
        output: impl AsyncWrite + Unpin + Send + 'static,
        stop: impl Future<Output = ()>,
    ) -> io::Result<()> {
        let (sink, messages) = mpsc::channel(BACKLOG);
        let mut writing = tokio::spawn(write(output, messages));
        let running = Running::default();
        let ended = tokio::select! {
            read = self.read(BufReader::new(input), &sink, &running) => read,
            () = stop => Ok(()),
            _closed = &mut writing => {
                cancel_all(&running);
                return Ok(());
            }
        };
        self.server.close();
        // Every request holds a sink, so the writer ends when all of them have.
        drop(sink);
        if timeout(GRACE, &mut writing).await.is_err() {
            cancel_all(&running);
            let _flushed = timeout(GRACE, writing).await;
        }
        ended
    }

    /// Reads messages until there are no more.
    async fn read(
        &self,
        mut input: impl AsyncBufRead + Unpin,
        sink: &mpsc::Sender<Vec<u8>>,
        running: &Running,
    ) -> io::Result<()> {
        while let Some(line) = read_line(&mut input, self.max_request).await? {
            let refused = match line {
                Ok(line) if line.trim_ascii().is_empty() => continue,
                Ok(line) => self.take(&line, sink, running),
                Err(TooLong) => {
                    let limit = self.max_request;
                    let error =
                        RpcError::invalid_request(format!("the message is longer than {limit} bytes, the limit"));
                    Err((None, error))
                }
            };
            if let Err((id, error)) = refused {
                // A client that is gone is noticed by whoever waits for the writer.
                let _gone = sink.send(jsonrpc::response(id.as_ref(), &Err(error))).await;
            }
        }
        Ok(())
    }

    /// Takes one message.
    fn take(
        &self,
        line: &[u8],
        sink: &mpsc::Sender<Vec<u8>>,
        running: &Running,
    ) -> Result<(), (Option<RequestId>, RpcError)> {
        match Message::read(line) {
            Ok(Message::Request(request)) => self.start(request, sink.clone(), running),
            Ok(Message::Notification { method, params }) => {
                if method == CANCELLED
                    && let Some(cancelled) = Cancelled::read(&params)
                    && let Some(task) = lock(running).remove(&cancelled.request_id)
                {
                    tracing::info!(id = ?cancelled.request_id, reason = cancelled.reason, "request cancelled");
                    task.abort();
                }
                Ok(())
            }
            Err(unreadable) => Err((unreadable.id, unreadable.error)),
        }
    }

    /// Starts a request beside those under way.
    fn start(
        &self,
        request: Request,
        sink: mpsc::Sender<Vec<u8>>,
        running: &Running,
    ) -> Result<(), (Option<RequestId>, RpcError)> {
        let id = request.id.clone();
        let (method, meta) = check::check(&request).map_err(|error| (Some(id.clone()), error))?;
        // Held until the request is in it: one that ends at once finds itself there.
        let mut requests = lock(running);
        if requests.contains_key(&id) {
            // Without the id, or it would seem to be the answer to the request that has it.
            let id = serde_json::to_string(&id).unwrap_or_default();
            let error = format!("the id {id} is that of a request under way; give every request its own");
            return Err((None, RpcError::invalid_request(error)));
        }
        let underway = Underway::start(Arc::clone(&self.server), method, request, meta, self.principal.clone());
        let task = tokio::spawn(converse(id.clone(), method, underway, sink, Arc::clone(running)));
        requests.insert(id, task.abort_handle());
        Ok(())
    }
}

/// Sends all that there is to send for a request.
async fn converse(
    id: RequestId,
    method: Method,
    mut underway: Underway,
    sink: mpsc::Sender<Vec<u8>>,
    running: Running,
) {
    loop {
        let message = match underway.next().await {
            Event::Notification(message) => message,
            Event::Response(outcome) => {
                // Its id is free again once the client has read the response.
                lock(&running).remove(&id);
                let _gone = sink.send(jsonrpc::response(Some(&id), &outcome)).await;
                if method == Method::Listen && outcome.is_ok() {
                    let reason = Some("the server is stopping".to_owned());
                    let cancelled = Cancelled { request_id: id, reason };
                    let _gone = sink.send(jsonrpc::notification(CANCELLED, &cancelled)).await;
                }
                return;
            }
        };
        if sink.send(message).await.is_err() {
            return;
        }
    }
}

fn lock(running: &Running) -> MutexGuard<'_, HashMap<RequestId, AbortHandle>> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

fn cancel_all(running: &Running) {
    for (_, task) in lock(running).drain() {
        task.abort();
    }
}

/// A line that is longer than the limit. It was read to its end, and kept nowhere.
#[derive(Debug, PartialEq, Eq)]
struct TooLong;

/// Reads a line of at most `limit` bytes; `None` when there are no more.
async fn read_line(
    input: &mut (impl AsyncBufRead + Unpin),
    limit: usize,
) -> io::Result<Option<Result<Vec<u8>, TooLong>>> {
    let mut line = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let mut read = (&mut *input).take(most).read_until(b'\n', &mut line).await?;
    if read == 0 {
        return Ok(None);
    }
    if line.ends_with(b"\n") || read <= limit {
        return Ok(Some(Ok(line)));
    }
    while read > 0 && !line.ends_with(b"\n") {
        line.clear();
        read = (&mut *input).take(most).read_until(b'\n', &mut line).await?;
    }
    Ok(Some(Err(TooLong)))
}

async fn write(mut output: impl AsyncWrite + Unpin, mut messages: mpsc::Receiver<Vec<u8>>) {
    while let Some(mut message) = messages.recv().await {
        message.push(b'\n');
        let written = async {
            output.write_all(&message).await?;
            output.flush().await
        };
        if let Err(error) = written.await {
            tracing::warn!(%error, "the client does not read any more");
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_up_to_the_limit_are_read_and_longer_ones_skipped() {
        let text = b"12345\n123456\n\n123456789012345\n12345\r\n1234\r\n12345";
        let mut input = BufReader::with_capacity(3, &text[..]);
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input, 5).await.unwrap() {
            lines.push(line.ok().map(|line| String::from_utf8(line).unwrap()));
        }
        let expected = [Some("12345\n"), None, Some("\n"), None, None, Some("1234\r\n"), Some("12345")];
        assert_eq!(lines, expected.map(|line| line.map(str::to_owned)));
    }
}
