//! What a tool is given: a struct with `Deserialize` and `JsonSchema`, or nothing.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::error::ToolError;

/// A tool's arguments: any type with serde's `Deserialize` and schemars' `JsonSchema`. Its schema must be that of an object.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a tool's arguments",
    label = "not a type of arguments",
    note = "put `#[derive(Deserialize, JsonSchema)]` on a struct; its fields are the arguments"
)]
pub trait Arguments: DeserializeOwned + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Arguments for T {}

/// The arguments of a tool that takes none.
#[doc(hidden)]
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoArguments {}

/// The schema of a tool that takes no arguments.
#[doc(hidden)]
pub const NO_ARGUMENTS: &str = r#"{"type":"object","additionalProperties":false}"#;

/// The JSON Schema (2020-12) of the arguments `A`.
#[doc(hidden)]
#[must_use]
pub fn schema<A: Arguments>() -> String {
    let mut schema = settings().into_generator().into_root_schema_for::<A>();
    // An enum's schema may leave it open, but arguments are always an object, and the protocol wants that said.
    if schema.get("type").is_none() {
        schema.insert("type".to_owned(), "object".into());
    }
    schema.to_value().to_string()
}

/// How schemas look: subschemas stand where they are used, and the dialect is the protocol's default.
pub(crate) fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    })
}

/// Reads the arguments.
///
/// # Errors
/// When they do not fit; the error says where and what.
#[doc(hidden)]
pub fn decode<A: DeserializeOwned>(arguments: &str) -> Result<A, ToolError> {
    // By way of a value, so that the error names a place in the arguments and not in their text.
    let value: serde_json::Value = serde_json::from_str(arguments)?;
    serde_path_to_error::deserialize(value).map_err(|error| match error.path().to_string().as_str() {
        "." => ToolError::new(format!("The arguments don't fit: {}.", error.inner())),
        path => ToolError::new(format!("The arguments don't fit at `{path}`: {}.", error.inner())),
    })
}
