//! Adds two numbers, and returns the sum as a structure that the tool's output schema describes.

use dacapo_guest::prelude::*;

/// What to add.
#[derive(Deserialize, JsonSchema)]
struct Summands {
    /// The first number
    a: i32,
    /// The second number
    b: i32,
}

/// What it comes to.
#[derive(Serialize, JsonSchema)]
struct Sum {
    /// The two numbers together
    sum: i64,
}

/// Adds two numbers.
#[tool(title = "Add", read_only = true, open_world = false)]
fn add(Summands { a, b }: Summands) -> Sum {
    Sum { sum: i64::from(a) + i64::from(b) }
}

dacapo_guest::handlers! { tools: [add] }
