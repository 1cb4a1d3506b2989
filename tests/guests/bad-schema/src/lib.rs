//! Has a schema that refers to the network, where the host fetches nothing. The host must refuse it.

use dacapo_guest::prelude::*;

/// Whom to invite.
#[derive(Deserialize, JsonSchema)]
struct Guest {
    /// The person
    #[schemars(extend("$ref" = "https://schemas.example.com/person.json"))]
    person: String,
}

/// Invites somebody.
#[tool]
fn invite(Guest { person }: Guest) -> String {
    format!("{person} is invited")
}

dacapo_guest::handlers! { tools: [invite] }
