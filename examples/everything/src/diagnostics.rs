//! Tools that show what a server does besides answering: refusing, streaming, telling.

use dacapo_guest::deprecated::Sampling;
use dacapo_guest::prelude::*;

use crate::questions::{Confirmation, declined};

/// Needs a client with a model to ask. Others are refused with an error that names what they lack.
#[tool(name = "test_missing_capability")]
pub(crate) fn missing_capability(ctx: &Context) -> Result<String> {
    let (said,) = ctx.request_inputs((Sampling::new(10).user("Say hello."),));
    Ok(said?.text())
}

/// Reports progress, then asks a question.
#[tool(name = "test_streaming_elicitation")]
pub(crate) fn streaming_elicitation(ctx: &Context) -> Result<String> {
    ctx.percent_progress().emit_with(0.5, "about to ask")?;
    let Confirmation { ok } = ctx.elicit("Shall it go on?").accepted().ok_or_else(declined)?;
    Ok(format!("Confirmed: {ok}"))
}

/// Prints a line. It goes to the host's log, and never to a client.
#[tool(name = "test_logging_tool", read_only = true)]
pub(crate) fn logging() -> &'static str {
    println!("the logging tool was called");
    "A line was written to the host's log."
}

/// Tells clients that the list of tools may have changed.
#[tool(name = "test_trigger_tool_change")]
pub(crate) fn trigger_tool_change(ctx: &Context) -> &'static str {
    ctx.list_changed(ListKind::Tools);
    "Announced a change of the tools."
}

/// Tells clients that the list of prompts may have changed.
#[tool(name = "test_trigger_prompt_change")]
pub(crate) fn trigger_prompt_change(ctx: &Context) -> &'static str {
    ctx.list_changed(ListKind::Prompts);
    "Announced a change of the prompts."
}
