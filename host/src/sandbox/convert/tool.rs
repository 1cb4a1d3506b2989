//! Tools: descriptors and results.

use super::{Malformed, content, json, meta, object, result_meta};
use crate::protocol::tool::{CallToolResult, Tool, ToolAnnotations};
use crate::sandbox::bindings::exports::dacapo::handler::tools;

pub(in crate::sandbox) fn tool(tool: tools::Tool) -> Result<Tool, Malformed> {
    Ok(Tool {
        name: tool.name,
        title: tool.title,
        description: tool.description,
        input_schema: object("its input schema", tool.input_schema)?,
        output_schema: tool.output_schema.map(|schema| object("its output schema", schema)).transpose()?,
        annotations: tool.annotations.map(|hints| ToolAnnotations {
            title: hints.title,
            read_only_hint: hints.read_only,
            destructive_hint: hints.destructive,
            idempotent_hint: hints.idempotent,
            open_world_hint: hints.open_world,
        }),
        icons: tool.icons.into_iter().map(content::icon).collect(),
        meta: meta(tool.meta)?,
    })
}

pub(in crate::sandbox) fn tool_result(result: tools::ToolResult) -> Result<CallToolResult, Malformed> {
    Ok(CallToolResult {
        content: result.content.into_iter().map(content::block).collect::<Result<_, _>>()?,
        structured_content: result.structured_content.map(|text| json("its structured content", text)).transpose()?,
        is_error: result.is_error,
        meta: result_meta(result.meta)?,
    })
}
