//! Returns a gibibyte, in two ways: by having it, and by saying of one mebibyte a thousand times that it is part of the
//! result. The second costs the guest next to nothing, and a host that copied it all would pay for it.

use std::mem::ManuallyDrop;

use dacapo_guest::bindings::dacapo::handler::content::{ContentBlock, TextContent};
use dacapo_guest::bindings::exports::dacapo::handler::tools::{Guest, ProtocolError, Tool, ToolResult};

const GIBIBYTE: usize = 1 << 30;
const MEBIBYTE: usize = 1 << 20;

struct Giant;

impl Guest for Giant {
    fn list_tools() -> Vec<Tool> {
        ["have-a-gibibyte", "claim-a-gibibyte"].map(tool).into()
    }

    fn call_tool(name: String, _arguments: String) -> Result<ToolResult, ProtocolError> {
        let content = if name == "have-a-gibibyte" {
            vec![block("x".repeat(GIBIBYTE))]
        } else {
            let piece = ManuallyDrop::new("x".repeat(MEBIBYTE));
            (0..GIBIBYTE / MEBIBYTE).map(|_| block(again(&piece))).collect()
        };
        Ok(ToolResult { content, structured_content: None, is_error: false, meta: None })
    }
}

/// The same text once more, as if it were another.
#[expect(unsafe_code, reason = "it is a lie; the host must not get as far as giving the memory back")]
fn again(text: &str) -> String {
    // SAFETY: none. No `String` made here is ever dropped by this guest, for the host ends it first.
    unsafe { String::from_raw_parts(text.as_ptr().cast_mut(), text.len(), text.len()) }
}

fn block(text: String) -> ContentBlock {
    ContentBlock::Text(TextContent { text, annotations: None, meta: None })
}

fn tool(name: &str) -> Tool {
    Tool {
        name: name.to_owned(),
        title: None,
        description: None,
        input_schema: r#"{"type":"object"}"#.to_owned(),
        output_schema: None,
        annotations: None,
        icons: Vec::new(),
        meta: None,
    }
}

dacapo_guest::bindings::export_tools!(Giant with_types_in dacapo_guest::bindings);
