//! Passes bytes off as text wherever the contract wants text.

use std::io::Write;

use dacapo_guest::bindings::dacapo::handler::{announcements, once, progress};
use dacapo_guest::prelude::*;

/// Where to put the bytes.
#[derive(Deserialize, JsonSchema)]
struct Target {
    /// Where to put them
    place: Place,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Place {
    Result,
    Question,
    Progress,
    KeptName,
    KeptValue,
    Announcement,
    Output,
}

/// Any question will do.
#[derive(Form)]
#[expect(dead_code, reason = "no matter what the answer is")]
struct GoOn {
    /// Whether to go on
    go_on: bool,
}

/// Passes bytes off as text.
#[tool]
fn garble(ctx: &Context, Target { place }: Target) -> Result<String> {
    match place {
        Place::Result => return Ok(garbled()),
        Place::Question => drop(ctx.elicit::<GoOn>(garbled())),
        Place::Progress => drop(progress::report(1.0, None, Some(&garbled()))),
        Place::KeptName => drop(once::remember(&garbled(), "1")),
        Place::KeptValue => drop(once::remember("name", &garbled())),
        Place::Announcement => announcements::resource_updated(&garbled()),
        // Here bytes are meant.
        Place::Output => std::io::stdout().write_all(b"garbled: \xff\xc0\x80\xed\xa0\x80\n")?,
    }
    Ok("nobody minded".to_owned())
}

/// Bytes that are no UTF-8.
#[expect(unsafe_code, reason = "it is a lie, and the host must notice")]
fn garbled() -> String {
    let bytes = std::hint::black_box(b"\"\xff\xc0\x80\xed\xa0\x80\"".to_vec());
    // SAFETY: none. Nothing in this guest looks at the text.
    unsafe { String::from_utf8_unchecked(bytes) }
}

dacapo_guest::handlers! { tools: [garble] }
