//! What a tool may return: a text, a block, several blocks, an error; and progress on the way.

use std::thread::sleep;
use std::time::Duration;

use dacapo_guest::prelude::*;

use crate::samples::{PIXEL, PNG, SILENCE, WAV};

/// Returns a text.
#[tool(name = "test_simple_text", title = "A text", read_only = true)]
pub(crate) fn simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Returns a picture.
#[tool(name = "test_image_content", read_only = true)]
pub(crate) fn image_content() -> Content {
    Content::image(PIXEL, PNG)
}

/// Returns a sound.
#[tool(name = "test_audio_content", read_only = true)]
pub(crate) fn audio_content() -> Content {
    Content::audio(SILENCE, WAV)
}

/// Returns a resource, carried along.
#[tool(name = "test_embedded_resource", read_only = true)]
pub(crate) fn embedded_resource() -> Content {
    Content::resource_text("test://embedded-resource", "text/plain", "This resource came along with the result.")
}

/// Returns a text, a picture and a resource, with hints on how to use them.
#[tool(name = "test_multiple_content_types", read_only = true)]
pub(crate) fn multiple_content_types() -> Vec<Content> {
    vec![
        Content::text("A text, a picture and a resource:").audience([Role::User, Role::Assistant]),
        Content::image(PIXEL, PNG).audience([Role::User]).priority(0.2),
        Content::resource_text("test://mixed-content-resource", "application/json", r#"{"mixed":true}"#)
            .meta([("dacapo.example/part", 3)]),
    ]
}

/// Fails. The model sees the text.
#[tool(name = "test_error_handling", read_only = true)]
pub(crate) fn error_handling() -> Result<String> {
    Err(ToolError::new("This tool always fails, to show what that looks like."))
}

/// Reports progress three times, 50 milliseconds apart.
#[tool(name = "test_tool_with_progress", read_only = true)]
pub(crate) fn tool_with_progress(ctx: &Context) -> Result<String> {
    let progress = ctx.integer_progress(Some(100));
    progress.emit_with(0, "started")?;
    for (done, message) in [(50, "half of it"), (100, "done")] {
        sleep(Duration::from_millis(50));
        progress.emit_with(done, message)?;
    }
    Ok("Reported 0, 50 and 100 of 100.".to_owned())
}
