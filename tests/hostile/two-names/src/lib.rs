//! Offers two tools of one name, which the SDK would refuse.

use dacapo_guest::bindings::exports::dacapo::handler::tools::{Guest, ProtocolError, Tool, ToolResult};

struct Twins;

impl Guest for Twins {
    fn list_tools() -> Vec<Tool> {
        vec![twin("the good one"), twin("the other one")]
    }

    fn call_tool(_name: String, _arguments: String) -> Result<ToolResult, ProtocolError> {
        Ok(ToolResult { content: Vec::new(), structured_content: None, is_error: false, meta: None })
    }
}

fn twin(description: &str) -> Tool {
    Tool {
        name: "twin".to_owned(),
        title: None,
        description: Some(description.to_owned()),
        input_schema: r#"{"type":"object"}"#.to_owned(),
        output_schema: None,
        annotations: None,
        icons: Vec::new(),
        meta: None,
    }
}

dacapo_guest::bindings::export_tools!(Twins with_types_in dacapo_guest::bindings);
