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

use super::limits::Limit;
use super::tenant::Tenant;

/// Where a handler's output goes: line by line to the host's log, up to a limit.
#[derive(Clone)]
pub(super) struct Output {
    tenant: Arc<Tenant>,
    state: Arc<Mutex<Lines>>,
}

struct Lines {
    line: Vec<u8>,
    /// Bytes that may still be logged.
    bytes: usize,
    /// Lines that may still be logged.
    lines: usize,
}

impl Output {
    pub(super) fn new(tenant: Arc<Tenant>) -> Self {
        let (bytes, lines) = (tenant.limits.number(Limit::Log), tenant.limits.number(Limit::LogLines));
        Self { tenant, state: Arc::new(Mutex::new(Lines { line: Vec::new(), bytes, lines })) }
    }

    fn take(&self, bytes: &[u8]) {
        let mut lines = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.bytes == 0 || lines.lines == 0 {
            return;
        }
        let kept = bytes.len().min(lines.bytes);
        lines.bytes -= kept;
        for piece in bytes.get(..kept).unwrap_or_default().split_inclusive(|byte| *byte == b'\n') {
            if lines.lines == 0 {
                break;
            }
            lines.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                lines.lines -= 1;
                self.log(&std::mem::take(&mut lines.line));
            }
        }
        let reached = match (lines.bytes, lines.lines) {
            (_, 0) => Limit::LogLines,
            (0, _) => Limit::Log,
            _ => return,
        };
        self.log(&std::mem::take(&mut lines.line));
        let limits = &self.tenant.limits;
        tracing::warn!(
            handler = %self.tenant.name,
            limit = reached.name(),
            value = %limits.amount(reached),
            set_by = limits.set_by(reached.name()),
            "its output reached the limit; the rest of this run's is dropped"
        );
    }

    fn log(&self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end();
        if !text.is_empty() {
            tracing::info!(target: "dacapo::guest", handler = %self.tenant.name, "{}", text.escape_debug());
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
