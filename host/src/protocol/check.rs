//! The rules that every request keeps, whatever brings it. A transport that repeats parts of the message beside it checks
//! those between two of the steps.

use std::borrow::Cow;

use super::SUPPORTED_VERSIONS;
use super::error::RpcError;
use super::jsonrpc::Request;
use super::meta::RequestMeta;
use super::method::Method;
use super::params::Params;

/// Checks a request in the order on which clients rely: it is no handshake of an earlier revision, its metadata is
/// complete, its version is supported, and its method is known.
///
/// # Errors
///
/// -32022, -32602 or -32601: the first rule that is broken.
pub fn check(request: &Request) -> Result<(Method, RequestMeta), RpcError> {
    let meta = meta(request)?;
    supported(&meta)?;
    Ok((method(request)?, meta))
}

/// A request's metadata.
///
/// # Errors
///
/// -32602 when it is not complete; but a client of an earlier revision, which sends none, learns from -32022 what is
/// spoken here.
pub fn meta(request: &Request) -> Result<RequestMeta, RpcError> {
    RequestMeta::read(&request.params).map_err(|error| {
        if request.method == "initialize" {
            RpcError::unsupported_version(&handshake_version(&request.params))
        } else {
            error
        }
    })
}

/// Checks that the host speaks the request's version.
///
/// # Errors
///
/// -32022 when it does not.
pub fn supported(meta: &RequestMeta) -> Result<(), RpcError> {
    if SUPPORTED_VERSIONS.contains(&meta.protocol_version.as_str()) {
        Ok(())
    } else {
        Err(RpcError::unsupported_version(&meta.protocol_version))
    }
}

/// A request's method.
///
/// # Errors
///
/// -32601 when the host does not serve it.
pub fn method(request: &Request) -> Result<Method, RpcError> {
    Method::named(&request.method).ok_or_else(|| RpcError::method_not_found(&request.method))
}

/// The version that a client of an earlier revision names in its handshake.
fn handshake_version(params: &Params) -> String {
    params.text("protocolVersion").map_or_else(|_| "unknown".to_owned(), Cow::into_owned)
}
