//! The way of every request: its headers are looked at first, and then it goes to the endpoint, or to the upload API.

use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use hyper::body::Incoming;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;

use super::guard::Guard;
use super::head;
use super::http::Endpoint;
use super::linger::{is_short, linger};

/// Where the endpoint is.
const ENDPOINT: &str = "/mcp";

/// What a request comes to.
pub struct Front {
    /// Who may reach the server at all.
    pub guard: Guard,
    /// What serves MCP.
    pub endpoint: Endpoint,
    /// What serves everything else.
    pub others: Router,
}

impl Front {
    /// Answers a request.
    pub(super) async fn serve(&self, request: Request<Incoming>, peer: SocketAddr) -> Response {
        if is_short(request.headers(), request.body()) {
            return self.answer(request, peer).await;
        }
        linger(request.map(Body::new), |request| self.answer(request, peer)).await
    }

    async fn answer<B>(&self, request: Request<B>, peer: SocketAddr) -> Response
    where
        B: axum::body::HttpBody<Data = axum::body::Bytes> + Send + 'static,
        B::Error: Into<axum::BoxError>,
    {
        let headers = request.headers();
        if let Some(refusal) = head::refusal(headers).or_else(|| self.guard.refusal(headers)) {
            return refusal;
        }
        if request.uri().path() != ENDPOINT {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            return match TowerToHyperService::new(self.others.clone()).call(request).await {
                Ok(response) => response,
                Err(never) => match never {},
            };
        }
        if request.method() != Method::POST {
            return (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "POST")]).into_response();
        }
        let (parts, body) = request.into_parts();
        self.endpoint.serve(&parts.headers, body).await
    }
}
