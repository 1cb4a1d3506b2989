//! The smallest handler: one tool that greets, and asks nothing.
//!
//! It shows a tool's arguments, a struct whose doc comments reach the client in the schema, and a result of plain text.

use dacapo_guest::prelude::*;

/// Whom to greet.
#[derive(Deserialize, JsonSchema)]
struct Greeting {
    /// The name of the person to greet
    name: String,
}

/// Greets a person by name.
#[tool(title = "Say hello", read_only = true, open_world = false)]
fn hello(Greeting { name }: Greeting) -> String {
    format!("Hello, {name}!")
}

dacapo_guest::handlers! { tools: [hello] }
