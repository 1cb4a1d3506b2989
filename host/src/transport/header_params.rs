//! The headers `Mcp-Param-*`: arguments that a tool wants repeated, and the rules for comparing them with the body.

use std::sync::Arc;

use axum::http::HeaderMap;
use serde::de::IgnoredAny;
use serde_json::{Number, Value};

use super::headers::{decoded, required};
use crate::protocol::error::RpcError;
use crate::protocol::header_params::HeaderParam;
use crate::protocol::jsonrpc::Request;
use crate::protocol::method::Method;

/// Checks that a call's headers repeat the arguments that its tool wants repeated, in the revision that is `served`; a retry
/// whose headers don't fit that may fit one of those `replaced`, for it may go on with any of them.
///
/// A header that repeats nothing is ignored, be it that the tool does not want it or that the body has no value.
///
/// # Errors
///
/// -32020: the first header that is missing, can't be read, or says something else than the body.
pub fn check(
    headers: &HeaderMap,
    method: Method,
    request: &Request,
    served: impl FnOnce(&str) -> Option<Arc<[HeaderParam]>>,
    replaced: impl FnOnce(&str) -> Vec<Arc<[HeaderParam]>>,
) -> Result<(), RpcError> {
    // Parameters that make no sense, and a tool that there is not, are found out by whoever reads them.
    let (Method::ToolsCall, Ok(tool)) = (method, request.params.text("name")) else { return Ok(()) };
    let served = served(&tool);
    if served.as_ref().is_some_and(|wanted| wanted.is_empty()) {
        return Ok(());
    }
    let Ok(Some(arguments)) = request.params.member::<Value>("arguments") else { return Ok(()) };
    let repeated = |wanted: &Arc<[HeaderParam]>| {
        wanted
            .iter()
            .try_for_each(|param| param.value(&arguments).map_or(Ok(()), |value| compare(headers, param, value)))
    };
    let is_retry = || request.params.member::<IgnoredAny>("requestState").is_ok_and(|state| state.is_some());
    let served = served.as_ref().map(repeated);
    if matches!(served, Some(Ok(()))) || !is_retry() {
        return served.unwrap_or(Ok(()));
    }
    let verdicts: Vec<_> = served.into_iter().chain(replaced(&tool).iter().map(repeated)).collect();
    if verdicts.iter().any(Result::is_ok) { Ok(()) } else { verdicts.into_iter().next().unwrap_or(Ok(())) }
}

fn compare(headers: &HeaderMap, param: &HeaderParam, value: &Value) -> Result<(), RpcError> {
    let name = format!("Mcp-Param-{}", param.name);
    // No schema that may be annotated takes these: the arguments are refused as such.
    if value.is_array() || value.is_object() {
        return Ok(());
    }
    let header = decoded(&name, required(headers, name.as_str())?)?;
    let same = match value {
        Value::String(text) => header == *text,
        Value::Bool(truth) => header == truth.to_string(),
        Value::Number(number) => same_number(&header, number),
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    };
    if same {
        Ok(())
    } else {
        Err(RpcError::header_mismatch(format!(
            "header {name} says something else than params.arguments.{} of the body",
            param.path.join(".")
        )))
    }
}

/// Whether a header says a number, however it is written: `42.0` is 42.
fn same_number(header: &str, body: &Number) -> bool {
    let Ok(header) = serde_json::from_str::<Number>(header) else { return false };
    match (whole(&header), whole(body)) {
        (None, None) => header.as_f64() == body.as_f64(),
        (header, body) => header == body,
    }
}

