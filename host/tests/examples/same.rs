//! How what the host writes is held against an example.

use dacapo::protocol::jsonrpc::RequestId;
use dacapo::protocol::result::{Implementation, Meta, ResultType, write};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

pub(crate) fn raw(value: Value) -> Box<RawValue> {
    to_raw_value(&value).unwrap()
}

pub(crate) fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// With every number as a double: JSON tells `18` from `18.0` by its looks alone.
fn plain(value: Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Object(members) => members.into_iter().map(|(name, value)| (name, plain(value))).collect(),
        other => other,
    }
}

pub(crate) fn assert_text(text: &[u8], example: Value) {
    let text: Value = serde_json::from_slice(text).unwrap();
    assert_eq!(plain(text), plain(example));
}

pub(crate) fn assert_written(value: &impl Serialize, example: Value) {
    assert_text(&serde_json::to_vec(value).unwrap(), example);
}

pub(crate) fn assert_kept<T: Serialize + DeserializeOwned>(example: Value) {
    assert_written(&serde_json::from_value::<T>(example.clone()).unwrap(), example);
}

/// A result without the server's name, which the host adds to every one and the examples to none of these.
pub(crate) fn result(kind: ResultType, meta: Meta, body: &impl Serialize) -> Box<RawValue> {
    let server = Implementation { name: "ExampleServer".into(), version: "1.0.0".into() };
    let mut result: Value = serde_json::from_str(write(kind, &server, meta, body).unwrap().get()).unwrap();
    let meta = result["_meta"].as_object_mut().unwrap();
    let name = meta.remove("io.modelcontextprotocol/serverInfo");
    assert_eq!(name, Some(json!({"name": "ExampleServer", "version": "1.0.0"})));
    if meta.is_empty() {
        result.as_object_mut().unwrap().remove("_meta");
    }
    raw(result)
}

pub(crate) fn assert_result(body: &impl Serialize, example: Value) {
    assert_written(&result(ResultType::Complete, None, body), example);
}

pub(crate) fn text_id(id: &str) -> RequestId {
    RequestId::Text(id.into())
}
