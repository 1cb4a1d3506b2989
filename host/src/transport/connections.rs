//! Connections: so many at once, and none that keeps its place without asking for anything.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::front::Front;

/// How long to wait for the operating system to have room for a connection again.
const PAUSE: Duration = Duration::from_secs(1);

/// Serves connections.
pub struct Connections {
    /// How many there may be at once; at least 1. Further ones wait to be accepted.
    pub most: usize,
    /// How long the headers of a request may take, from when the connection is free for it.
    pub patience: Duration,
}

impl Connections {
    /// Serves `front` until `stop` is done and every request under way is answered.
    pub async fn serve(self, listener: TcpListener, front: Front, stop: impl Future<Output = ()>) {
        let places = Arc::new(Semaphore::new(self.most.min(Semaphore::MAX_PERMITS)));
        let front = Arc::new(front);
        let (closing, open) = watch::channel(());
        let mut stop = pin!(stop);
        loop {
            let (stream, peer, place) = tokio::select! {
                accepted = accept(&listener, &places) => accepted,
                () = &mut stop => break,
            };
            tokio::spawn(converse(stream, peer, Arc::clone(&front), self.patience, open.clone(), place));
        }
        drop((listener, open));
        closing.send_replace(());
        closing.closed().await;
    }
}

async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> (TcpStream, SocketAddr, Option<OwnedSemaphorePermit>) {
    // A semaphore that nobody closes gives way in the end.
    let place = Arc::clone(places).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return (stream, peer, place),
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

async fn converse(
    stream: TcpStream,
    peer: SocketAddr,
    front: Arc<Front>,
    patience: Duration,
    mut open: watch::Receiver<()>,
    _place: Option<OwnedSemaphorePermit>,
) {
    // What is written is a whole answer or a whole event: there is nothing to wait for.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%peer, %error, "a connection gathers what is sent");
    }
    let front = front.as_ref();
    let service =
        service_fn(|request: Request<Incoming>| async move { Ok::<_, Infallible>(front.serve(request, peer).await) });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        _ = open.changed() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%peer, %error, "connection ended");
    }
}
