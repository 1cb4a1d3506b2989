//! Tools whose schemas ask much: of nested arguments, of a result, and that arguments be repeated in headers.

use dacapo_guest::prelude::*;

/// What to send, and where.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Parcel {
    /// Where to
    address: Address,
    /// What is in it
    #[schemars(length(min = 1, max = 20))]
    items: Vec<Item>,
}

/// Where a parcel goes.
#[derive(Deserialize, JsonSchema)]
struct Address {
    /// The postal code
    #[schemars(regex(pattern = "^[0-9]{5}$"))]
    zip: String,
}

/// A part of a parcel.
#[derive(Deserialize, JsonSchema)]
struct Item {
    /// How many
    #[schemars(range(min = 1, max = 9))]
    count: u32,
}

/// Sends a parcel.
#[tool]
fn send(Parcel { address, items }: Parcel) -> String {
    println!("the parcel is sent");
    format!("{} on the way to {}", items.iter().map(|item| item.count).sum::<u32>(), address.zip)
}

/// What the scales are to show.
#[derive(Deserialize, JsonSchema)]
struct Shown {
    /// The weight
    kilograms: u32,
}

/// What the scales show.
#[derive(Serialize, JsonSchema)]
struct Weight {
    /// The weight: the scales end at 100
    #[schemars(range(max = 100))]
    kilograms: u32,
}

/// Weighs. Breaks its own schema above 100 kilograms, and fails above 1000.
#[tool]
fn weigh(Shown { kilograms }: Shown) -> Result<Weight> {
    if kilograms > 1000 { Err(ToolError::new("the scales broke")) } else { Ok(Weight { kilograms }) }
}

/// Arguments that are repeated in headers.
#[derive(Deserialize, JsonSchema)]
struct Route {
    /// A text
    #[serde(default)]
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: String,
    /// A number
    #[serde(default)]
    #[schemars(extend("x-mcp-header" = "Limit"))]
    limit: i64,
    /// A truth
    #[serde(default)]
    #[schemars(extend("x-mcp-header" = "Dry-Run"))]
    dry_run: bool,
    /// More of them
    #[serde(default)]
    options: Options,
}

/// Nested arguments that are repeated in headers.
#[derive(Default, Deserialize, Serialize, JsonSchema)]
struct Options {
    /// A text
    #[serde(default)]
    #[schemars(extend("x-mcp-header" = "Zone"))]
    zone: String,
}

/// Says what it was given.
#[tool]
fn route(Route { region, limit, dry_run, options }: Route) -> String {
    format!("{region}, {limit}, {dry_run}, {}", options.zone)
}

/// Any question will do.
#[derive(Form)]
#[expect(dead_code, reason = "no matter what the answer is")]
struct GoOn {
    /// Whether to go on
    go_on: bool,
}

/// Where to ask.
#[derive(Deserialize, JsonSchema)]
struct Place {
    /// The region
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: String,
}

/// Asks before it says what it was given.
#[tool]
fn ask_there(ctx: &Context, Place { region }: Place) -> String {
    let _ = ctx.elicit::<GoOn>("Go on?");
    region
}

dacapo_guest::handlers! { tools: [send, weigh, route, ask_there] }
