//! One uploaded handler, ready to run.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::SystemTime;

use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use super::schemas::{BadSchema, Schemas};
use super::store::Entry;
use crate::protocol::prompt::Prompt;
use crate::protocol::resource::{Resource, ResourceTemplate};
use crate::protocol::tool::Tool;
use crate::sandbox::describe::Description;
use crate::sandbox::{Program, Tenant};

/// A handler that is served. Its JSON is what the upload API shows of it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Handler {
    /// Its name.
    pub name: HandlerName,
    /// Counts the uploads under this name, from 1.
    pub revision: i64,
    /// What it is, whatever its name.
    pub digest: Digest,
    /// The component's size in bytes.
    pub size: usize,
    /// When it was uploaded.
    #[serde(serialize_with = "rfc3339")]
    pub uploaded_at: SystemTime,
    /// Its tools.
    pub tools: Vec<Tool>,
    /// Its prompts.
    pub prompts: Vec<Prompt>,
    /// Its resources.
    pub resources: Vec<Resource>,
    /// Its resource templates.
    #[serde(rename = "resourceTemplates")]
    pub templates: Vec<ResourceTemplate>,
    /// What its tools' schemas ask, by the tool's name.
    #[serde(skip)]
    pub schemas: HashMap<String, Arc<Schemas>>,
    /// Its code.
    #[serde(skip)]
    pub program: Program,
    /// Its share of the host.
    #[serde(skip)]
    pub tenant: Arc<Tenant>,
}

impl Handler {
    pub(super) fn new(
        entry: &Entry,
        program: Program,
        description: Description,
        tenant: Arc<Tenant>,
    ) -> Result<Self, BadSchema> {
        let schemas = description.tools.iter().map(|tool| Ok((tool.name.clone(), Arc::new(Schemas::of(tool)?))));
        Ok(Self {
            name: entry.name.clone(),
            revision: entry.revision,
            digest: entry.digest.clone(),
            size: entry.size,
            uploaded_at: entry.uploaded_at,
            schemas: schemas.collect::<Result<_, _>>()?,
            tools: description.tools,
            prompts: description.prompts,
            resources: description.resources,
            templates: description.templates,
            program,
            tenant,
        })
    }
}

impl fmt::Debug for Handler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handler({} revision {})", self.name, self.revision)
    }
}

fn rfc3339<S: Serializer>(time: &SystemTime, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&humantime::format_rfc3339_millis(*time))
}

/// The name of a handler: 1 to 64 characters of `a-z`, `0-9`, `-`, `_` and `.`, the first a letter or a digit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct HandlerName(#[serde(serialize_with = "shared")] Arc<str>);

fn shared<S: Serializer>(name: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(name)
}

/// A text that is no handler's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is no handler name: expected 1 to 64 characters of a-z, 0-9, \"-\", \"_\" and \".\", the first a letter or a digit"
)]
pub struct BadName(String);

impl FromStr for HandlerName {
    type Err = BadName;

    fn from_str(name: &str) -> Result<Self, BadName> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        let legal = (1..=64).contains(&name.len())
            && name.starts_with(plain)
            && name.chars().all(|c| plain(c) || matches!(c, '-' | '_' | '.'));
        if legal { Ok(Self(name.into())) } else { Err(BadName(name.chars().take(80).collect())) }
    }
}

impl fmt::Display for HandlerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for HandlerName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl From<HandlerName> for Arc<str> {
    fn from(name: HandlerName) -> Self {
        name.0
    }
}

/// What a component is: `sha256:` and the hexadecimal SHA-256 of its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Digest(String);

impl Digest {
    /// The digest of a component.
    #[must_use]
    pub fn of(wasm: &[u8]) -> Self {
        Self(format!("sha256:{}", hex::encode(Sha256::digest(wasm))))
    }

    /// A digest that this host wrote before.
    pub(super) fn known(text: String) -> Self {
        Self(text)
    }

    /// The hexadecimal digits alone.
    pub(super) fn hex(&self) -> &str {
        self.0.strip_prefix("sha256:").unwrap_or(&self.0)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// So that what is kept by digest can be looked up by its text.
impl std::borrow::Borrow<str> for Digest {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Digest {
    fn as_ref(&self) -> &str {
        &self.0
    }
}
