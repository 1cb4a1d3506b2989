//! What a tool may return.
//!
//! Nothing, or `T`, or `Result<T>`, where `T` is
//!
//! - `()`: no content,
//! - `String` or `&str`: one block of text,
//! - [`Content`]: one block; `Vec<Content>`: any number of blocks,
//! - any type with serde's `Serialize` and schemars' `JsonSchema`: structured content with an output schema, and the same
//!   JSON in a block of text,
//! - [`WithMeta`] of one of those: the same with a `_meta`.
//!
//! An `Err` becomes a result that is marked as an error, with the error's text.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Serialize;

use crate::arguments::settings;
use crate::bindings::exports::dacapo::handler::tools::ToolResult;
use crate::content::{Content, json_object};
use crate::error::ToolError;
use crate::protocol_error::ProtocolError;

/// A type whose values a tool may return as structured content.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a tool's result",
    label = "not a type of results",
    note = "a tool returns nothing, `String`, `Content`, `Vec<Content>`, a type with `#[derive(Serialize, JsonSchema)]`, or a `Result` of one of those"
)]
pub trait Structured: Serialize + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> Structured for T {}

/// A type whose values a tool may fail with.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a tool's error",
    label = "not a type of errors",
    note = "a tool fails with a `ToolError`, a `ProtocolError`, a text, any type with `std::error::Error`, or `anyhow::Error`"
)]
pub trait Failing: Into<ToolError> {}

#[diagnostic::do_not_recommend]
impl<E: Into<ToolError>> Failing for E {}

/// What a tool returns, with a `_meta` for the result as a whole.
///
/// ```
/// use dacapo_guest::prelude::*;
///
/// /// Measures.
/// #[tool]
/// fn measure() -> Result<WithMeta<String>> {
///     Ok(WithMeta::new("42 metres".to_owned(), [("example.com/accuracy", 0.5)]))
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct WithMeta<T> {
    value: T,
    meta: String,
}

impl<T> WithMeta<T> {
    /// `value`, whatever else a tool may return, with the members of `meta`.
    pub fn new<K: Into<String>, V: Into<serde_json::Value>>(value: T, meta: impl IntoIterator<Item = (K, V)>) -> Self {
        Self { value, meta: json_object(meta) }
    }
}

/// Stands for the type that a tool returns.
///
/// Its inherent methods know the types that mean something of their own; the traits [`Plain`] and [`Data`] have methods of
/// the same names for all other types. Rust takes the inherent one where there is one, so that `#[tool]` need not know what
/// a type's name means.
#[doc(hidden)]
#[derive(Debug)]
pub struct Returned<T>(PhantomData<T>);

impl<T> Returned<T> {
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T> Default for Returned<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, E> Returned<Result<T, E>> {
    /// The type of a success.
    #[must_use]
    pub const fn success(&self) -> Returned<T> {
        Returned::new()
    }

    /// The success, or the tool's failure.
    ///
    /// # Errors
    /// When `result` is one.
    pub fn check(&self, result: Result<T, E>) -> Result<T, ToolError>
    where
        E: Failing,
    {
        result.map_err(Into::into)
    }
}

impl<T> Returned<WithMeta<T>> {
    /// The type within.
    #[must_use]
    pub const fn inner(&self) -> Returned<T> {
        Returned::new()
    }

    /// What is within, and its `_meta`.
    #[must_use]
    pub fn open(&self, value: WithMeta<T>) -> (T, Option<String>) {
        (value.value, Some(value.meta))
    }
}

/// All types but `Result`, and but [`WithMeta`].
#[doc(hidden)]
pub trait Plain<T> {
    fn success(&self) -> Returned<T> {
        Returned::new()
    }

    fn check(&self, value: T) -> Result<T, ToolError> {
        Ok(value)
    }

    fn inner(&self) -> Returned<T> {
        Returned::new()
    }

    fn open(&self, value: T) -> (T, Option<String>) {
        (value, None)
    }
}

impl<T> Plain<T> for Returned<T> {}

macro_rules! unstructured {
    ($([$($life:lifetime)?] $type:ty: $value:ident => $content:expr;)+) => {$(
        impl$(<$life>)? Returned<$type> {
            #[must_use]
            pub const fn output_schema(&self) -> Option<String> {
                None
            }

            /// What the host is told.
            ///
            /// # Errors
            /// None; the method of the same name in [`Data`] has some.
            pub fn finish(&self, $value: $type, meta: Option<String>) -> Result<ToolResult, ToolError> {
                Ok(result($content, None, meta))
            }
        }
    )+};
}

unstructured! {
    [] (): value => { let () = value; Vec::new() };
    [] String: text => vec![Content::text(text)];
    ['a] &'a str: text => vec![Content::text(text)];
    [] Content: block => vec![block];
    [] Vec<Content>: blocks => blocks;
}

/// All types without a meaning of their own.
#[doc(hidden)]
pub trait Data<T> {
    fn output_schema(&self) -> Option<String>
    where
        T: Structured,
    {
        let settings = settings().for_serialize();
        Some(settings.into_generator().into_root_schema_for::<T>().to_value().to_string())
    }

    fn finish(&self, value: T, meta: Option<String>) -> Result<ToolResult, ToolError>
    where
        T: Structured,
    {
        match serde_json::to_string(&value) {
            Ok(json) => Ok(result(vec![Content::text(json.clone())], Some(json), meta)),
            Err(error) => {
                Err(ProtocolError::internal(format!("The tool's result can't be written as JSON: {error}.")).into())
            }
        }
    }
}

impl<T> Data<T> for Returned<T> {}

fn result(content: Vec<Content>, structured_content: Option<String>, meta: Option<String>) -> ToolResult {
    let content = content.into_iter().map(Into::into).collect();
    ToolResult { content, structured_content, is_error: false, meta }
}

/// What the host is told of a call.
pub(crate) fn outcome(result: Result<ToolResult, ToolError>) -> Result<ToolResult, ProtocolError> {
    result.or_else(|error| {
        let content = error.into_failure().into_content()?;
        Ok(ToolResult { is_error: true, ..self::result(content, None, None) })
    })
}
