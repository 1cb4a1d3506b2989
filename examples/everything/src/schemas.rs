//! Input schemas beyond what a struct says.

use dacapo_guest::prelude::*;

/// A schema of JSON Schema 2020-12 that no Rust type has. It reaches the client as it stands here.
const CONTACT: &str = include_str!("contact.schema.json");

/// Takes contact data, by a schema that was written by hand.
#[tool(name = "json_schema_2020_12_tool", read_only = true, input_schema = CONTACT)]
pub(crate) fn json_schema(contact: serde_json::Value) -> String {
    format!("Took {contact}.")
}

/// Where to look, and for what.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Lookup {
    /// The region, which the client also sends as a header, for gateways on the way
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: String,
}

/// Takes an argument that travels in a header too.
#[tool(name = "test_custom_header", read_only = true)]
pub(crate) fn custom_header(Lookup { region }: Lookup) -> String {
    format!("Looked in {region}.")
}
