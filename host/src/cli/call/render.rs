//! What a call came to, and how far it has come, as people read it.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use serde::ser::Serializer;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::output::{Text, clean, clean_line, size};
use super::client::Progress;

/// How finely a bar shows progress.
const STEPS: u32 = 1_000;

/// Progress on standard error, where that is a terminal.
#[derive(Debug, Default)]
pub(super) struct Bar(Option<ProgressBar>);

impl Bar {
    /// Shows a report.
    pub(super) fn report(&mut self, report: &Progress) {
        if !std::io::stderr().is_terminal() {
            return;
        }
        let bar = self
            .0
            .get_or_insert_with(|| ProgressBar::with_draw_target(Some(STEPS.into()), ProgressDrawTarget::stderr()));
        let total = report.total.filter(|total| *total > 0.0);
        let template = if total.is_some() { "[{bar:30}] {wide_msg}" } else { "{spinner} {wide_msg}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        let message =
            report.message.as_deref().map(|message| format!(" · {}", clean_line(message))).unwrap_or_default();
        let progress = report.progress;
        match total {
            Some(total) => {
                bar.set_message(format!("{progress} of {total}{message}"));
                bar.set_position(part(progress / total));
            }
            None => bar.set_message(format!("{progress}{message}")),
        }
        bar.tick();
    }

    /// Takes the bar away.
    pub(super) fn clear(&mut self) {
        if let Some(bar) = self.0.take() {
            bar.finish_and_clear();
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between none and all of the steps")]
fn part(of_all: f64) -> u64 {
    (of_all.clamp(0.0, 1.0) * f64::from(STEPS)) as u64
}

/// JSON as the server wrote it, its members in their order, laid out anew.
pub(super) struct Laid<'a>(pub(super) &'a RawValue);

impl Serialize for Laid<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut json = serde_json::Deserializer::from_str(self.0.get());
        serde_transcode::transcode(&mut json, serializer)
    }
}

/// Writes a result: its texts as they are, its data as JSON, and of everything else what it is.
pub(super) fn result(page: &mut Text, json: &RawValue) {
    let result: Value = serde_json::from_str(json.get()).unwrap_or_default();
    let list = |name: &str| result.get(name).and_then(Value::as_array).into_iter().flatten();
    let data = result.get("structuredContent");
    for block in list("content") {
        // A text that says the same as the data is there for clients that do not read data.
        if data.is_some() && block_text(block).and_then(|text| serde_json::from_str(text).ok()).as_ref() == data {
            continue;
        }
        self::block(page, block);
    }
    if data.is_some() {
        let members: Option<std::collections::HashMap<String, &RawValue>> = serde_json::from_str(json.get()).ok();
        let data = members.and_then(|members| members.get("structuredContent").copied());
        page.line(clean(&data.and_then(|data| serde_json::to_string_pretty(&Laid(data)).ok()).unwrap_or_default()));
    }
    for message in list("messages") {
        let role = clean_line(message.get("role").and_then(Value::as_str).unwrap_or("?"));
        let role = page.bold(format_args!("{role}:"));
        page.line(role);
        block(page, message.get("content").unwrap_or(&Value::Null));
    }
    list("contents").for_each(|contents| resource(page, contents));
}

fn block_text(block: &Value) -> Option<&str> {
    block.get("text").and_then(Value::as_str)
}

fn block(page: &mut Text, block: &Value) {
    let text = |name: &str| block.get(name).and_then(Value::as_str).unwrap_or("?");
    match text("type") {
        "text" => page.line(clean(text("text"))),
        kind @ ("image" | "audio") => {
            let what = format!("[{kind}: {}, {}]", clean_line(text("mimeType")), size(decoded(text("data"))));
            let what = page.dim(what);
            page.line(what);
        }
        "resource_link" => {
            let what = page.dim(format_args!("[resource {}: {}]", clean_line(text("name")), clean_line(text("uri"))));
            page.line(what);
        }
        "resource" => resource(page, block.get("resource").unwrap_or(&Value::Null)),
        other => {
            let what = page.dim(format_args!("[{}]", clean_line(other)));
            page.line(what);
        }
    }
}

fn resource(page: &mut Text, contents: &Value) {
    let member = |name: &str| contents.get(name).and_then(Value::as_str);
    let media = member("mimeType").map(|media| format!(", {}", clean_line(media))).unwrap_or_default();
    let bytes = match (member("text"), member("blob")) {
        (Some(text), _) => u64::try_from(text.len()).unwrap_or(u64::MAX),
        (None, blob) => decoded(blob.unwrap_or_default()),
    };
    let what = format!("[resource {}{media}, {}]", clean_line(member("uri").unwrap_or("?")), size(bytes));
    let what = page.dim(what);
    page.line(what);
    if let Some(text) = member("text") {
        page.line(clean(text));
    }
}

/// How many bytes a Base64 text stands for.
fn decoded(base64: &str) -> u64 {
    let digits = base64.trim_end_matches('=').len();
    u64::try_from(digits * 3 / 4).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(json: &str) -> String {
        let mut page = Text::plain();
        result(&mut page, &RawValue::from_string(json.to_owned()).unwrap());
        page.to_string()
    }

    #[test]
    fn texts_are_printed_and_other_blocks_named() {
        let page = rendered(
            r#"{"content": [{"type": "text", "text": "a\u001b[2Jb"}, {"type": "image", "mimeType": "image/png", "data": "AAAA"},
            {"type": "resource_link", "uri": "x:y", "name": "n"},
            {"type": "resource", "resource": {"uri": "x:z", "text": "t"}}]}"#,
        );
        assert_eq!(page, "a␛[2Jb\n[image: image/png, 3 B]\n[resource n: x:y]\n[resource x:z, 1 B]\nt\n");
    }

    #[test]
    fn data_keeps_its_order_and_is_not_said_twice() {
        let page = rendered(
            r#"{"content": [{"type": "text", "text": "{\"a\": 2, \"b\": 1}"}], "structuredContent": {"b":1,"a":2}}"#,
        );
        assert_eq!(page, "{\n  \"b\": 1,\n  \"a\": 2\n}\n");
    }
}
