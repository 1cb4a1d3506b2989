//! The headers that repeat the body, so that whatever stands between can route by them, and their rules.

use std::borrow::Cow;
use std::fmt::Display;

use axum::http::header::AsHeaderName;
use axum::http::{HeaderMap, HeaderName};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::protocol::check;
use crate::protocol::error::RpcError;
use crate::protocol::jsonrpc::Request;
use crate::protocol::meta::RequestMeta;
use crate::protocol::method::Method;

static PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
static METHOD: HeaderName = HeaderName::from_static("mcp-method");
static NAME: HeaderName = HeaderName::from_static("mcp-name");

/// Checks a request's headers against its body, in the order in which clients rely on: the version's header is there, the
/// metadata is complete, both name the same version, the version is supported, the method is repeated and known, and the
/// target is repeated.
///
/// # Errors
///
/// -32020, -32602, -32022 or -32601: the first rule that is broken.
pub fn check(headers: &HeaderMap, request: &Request) -> Result<(Method, RequestMeta), RpcError> {
    let meta = check::meta(request);
    if let (Err(error), "initialize") = (&meta, request.method.as_str()) {
        // A client of an earlier revision sends no such headers either.
        return Err(error.clone());
    }
    let header = required(headers, &PROTOCOL_VERSION)?;
    let meta = meta?;
    if header != meta.protocol_version {
        return Err(mismatch("MCP-Protocol-Version", header, "params._meta", &meta.protocol_version));
    }
    check::supported(&meta)?;
    let header = required(headers, &METHOD)?;
    if header != request.method {
        return Err(mismatch("Mcp-Method", header, "method", &request.method));
    }
    let method = check::method(request)?;
    if let Some(member) = method.target() {
        let header = decoded("Mcp-Name", required(headers, &NAME)?)?;
        // A target that is missing or no string is found out by whoever reads the parameters.
        if let Ok(target) = request.params.text(member)
            && target != header
        {
            return Err(mismatch("Mcp-Name", &header, &format!("params.{member}"), &target));
        }
    }
    Ok((method, meta))
}

/// The one value of a header that must be there.
pub(super) fn required(headers: &HeaderMap, name: impl AsHeaderName + Copy + Display) -> Result<&str, RpcError> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().ok_or_else(|| {
        RpcError::header_mismatch(format!("header {name} is missing; every request repeats that part of its body"))
    })?;
    // Whoever routed by one of two values may have meant the other.
    if values.next().is_some() {
        return Err(RpcError::header_mismatch(format!("header {name} stands more than once; send it once")));
    }
    let text = value.to_str().map_err(|_| {
        RpcError::header_mismatch(format!(
            "header {name} has characters that a header can't carry; encode it as =?base64?...?="
        ))
    })?;
    Ok(text.trim_matches([' ', '\t']))
}

/// A header's value, which may be encoded as `=?base64?...?=`.
pub(super) fn decoded<'a>(name: &str, value: &'a str) -> Result<Cow<'a, str>, RpcError> {
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|value| value.strip_suffix("?=")) else {
        return Ok(Cow::Borrowed(value));
    };
    let bytes = BASE64.decode(encoded).ok();
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).map(Cow::Owned).ok_or_else(|| {
        RpcError::header_mismatch(format!(
            "header {name} is not standard Base64 of UTF-8 text between =?base64? and ?="
        ))
    })
}

/// A text as a client puts it into a header: as it is where that is possible, and else as `=?base64?...?=`.
#[must_use]
pub fn encoded(text: &str) -> Cow<'_, str> {
    let plain = text.bytes().all(|byte| (0x20..=0x7e).contains(&byte))
        && text.trim() == text
        && !(text.starts_with("=?base64?") && text.ends_with("?="));
    if plain { Cow::Borrowed(text) } else { Cow::Owned(format!("=?base64?{}?=", BASE64.encode(text))) }
}

fn mismatch(header: &str, value: &str, member: &str, body: &str) -> RpcError {
    RpcError::header_mismatch(format!("header {header} says \"{value}\", and {member} of the body says \"{body}\""))
}
