//! The upload API: handlers come and go without a restart.
//!
//! | Request | What it does |
//! |---|---|
//! | `PUT /v1/handlers/{name}` | uploads a component (`application/wasm`) under this name |
//! | `GET /v1/handlers` | lists what is served |
//! | `GET /v1/handlers/{name}` | shows one handler, and the revisions of it that are held |
//! | `POST /v1/handlers/{name}/rollback` | serves an earlier revision again: `{"revision": N}`, or the one before |
//! | `DELETE /v1/handlers/{name}` | removes it |
//!
//! Every answer is JSON; an error is `{"error": {"code", "message"}}`.
//!
//! # Layout
//!
//! - [`error`]: errors and their HTTP status

mod error;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::body::Body;
use axum::extract::{ConnectInfo, Path, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use crate::registry::handler::{Digest, Handler, HandlerName};
use crate::registry::store::Entry;
use crate::registry::{Registry, Uploaded};
use crate::transport::principal::{bearer, same_secret};
use crate::transport::{body, guard};
use error::AdminError;

/// What the API stands on.
pub struct Admin {
    /// The handlers.
    pub registry: Arc<Registry>,
    /// What a caller must show; without one, only this machine is served.
    pub token: Option<String>,
    /// The greatest size of a component, in bytes.
    pub max_upload: usize,
    /// How long it may take to arrive.
    pub upload_timeout: Duration,
}

/// The API's routes. They need the peer's address (`ConnectInfo`).
pub fn routes(admin: Admin) -> Router {
    let admin = Arc::new(admin);
    Router::new()
        .route("/v1/handlers", get(list))
        .route("/v1/handlers/{name}", get(show).put(upload).delete(remove))
        .route("/v1/handlers/{name}/rollback", post(rollback))
        .layer(middleware::from_fn_with_state(Arc::clone(&admin), authorize))
        .with_state(admin)
}

async fn authorize(
    State(admin): State<Arc<Admin>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let allowed = match (&admin.token, bearer(request.headers())) {
        (Some(token), Some(shown)) if same_secret(token.as_bytes(), shown) => Ok(()),
        (Some(_), _) => Err(AdminError::Unauthorized),
        // A proxy on this machine speaks for others, and names the host by the name that they use.
        (None, _) if peer.ip().is_loopback() && guard::names_loopback(request.headers()) => Ok(()),
        (None, _) => Err(AdminError::LoopbackOnly),
    };
    match allowed {
        Ok(()) => next.run(request).await,
        Err(error) => {
            tracing::warn!(%peer, %error, "upload API refused");
            error.into_response()
        }
    }
}

#[derive(Serialize)]
struct Listing<T> {
    handlers: T,
}

async fn list(State(admin): State<Arc<Admin>>) -> Response {
    let catalogue = admin.registry.catalogue();
    let handlers: Vec<&Handler> = catalogue.handlers().map(|handler| &**handler).collect();
    Json(Listing { handlers }).into_response()
}

/// A handler with its revisions.
#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    handler: &'a Handler,
    revisions: Vec<Revision>,
}

/// A revision that is held.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Revision {
    revision: i64,
    digest: Digest,
    size: usize,
    uploaded_at: String,
    state: RevisionState,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum RevisionState {
    /// It takes new calls.
    Serving,
    /// Conversations that it began may go on.
    Pinned,
    /// It is there to go back to.
    Kept,
}

impl Revision {
    fn of(entry: Entry, now: SystemTime) -> Self {
        let state = match entry.needed_until {
            None => RevisionState::Serving,
            Some(until) if until >= now => RevisionState::Pinned,
            Some(_) => RevisionState::Kept,
        };
        let uploaded_at = humantime::format_rfc3339_millis(entry.uploaded_at).to_string();
        Self { revision: entry.revision, digest: entry.digest, size: entry.size, uploaded_at, state }
    }
}

async fn show(State(admin): State<Arc<Admin>>, Path(name): Path<String>) -> Result<Response, AdminError> {
    let name: HandlerName = name.parse()?;
    let handler = admin.registry.catalogue().handler(&name).cloned();
    let handler = handler.ok_or_else(|| AdminError::NotFound(name.clone()))?;
    let now = SystemTime::now();
    let held = admin.registry.revisions(&name).await?;
    let revisions = held.into_iter().map(|entry| Revision::of(entry, now)).collect();
    Ok(Json(Shown { handler: &handler, revisions }).into_response())
}

/// What `POST /v1/handlers/{name}/rollback` takes.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rollback {
    /// The revision to go back to; the one before when there is none.
    revision: Option<i64>,
}

/// How long the body of a rollback may be, in bytes.
const MAX_ROLLBACK: usize = 1 << 10;

async fn rollback(
    State(admin): State<Arc<Admin>>,
    Path(name): Path<String>,
    body: Body,
) -> Result<Response, AdminError> {
    let name: HandlerName = name.parse()?;
    let body = body::read(body, MAX_ROLLBACK, admin.upload_timeout).await?;
    let Rollback { revision } = if body.is_empty() { Rollback::default() } else { serde_json::from_slice(&body)? };
    let handler = admin.registry.rollback(name, revision).await?;
    tracing::info!(handler = %handler.name, revision = handler.revision, digest = %handler.digest, "handler rolled back");
    Ok(Json(&*handler).into_response())
}

async fn upload(
    State(admin): State<Arc<Admin>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, AdminError> {
    let name: HandlerName = name.parse()?;
    let media = headers.get(header::CONTENT_TYPE).map(|value| value.to_str().unwrap_or("?"));
    if media != Some("application/wasm") {
        return Err(AdminError::MediaType(media.unwrap_or("nothing").to_owned()));
    }
    let wasm = body::read(body, admin.max_upload, admin.upload_timeout).await?;
    let (handler, uploaded) = admin.registry.upload(name, wasm.into()).await?;
    tracing::info!(
        handler = %handler.name, revision = handler.revision, digest = %handler.digest, ?uploaded, "handler uploaded"
    );
    let status = if uploaded == Uploaded::Created { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(&*handler)).into_response())
}

async fn remove(State(admin): State<Arc<Admin>>, Path(name): Path<String>) -> Result<StatusCode, AdminError> {
    let name: HandlerName = name.parse()?;
    if admin.registry.remove(&name).await? {
        tracing::info!(handler = %name, "handler removed");
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(AdminError::NotFound(name))
    }
}
