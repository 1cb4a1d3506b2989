//! Completions of arguments.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::error::RpcError;
use super::params::Params;

/// The greatest number of values in one answer.
pub const MAX_VALUES: usize = 100;

/// The parameters of `completion/complete`.
#[derive(Debug)]
pub struct CompleteParams {
    /// What is being filled in.
    pub r#ref: Reference,
    /// The argument, and what has been typed.
    pub argument: Argument,
    /// What is filled in already.
    pub context: Option<Context>,
}

impl CompleteParams {
    /// Reads the parameters.
    ///
    /// # Errors
    ///
    /// -32602 when one is missing or of another type.
    pub fn read(params: &Params) -> Result<Self, RpcError> {
        Ok(Self {
            r#ref: params.required("ref")?,
            argument: params.required("argument")?,
            context: params.member("context")?,
        })
    }
}

/// What is being filled in.
#[derive(Debug, Deserialize)]
#[serde(tag = "type")]
pub enum Reference {
    /// A prompt.
    #[serde(rename = "ref/prompt")]
    Prompt {
        /// Its name.
        name: String,
    },
    /// A resource template.
    #[serde(rename = "ref/resource")]
    Resource {
        /// The template.
        uri: String,
    },
}

/// An argument that is being typed.
#[derive(Debug, Deserialize)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// What has been typed.
    pub value: String,
}

/// What is filled in already.
#[derive(Debug, Default, Deserialize)]
pub struct Context {
    /// Values by name.
    #[serde(default)]
    pub arguments: BTreeMap<String, String>,
}

/// Suggestions.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Completion {
    /// The best ones first; [`MAX_VALUES`] at most.
    pub values: Vec<String>,
    /// How many there are in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u32>,
    /// Whether there are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_more: Option<bool>,
}
