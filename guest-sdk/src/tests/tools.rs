//! Tools as the contract has them.

use serde_json::{Value, json};

use crate::bindings::exports::dacapo::handler::tools as wit;
use crate::prelude::*;
use crate::tool::{self, Entry, Tool};

#[derive(Deserialize, JsonSchema)]
struct Order {
    /// What to bring
    item: String,
    count: Option<u8>,
    #[serde(default)]
    address: Address,
}

#[derive(Deserialize, JsonSchema, Default)]
struct Address {
    street: String,
}

/// The bill.
#[derive(Serialize, JsonSchema)]
struct Bill {
    /// In cents
    total: usize,
}

/// Takes an order.
///
/// Use it when the user is hungry.
#[tool(
    name = "take-order",
    title = "Take an order",
    read_only = false,
    destructive = true,
    idempotent = false,
    open_world = true
)]
fn order(Order { item, count, address }: Order, _ctx: &Context) -> Result<Bill> {
    let Address { street } = address;
    Ok(Bill { total: (item.len() + street.len()) * usize::from(count.unwrap_or(1)) })
}

/// Waits.
#[tool]
fn wait() {}

/// Hints at one thing.
#[tool(read_only = true)]
fn look(_: &Context) -> &'static str {
    "nothing"
}

/// Picks one of several.
#[derive(Deserialize, JsonSchema)]
#[serde(tag = "by")]
enum By {
    Name { name: String },
    Number { number: u8 },
}

/// Finds.
#[tool]
fn r#find(by: By) -> String {
    match by {
        By::Name { name } => name,
        By::Number { number } => number.to_string(),
    }
}

const TOOLS: &[Entry] = &[Entry::of::<order>(), Entry::of::<wait>(), Entry::of::<look>(), Entry::of::<find>()];

