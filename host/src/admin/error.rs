//! The upload API's errors and their HTTP status.

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::registry::handler::{BadName, HandlerName};
use crate::registry::store::StoreError;
use crate::registry::{RollbackError, UploadError};
use crate::transport::body::BodyError;

/// Why the upload API did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum AdminError {
    #[error("the upload API wants the admin token: Authorization: Bearer <--admin-token>")]
    Unauthorized,
    #[error("without an admin token (--admin-token) the upload API serves this machine only, by a loopback name")]
    LoopbackOnly,
    #[error("there is no handler \"{0}\"; GET /v1/handlers lists those that there are")]
    NotFound(HandlerName),
    #[error(transparent)]
    Name(#[from] BadName),
    #[error("Content-Type is {0}; expected application/wasm")]
    MediaType(String),
    #[error(transparent)]
    Body(#[from] BodyError),
    #[error(transparent)]
    Upload(#[from] UploadError),
    #[error("the body can't be read: {0}; expected {{\"revision\": NUMBER}}, or no body for the revision before")]
    Json(#[from] serde_json::Error),
    #[error("{0}; GET /v1/handlers/{{name}} shows the revisions that are held")]
    Rollback(RollbackError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<RollbackError> for AdminError {
    fn from(error: RollbackError) -> Self {
        match error {
            RollbackError::NoHandler(name) => Self::NotFound(name),
            RollbackError::Upload(error) => Self::Upload(error),
            error @ RollbackError::NoRevision { .. } => Self::Rollback(error),
        }
    }
}

impl AdminError {
    /// The status, and a stable word for programs.
    fn kind(&self) -> (StatusCode, &'static str) {
        match self {
            Self::Unauthorized => (StatusCode::UNAUTHORIZED, "unauthorized"),
            Self::LoopbackOnly => (StatusCode::FORBIDDEN, "loopback-only"),
            Self::NotFound(_) => (StatusCode::NOT_FOUND, "not-found"),
            Self::Name(_) => (StatusCode::BAD_REQUEST, "bad-name"),
            Self::MediaType(_) => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "bad-content-type"),
            Self::Body(BodyError::TooLong(_)) => (StatusCode::PAYLOAD_TOO_LARGE, "too-large"),
            Self::Body(BodyError::Slow(_)) => (StatusCode::REQUEST_TIMEOUT, "too-slow"),
            Self::Body(BodyError::Broken(_)) => (StatusCode::BAD_REQUEST, "broken-body"),
            Self::Upload(error) => match error {
                UploadError::Compile(error) => (StatusCode::UNPROCESSABLE_ENTITY, error.code()),
                UploadError::Describe(error) => (StatusCode::UNPROCESSABLE_ENTITY, error.code()),
                UploadError::Schema(_) => (StatusCode::UNPROCESSABLE_ENTITY, "bad-schema"),
                UploadError::Collision(_) => (StatusCode::CONFLICT, "name-taken"),
                UploadError::Store(_) | UploadError::Compiler => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
            },
            Self::Json(_) => (StatusCode::BAD_REQUEST, "bad-body"),
            Self::Rollback(_) => (StatusCode::NOT_FOUND, "no-such-revision"),
            Self::Store(_) => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
        }
    }
}

impl IntoResponse for AdminError {
    fn into_response(self) -> Response {
        let (status, code) = self.kind();
        let message = if status.is_server_error() {
            tracing::error!(error = %self, "upload API failed");
            "the server failed; its log says why".to_owned()
        } else {
            self.to_string()
        };
        let body = Json(json!({ "error": { "code": code, "message": message } }));
        if status == StatusCode::UNAUTHORIZED {
            (status, [(header::WWW_AUTHENTICATE, "Bearer realm=\"dacapo admin\"")], body).into_response()
        } else {
            (status, body).into_response()
        }
    }
}
