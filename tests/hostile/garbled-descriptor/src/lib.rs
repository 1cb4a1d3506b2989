//! Passes bytes off as its description.

use dacapo_guest::bindings::exports::dacapo::handler::tools::{Guest, ProtocolError, Tool, ToolResult};

struct Garbled;

impl Guest for Garbled {
    fn list_tools() -> Vec<Tool> {
        vec![Tool {
            name: "garbled".to_owned(),
            title: None,
            description: Some(garbled()),
            input_schema: r#"{"type":"object"}"#.to_owned(),
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

/// Bytes that are no UTF-8.
#[expect(unsafe_code, reason = "it is a lie, and the host must notice")]
fn garbled() -> String {
    let bytes = std::hint::black_box(b"\xff\xc0\x80\xed\xa0\x80".to_vec());
    // SAFETY: none. Nothing in this guest looks at the text.
    unsafe { String::from_utf8_unchecked(bytes) }
}

dacapo_guest::bindings::export_tools!(Garbled with_types_in dacapo_guest::bindings);
