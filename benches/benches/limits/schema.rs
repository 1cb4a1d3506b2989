//! What holding arguments and results against their schemas costs.

use dacapo::protocol::tool::Tool;
use dacapo::registry::schemas::Schemas;
use futures_util::FutureExt as _;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use crate::spread::in_turns;

/// Measures it, and prints the table.
pub(crate) fn print(turns: usize, batch: u32) {
    let tool = |input: Value| {
        let tool = Tool {
            name: "measured".to_owned(),
            title: None,
            description: None,
            input_schema: to_raw_value(&input).expect("JSON can be written"),
            output_schema: None,
            annotations: None,
            icons: Vec::new(),
            meta: None,
        };
        Schemas::of(&tool).expect("the schema is well formed")
    };
    let name = json!({"type": "string", "description": "The name of the person to greet"});
    let small = tool(json!({"type": "object", "properties": {"name": name}, "required": ["name"]}));
    let item = json!({"type": "object", "properties": {"id": {"type": "integer", "minimum": 0}, "name": name}, "required": ["id"]});
    let large = tool(json!({"type": "object", "properties": {"items": {"type": "array", "items": item}}}));
    let items: Vec<_> = (0..100).map(|id| json!({"id": id, "name": "Ada"})).collect();
    let large_arguments = json!({"items": items}).to_string();
    let ways = [(&small, r#"{"name":"Ada"}"#), (&large, large_arguments.as_str())];
    let times = in_turns(turns, batch, &ways, |(schemas, arguments)| {
        let refused = schemas.refuse(arguments).now_or_never().expect("it waits for nobody");
        assert!(refused.is_none(), "the arguments fit");
    });
    println!("Holding arguments against a tool's schema comes on top, before the call:\n");
    println!("| | it takes |\n|---|---|");
    println!("| one string | {} |", times[0]);
    println!("| a list of 100 objects, {} bytes | {} |\n", large_arguments.len(), times[1]);
}
