//! All that a handler needs, in one `use`.

pub use dacapo_guest_macros::tool;
pub use schemars::JsonSchema;
pub use serde::{Deserialize, Serialize};

pub use crate::{
    AnswerError, Answers, Ask, Choice, Content, Context, Field, Form, FormBuilder, Format, Link, OnceError,
    ProgressError, ProtocolError, Reply, Result, Role, ToolError,
};
