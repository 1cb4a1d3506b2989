//! The annotation `x-mcp-header` of an argument's schema, by which a tool wants the argument repeated in a header.

use std::ops::ControlFlow;

use serde_json::Value;

use super::schema::Flaw;
use super::walk::{Place, walk};
use crate::protocol::header_params::HeaderParam;

/// The annotation, a keyword of a property's schema.
const ANNOTATION: &str = "x-mcp-header";

/// The types whose values a header can repeat.
const TYPES: [&str; 3] = ["string", "integer", "boolean"];

/// Finds the annotated arguments of an input schema.
///
/// # Errors
///
/// The first annotation that breaks the rules: one that is no token of RFC 9110, that another one equals but for its
/// case, that stands on another type than a string, an integer or a boolean, or that is not reached from the root by
/// `properties` alone.
pub(super) fn find(schema: &Value) -> Result<Vec<HeaderParam>, Flaw> {
    let mut found = Vec::new();
    let flaw = walk(schema, |place| match take(place, &found) {
        Ok(param) => {
            found.extend(param);
            ControlFlow::Continue(())
        }
        Err(what) => ControlFlow::Break(Flaw { pointer: place.keyword(ANNOTATION), what }),
    });
    flaw.map_or(Ok(found), Err)
}

/// The annotation at one place, if there is one.
fn take(place: &Place<'_>, found: &[HeaderParam]) -> Result<Option<HeaderParam>, String> {
    let Some(annotation) = place.keywords.get(ANNOTATION) else { return Ok(None) };
    let name = annotation.as_str().filter(|name| is_token(name)).ok_or_else(|| {
        "expected the name of a header: a text of letters, digits and !#$%&'*+-.^_`|~ (RFC 9110), not empty".to_owned()
    })?;
    let path = place.path.filter(|path| !path.is_empty()).ok_or_else(|| {
        format!("\"{name}\" must stand on a property that \"properties\" alone lead to from the root")
    })?;
    if !place.keywords.get("type").and_then(Value::as_str).is_some_and(|kind| TYPES.contains(&kind)) {
        return Err(format!(
            "\"{name}\" must stand on a property whose \"type\" is \"string\", \"integer\" or \"boolean\""
        ));
    }
    if found.iter().any(|other| other.name.eq_ignore_ascii_case(name)) {
        return Err(format!("\"{name}\" stands on two properties, and headers know no case; give each its own name"));
    }
    Ok(Some(HeaderParam { name: name.to_owned(), path: path.iter().map(|&name| name.to_owned()).collect() }))
}

/// Whether a text is a token of RFC 9110, section 5.6.2.
fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(schema: &Value) -> (String, String) {
        let Flaw { pointer, what } = find(schema).unwrap_err();
        (pointer, what)
    }

    #[test]
    fn annotations_are_found_along_properties() {
        let schema = json!({"type": "object", "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "plain": {"type": "string"},
            "options": {"type": "object", "properties": {
                "limit": {"type": "integer", "x-mcp-header": "Limit"},
                "a/b": {"type": "boolean", "x-mcp-header": "Dry-Run"},
            }},
        }});
        let mut found = find(&schema).unwrap();
        found.sort_by(|one, other| one.name.cmp(&other.name));
        let found: Vec<_> = found.iter().map(|param| (param.name.as_str(), param.path.join("."))).collect();
        assert_eq!(
            found,
            [
                ("Dry-Run", "options.a/b".to_owned()),
                ("Limit", "options.limit".to_owned()),
                ("Region", "region".to_owned())
            ]
        );
    }

    #[test]
    fn what_merely_looks_like_an_annotation_is_none() {
        let schema = json!({
            "type": "object",
            "properties": {"x-mcp-header": {"type": "number"}, "a": {"const": {"x-mcp-header": 1}}},
            "default": {"x-mcp-header": 1},
            "enum": [{"x-mcp-header": 1}],
            "examples": [{"x-mcp-header": 1}],
        });
        assert_eq!(find(&schema), Ok(vec![]));
        assert_eq!(find(&json!(true)), Ok(vec![]));
    }

    #[test]
    fn names_that_are_no_tokens_are_refused() {
        for name in [json!(""), json!("a b"), json!("a:b"), json!("ä"), json!("a\n"), json!(1), json!(null)] {
            let schema = json!({"properties": {"a/b": {"type": "string", "x-mcp-header": name}}});
            let (pointer, what) = refused(&schema);
            assert_eq!(pointer, "/properties/a~1b/x-mcp-header");
            assert!(what.contains("RFC 9110"), "{name}: {what}");
        }
    }

    #[test]
    fn names_that_differ_in_case_alone_are_refused() {
        let schema = json!({"properties": {
            "a": {"type": "string", "x-mcp-header": "Region"},
            "b": {"properties": {"c": {"type": "string", "x-mcp-header": "REGION"}}},
        }});
        assert!(refused(&schema).1.contains("two properties"));
    }

    #[test]
    fn types_that_no_header_can_repeat_are_refused() {
        for kind in
            [json!("number"), json!("object"), json!("array"), json!("null"), json!(["string", "null"]), json!(7)]
        {
            let schema = json!({"properties": {"a": {"type": kind, "x-mcp-header": "A"}}});
            assert!(refused(&schema).1.contains("\"integer\""), "{kind}");
        }
        assert!(refused(&json!({"properties": {"a": {"x-mcp-header": "A"}}})).1.contains("\"integer\""));
    }

    #[test]
    fn annotations_off_the_chain_of_properties_are_refused() {
        let annotated = json!({"type": "string", "x-mcp-header": "A"});
        let inside = json!({"properties": {"a": annotated}});
        let off = [
            (annotated.clone(), "/x-mcp-header"),
            (json!({"properties": {"l": {"items": annotated}}}), "/properties/l/items/x-mcp-header"),
            (json!({"prefixItems": [annotated]}), "/prefixItems/0/x-mcp-header"),
            (json!({"anyOf": [{}, inside]}), "/anyOf/1/properties/a/x-mcp-header"),
            (json!({"then": inside}), "/then/properties/a/x-mcp-header"),
            (json!({"$defs": {"d": annotated}}), "/$defs/d/x-mcp-header"),
            (json!({"patternProperties": {"^a": annotated}}), "/patternProperties/^a/x-mcp-header"),
            (json!({"additionalProperties": annotated}), "/additionalProperties/x-mcp-header"),
        ];
        for (schema, at) in off {
            let (pointer, what) = refused(&schema);
            assert_eq!(pointer, at, "{what}");
            assert!(what.contains("alone"), "{what}");
        }
    }
}
