//! All that a handler needs, in one `use`.

pub use dacapo_guest_macros::{completion, prompt, resource, resource_template, tool};
pub use schemars::JsonSchema;
pub use serde::{Deserialize, Serialize};

pub use crate::{
    AnswerError, Answers, Ask, Choice, Completion, Content, Context, Field, Form, FormBuilder, Format, Icon, Link,
    ListKind, Message, OnceError, ProgressError, PromptArguments, PromptResult, ProtocolError, Reply, Resolved,
    ResourceContents, Result, Role, TemplateVariables, Theme, ToolError, WithMeta, not_found,
};