/// A number as a whole one, where it is known exactly.
fn whole(number: &Number) -> Option<i128> {
    /// The greatest whole number up to which a `f64` tells each from the next.
    const EXACT: f64 = 9_007_199_254_740_991.0;
    #[expect(clippy::cast_possible_truncation, reason = "the number is whole, and far smaller")]
    let exact = |float: f64| (float.fract() == 0.0 && float.abs() <= EXACT).then_some(float as i128);
    match (number.as_i64(), number.as_u64()) {
        (Some(signed), _) => Some(signed.into()),
        (None, Some(unsigned)) => Some(unsigned.into()),
        (None, None) => number.as_f64().and_then(exact),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::headers::encoded;
    use super::*;

    fn verdict(arguments: &Value, headers: &[(&'static str, &str)]) -> Result<(), i32> {
        let wanted = ["Region", "Limit", "Dry-Run"]
            .map(|name| HeaderParam { name: name.to_owned(), path: vec!["options".to_owned(), name.to_lowercase()] });
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "t",
            "arguments": {"options": arguments},
        }});
        let Ok(crate::protocol::jsonrpc::Message::Request(request)) =
            crate::protocol::jsonrpc::Message::read(body.to_string().as_bytes())
        else {
            panic!("{body}")
        };
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        check(&map, Method::ToolsCall, &request, |_| Some(wanted.into()), |_| vec![]).map_err(|error| error.code)
    }

    #[test]
    fn a_value_in_the_body_must_be_in_its_header() {
        let region = |headers: &[(&'static str, &str)]| verdict(&json!({"region": "eu"}), headers);
        assert_eq!(region(&[("mcp-param-region", "eu")]), Ok(()));
        assert_eq!(region(&[("mcp-param-region", "=?base64?ZXU=?=")]), Ok(()));
        assert_eq!(region(&[]), Err(-32020));
        assert_eq!(region(&[("mcp-param-region", "us")]), Err(-32020));
        assert_eq!(region(&[("mcp-param-region", "EU")]), Err(-32020));
        assert_eq!(region(&[("mcp-param-region", "")]), Err(-32020));
        assert_eq!(region(&[("mcp-param-region", "eu"), ("mcp-param-region", "us")]), Err(-32020));
        assert_eq!(region(&[("mcp-param-region", "eu"), ("mcp-param-other", "=?base64?!?=")]), Ok(()));
    }

    #[test]
    fn a_header_is_not_expected_where_the_body_has_no_value() {
        for arguments in [json!({}), json!({"region": null}), json!(null), json!([])] {
            assert_eq!(verdict(&arguments, &[]), Ok(()), "{arguments}");
            assert_eq!(verdict(&arguments, &[("mcp-param-region", "anything")]), Ok(()), "{arguments}");
        }
    }

    #[test]
    fn malformed_base64_is_refused_and_half_a_sentinel_is_literal() {
        let said = |body: &str, header: &str| verdict(&json!({"region": body}), &[("mcp-param-region", header)]);
        for bad in ["=?base64?SGVsbG8?=", "=?base64?SGVs!!!bG8=?=", "=?base64?SGVsbG8=", "=?base64?/w==?="] {
            assert_eq!(said("Hello", bad), Err(-32020), "{bad}");
        }
        assert_eq!(said("Hello", "=?base64?SGVsbG8=?="), Ok(()));
        for literal in ["=?base64?SGVsbG8=", "SGVsbG8=?=", "=?BASE64?SGVsbG8=?="] {
            assert_eq!(said(literal, literal), Ok(()), "{literal}");
        }
    }

    #[test]
    fn integers_compare_as_numbers() {
        let said = |body: Value, header: &str| verdict(&json!({"limit": body}), &[("mcp-param-limit", header)]);
        for header in ["42", "42.0", "4.2e1", "420e-1"] {
            assert_eq!(said(json!(42), header), Ok(()), "{header}");
            assert_eq!(said(json!(42.0), header), Ok(()), "{header}");
        }
        for header in ["43", "42.5", "042", "+42", "0x2a", "forty-two", "", "42 42", "true", "NaN"] {
            assert_eq!(said(json!(42), header), Err(-32020), "{header}");
        }
        let beyond = 9_007_199_254_740_993_i64;
        assert_eq!(said(json!(beyond), "9007199254740993"), Ok(()));
        assert_eq!(said(json!(beyond), "9007199254740992"), Err(-32020));
        assert_eq!(said(json!(beyond), "9007199254740992.0"), Err(-32020));
        assert_eq!(said(json!(-1), "-1.0"), Ok(()));
    }

    #[test]
    fn booleans_are_true_and_false() {
        let said = |header: &str| verdict(&json!({"dry-run": true}), &[("mcp-param-dry-run", header)]);
        assert_eq!(said("true"), Ok(()));
        for header in ["True", "1", "yes", "false"] {
            assert_eq!(said(header), Err(-32020), "{header}");
        }
    }

    proptest! {
        #[test]
        fn every_text_comes_through_a_header_as_it_was(text in any::<String>(), other in any::<String>()) {
            let header = encoded(&text);
            let said = |body: &str| verdict(&json!({"region": body}), &[("mcp-param-region", &header)]);
            prop_assert_eq!(said(&text), Ok(()));
            prop_assert_eq!(said(&other).is_ok(), other == text);
        }

        #[test]
        fn every_integer_comes_through_a_header_as_it_was(number in any::<i64>(), other in any::<i64>()) {
            let said = |body: i64| verdict(&json!({"limit": body}), &[("mcp-param-limit", &number.to_string())]);
            prop_assert_eq!(said(number), Ok(()));
            prop_assert_eq!(said(other).is_ok(), other == number);
        }
    }
}
