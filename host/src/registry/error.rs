//! Why what is served was not changed.

use super::catalogue::Collision;
use super::handler::HandlerName;
use super::schemas::BadSchema;
use super::store::StoreError;
use crate::sandbox::CompileError;
use crate::sandbox::compiler::CompilerError;
use crate::sandbox::describe::DescribeError;

/// Why an upload was refused. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    /// It is no handler.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// What it says of itself is not well formed.
    #[error(transparent)]
    Describe(#[from] DescribeError),
    /// A schema of a tool is not well formed.
    #[error(transparent)]
    Schema(#[from] BadSchema),
    /// Another handler has what it offers.
    #[error(transparent)]
    Collision(#[from] Collision),
    /// It could not be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The compiler could not be run.
    #[error("the compiler could not be run; the host's log says more")]
    Compiler,
}

impl From<CompilerError> for UploadError {
    fn from(error: CompilerError) -> Self {
        match error {
            CompilerError::Refused(error) => error.into(),
            CompilerError::Process(error) => {
                tracing::error!(%error, "the process that compiles could not be run");
                Self::Compiler
            }
        }
    }
}

/// Why a handler did not go back to an earlier revision.
#[derive(Debug, thiserror::Error)]
pub enum RollbackError {
    /// There is no such handler.
    #[error("there is no handler \"{0}\"")]
    NoHandler(HandlerName),
    /// There is no such revision, or not any more.
    #[error("handler \"{name}\" has no revision {wanted} to go back to; it has {held}")]
    NoRevision {
        /// The handler.
        name: HandlerName,
        /// What was asked for, or "earlier".
        wanted: String,
        /// What is held.
        held: String,
    },
    /// The earlier component was not taken again.
    #[error(transparent)]
    Upload(#[from] UploadError),
}

impl From<StoreError> for RollbackError {
    fn from(error: StoreError) -> Self {
        UploadError::from(error).into()
    }
}
