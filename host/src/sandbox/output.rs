//! Where a handler's output goes.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use tokio::io::AsyncWrite;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi_io::poll::Pollable;
use wasmtime_wasi_io::streams::{OutputStream, StreamResult};

/// Where a handler's output goes: line by line to the host's log, up to a limit.
#[derive(Clone)]
pub(super) struct Output {
    handler: Arc<str>,
    state: Arc<Mutex<Lines>>,
}

struct Lines {
    line: Vec<u8>,
    /// Bytes that may still be logged.
    left: usize,
}

impl Output {
    pub(super) fn new(handler: Arc<str>, limit: usize) -> Self {
        Self { handler, state: Arc::new(Mutex::new(Lines { line: Vec::new(), left: limit })) }
    }

    fn take(&self, bytes: &[u8]) {
        let mut lines = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.left == 0 {
            return;
        }
        let kept = bytes.len().min(lines.left);
        lines.left -= kept;
        for piece in bytes.get(..kept).unwrap_or_default().split_inclusive(|byte| *byte == b'\n') {
            lines.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.log(&std::mem::take(&mut lines.line));
            }
        }
        if lines.left == 0 {
            self.log(&std::mem::take(&mut lines.line));
            tracing::warn!(handler = %self.handler, "its output reached the limit; the rest of this run's is dropped");
        }
    }

    fn log(&self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end();
        if !text.is_empty() {
            tracing::info!(target: "dacapo::guest", handler = %self.handler, "{}", text.escape_debug());
        }
    }
}

impl IsTerminal for Output {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Output {
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(self.clone())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

impl AsyncWrite for Output {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.take(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// Never waits, so that nothing a handler has written is lost when its run is stopped right after.
#[async_trait::async_trait]
impl OutputStream for Output {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.take(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(64 << 10)
    }
}

#[async_trait::async_trait]
impl Pollable for Output {
    async fn ready(&mut self) {}
}
