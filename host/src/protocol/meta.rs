//! What every request says of its client: the `_meta` that took the handshake's place.

use dacapo_replay::Askable;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::error::RpcError;
use super::object::Object;
use super::params::Params;

/// The key of the protocol's version in `_meta`.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The key of the client's capabilities in `_meta`.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The key of the server's name and version in a result's `_meta`.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The key of a subscription's id in the `_meta` of what is sent for it.
pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// A request's metadata, complete.
#[derive(Clone, Debug)]
pub struct RequestMeta {
    /// The revision that the client speaks.
    pub protocol_version: String,
    /// What the client declared, for this request only.
    pub capabilities: ClientCapabilities,
    /// What progress notifications must carry; none are sent without.
    pub progress_token: Option<ProgressToken>,
}

/// What the client says that it can do, as far as the host asks.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ClientCapabilities {
    elicitation: Option<Elicitation>,
    sampling: Option<Sampling>,
    roots: Option<Map<String, Value>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Elicitation {
    form: Option<Map<String, Value>>,
    url: Option<Map<String, Value>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Sampling {
    tools: Option<Map<String, Value>>,
}

/// A client's name for a stream of progress notifications.
#[derive(Clone, Debug, PartialEq, serde::Serialize, Deserialize)]
#[serde(untagged)]
pub enum ProgressToken {
    /// A number.
    Number(serde_json::Number),
    /// A string.
    Text(String),
}

impl ClientCapabilities {
    /// Which requests the client takes. `"elicitation": {}` means forms alone.
    #[must_use]
    pub fn askable(&self) -> Askable {
        let elicitation = self.elicitation.as_ref();
        let url = elicitation.is_some_and(|modes| modes.url.is_some());
        Askable {
            form: elicitation.is_some_and(|modes| modes.form.is_some() || !url),
            url,
            sampling: self.sampling.is_some(),
            sampling_tools: self.sampling.as_ref().is_some_and(|sampling| sampling.tools.is_some()),
            roots: self.roots.is_some(),
        }
    }
}

impl RequestMeta {
    /// Reads the metadata out of a request's parameters.
    ///
    /// # Errors
    ///
    /// -32602 when `_meta`, the version or the capabilities are missing or of another type.
    pub fn read(params: &Params) -> Result<Self, RpcError> {
        #[derive(Deserialize)]
        struct Wire {
            #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
            protocol_version: Option<String>,
            #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
            capabilities: Option<Object<ClientCapabilities>>,
            #[serde(rename = "progressToken")]
            progress_token: Option<ProgressToken>,
        }
        let missing =
            |what: &str| RpcError::invalid_params(format!("params.{what} is missing; every request needs it"));
        params.check()?;
        let Object(meta): Object<Wire> = params.member("_meta")?.ok_or_else(|| missing("_meta"))?;
        Ok(Self {
            protocol_version: meta
                .protocol_version
                .ok_or_else(|| missing(&format!("_meta[\"{PROTOCOL_VERSION}\"]")))?,
            capabilities: meta.capabilities.ok_or_else(|| missing(&format!("_meta[\"{CLIENT_CAPABILITIES}\"]")))?.0,
            progress_token: meta.progress_token,
        })
    }
}
