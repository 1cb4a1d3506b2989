//! What a tool's schemas ask of arguments and results: compiled once, at upload.
//!
//! # Layout
//!
//! - [`schema`]: one JSON Schema, and its bounds
//! - [`violation`]: what is wrong with a value, in words
//! - `annotation`: the arguments that are repeated in headers
//! - `walk`: a walk through a schema and all the schemas in it

mod annotation;
pub mod schema;
pub mod violation;
mod walk;

use std::sync::Arc;

use dacapo_replay::{Ending, Fault};

use crate::protocol::content::{ContentBlock, Extras};
use crate::protocol::error::RpcError;
use crate::protocol::header_params::HeaderParam;
use crate::protocol::tool::{CallToolResult, Tool};

use schema::{Flaw, Schema};
use violation::Violations;

/// The schemas of one tool.
#[derive(Debug)]
pub struct Schemas {
    input: Schema,
    output: Option<Schema>,
    header_params: Arc<[HeaderParam]>,
}

/// A schema that can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("tool \"{tool}\": its {schema} is no good at \"{pointer}\": {what}")]
pub struct BadSchema {
    /// The tool's name.
    pub tool: String,
    /// Which of its schemas: `inputSchema` or `outputSchema`.
    pub schema: &'static str,
    /// Where in the schema, as a JSON pointer.
    pub pointer: String,
    /// What is wrong, and what was expected.
    pub what: String,
}

/// The arguments that an input schema wants repeated in headers.
///
/// # Errors
///
/// The first annotation that breaks the rules. A client must not call such a tool.
pub fn header_params(input_schema: &serde_json::Value) -> Result<Vec<HeaderParam>, Flaw> {
    annotation::find(input_schema)
}

impl Schemas {
    /// Compiles a tool's schemas. May take many milliseconds.
    ///
    /// # Errors
    ///
    /// The first flaw of the first schema that has one.
    pub fn of(tool: &Tool) -> Result<Self, BadSchema> {
        let bad =
            |schema| move |Flaw { pointer, what }: Flaw| BadSchema { tool: tool.name.clone(), schema, pointer, what };
        let input = schema::read(tool.input_schema.get()).map_err(bad("inputSchema"))?;
        let header_params = annotation::find(&input).map_err(bad("inputSchema"))?.into();
        let output = tool.output_schema.as_ref().map(|text| {
            schema::read(text.get()).and_then(|schema| Schema::compile(&schema)).map_err(bad("outputSchema"))
        });
        Ok(Self {
            input: Schema::compile(&input).map_err(bad("inputSchema"))?,
            output: output.transpose()?,
            header_params,
        })
    }

    /// The arguments that clients repeat in headers.
    #[must_use]
    pub fn header_params(&self) -> &Arc<[HeaderParam]> {
        &self.header_params
    }

    /// The result in place of a call whose `arguments`, a JSON text, do not fit; `None` when they do.
    pub async fn refuse(&self, arguments: &str) -> Option<CallToolResult> {
        let violations = self.check_input(arguments).await.err()?;
        let text = format!("The arguments do not fit the tool's inputSchema:\n{violations}");
        Some(CallToolResult {
            content: vec![ContentBlock::Text { text, extras: Extras::default() }],
            structured_content: None,
            is_error: true,
            meta: None,
        })
    }

    /// Whether `arguments`, a JSON text, fit.
    ///
    /// # Errors
    ///
    /// Where they do not.
    pub async fn check_input(&self, arguments: &str) -> Result<(), Violations> {
        self.input.check(arguments).await
    }

