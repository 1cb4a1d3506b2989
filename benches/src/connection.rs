//! One connection to the server.

use std::net::SocketAddr;
use std::sync::Arc;

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{HOST, HeaderMap, HeaderValue};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// A connection, kept alive.
pub(crate) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    headers: Arc<HeaderMap>,
    host: HeaderValue,
}

impl Connection {
    /// Opens one. `headers` go with every request.
    pub(crate) async fn open(address: SocketAddr, headers: Arc<HeaderMap>) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        // What ends the connection early shows where the next request is sent.
        tokio::spawn(connection);
        Ok(Self { sender, headers, host: HeaderValue::try_from(address.to_string())? })
    }

    /// Posts a message to `/mcp` and waits for the whole answer.
    pub(crate) async fn post(&mut self, body: Bytes) -> anyhow::Result<Bytes> {
        let mut request = Request::post("/mcp").body(Full::new(body))?;
        request.headers_mut().clone_from(&self.headers);
        request.headers_mut().insert(HOST, self.host.clone());
        self.sender.ready().await?;
        let answer = self.sender.send_request(request).await?;
        let status = answer.status();
        let body = answer.into_body().collect().await?.to_bytes();
        anyhow::ensure!(status == StatusCode::OK, "{status}: {}", String::from_utf8_lossy(&body));
        Ok(body)
    }
}
