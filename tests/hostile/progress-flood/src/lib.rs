//! Reports progress as often as it is told to.

use dacapo_guest::prelude::*;

/// How much to report.
#[derive(Deserialize, JsonSchema)]
struct Flood {
    /// How many reports to make
    reports: u64,
    /// How long each report's message is, in bytes
    bytes: usize,
}

/// Reports progress so many times.
#[tool]
fn flood(ctx: &Context, Flood { reports, bytes }: Flood) -> Result<String> {
    let message = "x".repeat(bytes);
    let mut progress = ctx.counting_progress(None);
    for _ in 0..reports {
        progress.emit_with(&message)?;
    }
    Ok(format!("made {reports} reports"))
}

dacapo_guest::handlers! { tools: [flood] }
