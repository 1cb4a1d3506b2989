//! What a client posts: a message, read as far as it is without a handler.

use dacapo::protocol::cancelled::Cancelled;
use dacapo::protocol::check;
use dacapo::protocol::completion::CompleteParams;
use dacapo::protocol::error::RpcError;
use dacapo::protocol::jsonrpc::{self, Message, Request, RequestId};
use dacapo::protocol::method::Method;
use dacapo::protocol::params::{CallParams, Params};
use dacapo::protocol::subscription::SubscriptionFilter;
use serde_json::Value;
use serde_json::value::RawValue;

/// Takes `data` for the body of a request.
///
/// # Panics
///
/// When what is answered is no JSON-RPC response to what was asked, or an error that has no place here.
pub fn check(data: &[u8]) {
    match Message::read(data) {
        Ok(Message::Request(request)) => answered(Some(&request.id.clone()), read(request)),
        Ok(Message::Notification { params, .. }) => {
            // It is not answered, be it well formed or not.
            let _cancelled = Cancelled::read(&params);
        }
        Err(unreadable) => answered(unreadable.id.as_ref(), Err(unreadable.error)),
    }
}

/// Reads a request up to where a handler would be called.
fn read(request: Request) -> Result<(), RpcError> {
    let (method, meta) = check::check(&request)?;
    assert_eq!(meta.protocol_version, dacapo::protocol::VERSION);
    let _askable = meta.capabilities.askable();
    let params = request.params;
    match method {
        Method::ToolsCall | Method::PromptsGet | Method::ResourcesRead => call(method, params),
        Method::Listen => SubscriptionFilter::read(&params).map(drop),
        Method::Complete => CompleteParams::read(&params).map(drop),
        Method::Discover
        | Method::ToolsList
        | Method::PromptsList
        | Method::ResourcesList
        | Method::ResourceTemplatesList => Ok(()),
    }
}

fn call(method: Method, params: Params) -> Result<(), RpcError> {
    let CallParams { original, .. } = CallParams::read(params)?;
    // A retry carries what the first round carried, also when it has been through a token.
    assert!(original.same_as(&original));
    let travelled = serde_json::to_vec(&original).expect("it was JSON");
    assert!(original.same_as(&serde_json::from_slice(&travelled).expect("it was just written")));
    original.text(method.target().unwrap_or("name"))?;
    if let Some(arguments) = original.object("arguments")? {
        assert!(arguments.starts_with('{'), "{arguments}");
    }
    Ok(())
}

/// Writes the answer, and reads it as a client does.
fn answered(id: Option<&RequestId>, outcome: Result<(), RpcError>) {
    let outcome = outcome.map(|()| RawValue::NULL.to_owned());
    let code = outcome.as_ref().err().map(|error| i64::from(error.code));
    assert!(code.is_none_or(|code| (-32768..=-32000).contains(&code)), "{code:?}");
    let response: Value = serde_json::from_slice(&jsonrpc::response(id, &outcome)).expect("a response is JSON");
    assert_eq!(response["jsonrpc"], "2.0");
    assert_eq!(response.get("id"), id.map(|id| serde_json::to_value(id).expect("an id is JSON")).as_ref());
    assert_eq!(response["error"]["code"].as_i64(), code);
}
