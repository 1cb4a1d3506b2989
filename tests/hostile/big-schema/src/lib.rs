//! Has a schema of ten mebibytes, which every client that lists tools would have to read.

use dacapo_guest::bindings::exports::dacapo::handler::tools::{Guest, ProtocolError, Tool, ToolResult};

const SIZE: usize = 10 << 20;

struct Big;

impl Guest for Big {
    fn list_tools() -> Vec<Tool> {
        vec![Tool {
            name: "big".to_owned(),
            title: None,
            description: None,
            input_schema: format!(r#"{{"type":"object","description":"{}"}}"#, "x".repeat(SIZE)),
            output_schema: None,
            annotations: None,
            icons: Vec::new(),
            meta: None,
        }]
    }

    fn call_tool(_name: String, _arguments: String) -> Result<ToolResult, ProtocolError> {
        Ok(ToolResult { content: Vec::new(), structured_content: None, is_error: false, meta: None })
    }
}

dacapo_guest::bindings::export_tools!(Big with_types_in dacapo_guest::bindings);