    /// How a call ended, with its result checked: one that does not fit is the handler's fault.
    pub async fn settle(
        &self,
        ending: Ending<Result<CallToolResult, RpcError>>,
    ) -> Ending<Result<CallToolResult, RpcError>> {
        let (Some(schema), Ending::Completed(Ok(result))) = (&self.output, &ending) else { return ending };
        if result.is_error {
            return ending;
        }
        let Some(content) = &result.structured_content else {
            let what = "it has no structured content, and its tool has an outputSchema";
            return Ending::Failed(Fault::BadResult(what.to_owned()));
        };
        match schema.check(content.get()).await {
            Ok(()) => ending,
            Err(violations) => Ending::Failed(Fault::BadResult(format!(
                "its structured content does not fit the tool's outputSchema: {}",
                violations.to_string().replace('\n', "; ")
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;
    use serde_json::{Value, json};

    use super::*;

    fn raw(value: &Value) -> Box<RawValue> {
        serde_json::value::to_raw_value(value).unwrap()
    }

    fn schemas(input: &Value, output: Option<&Value>) -> Result<Schemas, BadSchema> {
        Schemas::of(&Tool {
            name: "t".to_owned(),
            title: None,
            description: None,
            input_schema: raw(input),
            output_schema: output.map(raw),
            annotations: None,
            icons: vec![],
            meta: None,
        })
    }

    async fn settled(schemas: &Schemas, content: Option<&Value>, is_error: bool) -> Result<(), String> {
        let result = CallToolResult { content: vec![], structured_content: content.map(raw), is_error, meta: None };
        match schemas.settle(Ending::Completed(Ok(result))).await {
            Ending::Completed(_) => Ok(()),
            Ending::Failed(Fault::BadResult(what)) => Err(what),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_refusal_names_the_tool_the_schema_the_place_and_what_was_expected() {
        let good = json!({"type": "object"});
        let bad = json!({"type": "object", "properties": {"a": {"type": "text"}}});
        for (refused, schema) in [(schemas(&bad, None), "inputSchema"), (schemas(&good, Some(&bad)), "outputSchema")] {
            let refused = refused.unwrap_err();
            assert_eq!((refused.schema, refused.pointer.as_str()), (schema, "/properties/a/type"));
            let text = refused.to_string();
            for word in ["\"t\"", schema, "/properties/a/type", "\"integer\""] {
                assert!(text.contains(word), "{word}: {text}");
            }
        }
        let annotated = json!({"type": "object", "properties": {"a": {"type": "number", "x-mcp-header": "A"}}});
        assert_eq!(schemas(&annotated, None).unwrap_err().pointer, "/properties/a/x-mcp-header");
        assert!(schemas(&good, Some(&annotated)).is_ok());
    }

    #[tokio::test]
    async fn arguments_that_fit_are_not_refused() {
        let schemas = schemas(&json!({"type": "object", "required": ["a"]}), None).unwrap();
        assert!(schemas.refuse(r#"{"a": 1}"#).await.is_none());
        let refusal = schemas.refuse("{}").await.unwrap();
        assert!(refusal.is_error);
        let text = serde_json::to_string(&refusal).unwrap();
        assert!(text.contains("inputSchema") && text.contains(r#"\"a\" is a required property"#), "{text}");
    }

    #[tokio::test]
    async fn results_are_held_to_the_output_schema_unless_the_call_failed() {
        let input = json!({"type": "object"});
        let schemas = schemas(&input, Some(&json!({"type": "array", "items": {"type": "integer"}}))).unwrap();
        assert_eq!(settled(&schemas, Some(&json!([1, 2])), false).await, Ok(()));
        assert!(settled(&schemas, Some(&json!([1, "2"])), false).await.unwrap_err().contains("\"/1\""));
        assert!(settled(&schemas, None, false).await.unwrap_err().contains("no structured content"));
        assert_eq!(settled(&schemas, None, true).await, Ok(()));
        assert_eq!(settled(&schemas, Some(&json!("odd")), true).await, Ok(()));
        let free = self::schemas(&input, None).unwrap();
        assert_eq!(settled(&free, None, false).await, Ok(()));
        assert_eq!(settled(&free, Some(&json!("odd")), false).await, Ok(()));
    }

    #[tokio::test]
    async fn other_endings_stay_as_they_are() {
        let input = json!({"type": "object"});
        let schemas = schemas(&input, Some(&json!({"type": "string"}))).unwrap();
        let fault = || Ending::Failed(Fault::Exited(1));
        assert_eq!(
            format!("{:?}", schemas.settle(fault()).await),
            format!("{:?}", Ending::<()>::Failed(Fault::Exited(1)))
        );
    }
}