fn listed(name: &str) -> wit::Tool {
    tool::list(TOOLS).into_iter().find(|tool| tool.name == name).unwrap()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn text(result: &wit::ToolResult) -> &str {
    match result.content.as_slice() {
        [wit::ContentBlock::Text(block)] => &block.text,
        other => panic!("expected one block of text, not {other:?}"),
    }
}

#[test]
fn a_descriptor_says_all_that_the_author_said() {
    let tool = listed("take-order");
    assert_eq!(tool.title.as_deref(), Some("Take an order"));
    assert_eq!(tool.description.as_deref(), Some("Takes an order.\n\nUse it when the user is hungry."));
    let annotations = wit::ToolAnnotations {
        title: None,
        read_only: Some(false),
        destructive: Some(true),
        idempotent: Some(false),
        open_world: Some(true),
    };
    assert_eq!(tool.annotations, Some(annotations));
    let input = json!({
        "title": "Order",
        "type": "object",
        "properties": {
            "item": { "type": "string", "description": "What to bring" },
            "count": { "type": ["integer", "null"], "format": "uint8", "minimum": 0, "maximum": 255 },
            "address": {
                "type": "object",
                "properties": { "street": { "type": "string" } },
                "required": ["street"],
            },
        },
        "required": ["item"],
    });
    assert_eq!(json(&tool.input_schema), input);
    let output = json!({
        "title": "Bill",
        "description": "The bill.",
        "type": "object",
        "properties": {
            "total": { "description": "In cents", "type": "integer", "format": "uint", "minimum": 0 },
        },
        "required": ["total"],
    });
    assert_eq!(json(&tool.output_schema.unwrap()), output);
}

#[test]
fn a_plain_descriptor_says_nothing_more() {
    let tool = listed("wait");
    assert_eq!(tool.title, None);
    assert_eq!(tool.annotations, None);
    assert_eq!(tool.output_schema, None);
    assert_eq!(json(&tool.input_schema), json!({ "type": "object", "additionalProperties": false }));
}

#[test]
fn hints_not_given_are_not_said() {
    let annotations = wit::ToolAnnotations {
        title: None,
        read_only: Some(true),
        destructive: None,
        idempotent: None,
        open_world: None,
    };
    assert_eq!(listed("look").annotations, Some(annotations));
}

#[test]
fn arguments_are_an_object_whatever_their_type() {
    assert_eq!(json(&listed("find").input_schema)["type"], "object");
    assert_eq!(find::NAME, "find");
}

#[test]
fn a_call_reaches_its_tool() {
    let result = tool::call(TOOLS, "take-order", r#"{"item":"tea","count":2,"address":{"street":"Elm"}}"#).unwrap();
    assert_eq!(result.structured_content.as_deref(), Some(r#"{"total":12}"#));
    assert_eq!(text(&result), r#"{"total":12}"#);
    assert!(!result.is_error);
    assert_eq!(text(&tool::call(TOOLS, "find", r#"{"by":"Number","number":7}"#).unwrap()), "7");
}

#[test]
fn arguments_that_do_not_fit_are_the_models_error() {
    let call = |arguments| {
        let result = tool::call(TOOLS, "take-order", arguments).unwrap();
        assert!(result.is_error);
        assert_eq!(result.structured_content, None);
        text(&result).to_owned()
    };
    let expected = "The arguments don't fit at `address.street`: invalid type: integer `1`, expected a string.";
    assert_eq!(call(r#"{"item":"tea","address":{"street":1}}"#), expected);
    assert_eq!(call("{}"), "The arguments don't fit: missing field `item`.");
}

#[test]
fn a_tool_without_arguments_takes_none() {
    assert!(!tool::call(TOOLS, "wait", "{}").unwrap().is_error);
    let result = tool::call(TOOLS, "wait", r#"{"long":true}"#).unwrap();
    assert!(result.is_error);
    assert!(text(&result).contains("unknown field `long`"), "{}", text(&result));
}

#[test]
fn an_unknown_tool_is_the_clients_error() {
    let error = tool::call(TOOLS, "order", "{}").unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (-32602, "There is no tool `order`."));
}

const OWN: &str = r#"{ "type": "object",  "$comment": "as it stands" }"#;

/// Takes anything.
#[tool(input_schema = OWN, icon = "data:,x", meta = r#"{"a/b":1}"#)]
fn anything(arguments: Value) -> String {
    arguments.to_string()
}

/// Takes nothing, whatever is given.
#[tool(input_schema = r#"{"type":"object"}"#)]
fn ignoring() {}

#[derive(Deserialize, JsonSchema)]
struct Routed {
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: String,
}

/// Takes an argument that is sent as a header too.
#[tool]
fn route(Routed { region }: Routed) -> String {
    region
}

#[test]
fn a_schema_of_the_authors_own_goes_through_as_it_stands() {
    let tools = [Entry::of::<anything>(), Entry::of::<ignoring>()];
    let listed = tool::list(&tools);
    assert_eq!(listed[0].input_schema, OWN);
    assert_eq!(listed[1].input_schema, r#"{"type":"object"}"#);
    assert_eq!(text(&tool::call(&tools, "anything", r#"{"a":[1]}"#).unwrap()), r#"{"a":[1]}"#);
    assert!(!tool::call(&tools, "ignoring", r#"{"a":1}"#).unwrap().is_error);
}

#[test]
fn icon_and_meta_reach_the_client() {
    let listed = tool::list(&[Entry::of::<anything>()]);
    assert_eq!((listed[0].icons[0].src.as_str(), listed[0].meta.as_deref()), ("data:,x", Some(r#"{"a/b":1}"#)));
}

/// Shows several icons.
#[tool(icons = ["data:,a", Icon::new("https://example.com/b.png").mime_type("image/png").sizes(&["48x48"]).theme(Theme::Dark)])]
fn shown() {}

#[test]
fn several_icons_reach_the_client_with_all_that_is_said_of_them() {
    use crate::bindings::dacapo::handler::content as wit;
    let plain = wit::Icon { src: "data:,a".into(), mime_type: None, sizes: vec![], theme: None };
    let full = wit::Icon {
        src: "https://example.com/b.png".into(),
        mime_type: Some("image/png".into()),
        sizes: vec!["48x48".into()],
        theme: Some(wit::Theme::Dark),
    };
    assert_eq!(tool::list(&[Entry::of::<shown>()])[0].icons, [plain, full]);
}

#[test]
fn a_field_may_name_the_header_that_it_is_sent_as() {
    let schema = json(&tool::list(&[Entry::of::<route>()])[0].input_schema);
    assert_eq!(schema["properties"]["region"]["x-mcp-header"], "Region");
}
