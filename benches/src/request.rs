//! What is sent.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use serde_json::{Map, Value};

/// A request, as often as it is to be sent.
#[derive(Debug)]
pub(crate) struct Request {
    /// What goes with it, besides what HTTP needs.
    pub(crate) headers: HeaderMap,
    /// The message.
    pub(crate) body: Map<String, Value>,
}

impl Request {
    /// Reads it from a file.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        #[derive(Deserialize)]
        struct Written {
            headers: BTreeMap<String, String>,
            body: Map<String, Value>,
        }
        let text = std::fs::read_to_string(path).with_context(|| format!("could not read {}", path.display()))?;
        let written: Written =
            serde_json::from_str(&text).with_context(|| format!("{} is no request", path.display()))?;
        let mut headers = HeaderMap::new();
        for (name, value) in written.headers {
            headers.insert(HeaderName::try_from(name)?, HeaderValue::try_from(value)?);
        }
        Ok(Self { headers, body: written.body })
    }
}
