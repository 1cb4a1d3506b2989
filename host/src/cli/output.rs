//! How commands show what they came to: plain text for people, one JSON document with `--json`, and an exit code.
//!
//! What a command has to say goes to standard output, once, at its end; progress, questions and errors go to standard
//! error. Text that others wrote (a server, a component, an error of theirs) is [cleaned](clean) on its way.

use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use serde::Serialize;

/// What `dacapo --help` says about exit codes.
pub(super) const EXIT_CODES: &str = "Exit codes:
  0  done
  1  it failed, or was refused
  2  the command line is wrong
  3  the server can't be reached, or something else answers at its address
  130  interrupted (Ctrl-C)";

/// The command line is wrong in a way that only the command could tell: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Usage(pub(super) String);

/// The server can't be reached, or what answers is no such server: exit code 3.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Unreachable(pub(super) String);

/// It failed, and what was shown says so: exit code 1, and no further word.
#[derive(Debug, thiserror::Error)]
#[error("it failed; what was shown says how")]
pub(super) struct Shown;

/// The user pressed Ctrl-C at a question: exit code 130, as of a program that the signal ended.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub(super) struct Interrupted;

/// How to show things.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    json: bool,
    colour: bool,
}

impl Output {
    /// As JSON or as text. Text has colours where standard output is a terminal and `NO_COLOR` is not set.
    pub(super) fn new(json: bool) -> Self {
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self { json, colour: !json && !no_colour && io::stdout().is_terminal() }
    }

    /// Whether a program reads.
    pub(super) fn is_json(self) -> bool {
        self.json
    }

    /// Shows a result: `value` to programs, what `text` writes to people.
    ///
    /// # Errors
    ///
    /// When it can't be written. A reader that has left (`| head`) is no error.
    pub(super) fn show<T: Serialize + ?Sized>(self, value: &T, text: impl FnOnce(&mut Text)) -> anyhow::Result<()> {
        let shown = if self.json {
            let mut json = without_controls(&serde_json::to_string_pretty(value)?);
            json.push('\n');
            json
        } else {
            let mut page = Text { text: String::new(), colour: self.colour };
            text(&mut page);
            page.text
        };
        let mut out = io::stdout().lock();
        match out.write_all(shown.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(anyhow::Error::new(error).context("can't write to standard output"))
            }
            _ => Ok(()),
        }
    }

    /// Says why a command failed, on standard error, and with which code to exit.
    pub(super) fn fail(self, error: &anyhow::Error) -> ExitCode {
        let is = |code: u8| ExitCode::from(code);
        if error.is::<Shown>() {
            return is(1);
        }
        let code = if error.is::<Usage>() {
            2
        } else if error.is::<Unreachable>() {
            3
        } else if error.is::<Interrupted>() {
            130
        } else {
            1
        };
        let message = format!("{error:#}");
        if self.json {
            let error = serde_json::json!({ "error": { "exitCode": code, "message": message } });
            eprintln!("{}", without_controls(&format!("{error:#}")));
        } else {
            eprintln!("error: {}", clean(&message));
        }
        is(code)
    }
}

/// A page of text for people.
#[derive(Debug)]
pub(super) struct Text {
    text: String,
    colour: bool,
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Text {
    /// An empty page without colours.
    #[cfg(test)]
    pub(super) fn plain() -> Self {
        Self { text: String::new(), colour: false }
    }

    /// Adds a line.
    pub(super) fn line(&mut self, line: impl fmt::Display) {
        // Writing to a string does not fail.
        let _infallible = writeln!(self.text, "{line}");
    }

    /// A heading, or what matters most in a line.
    pub(super) fn bold(&self, text: impl fmt::Display) -> String {
        self.painted("1", text)
    }

    /// What is there for completeness.
    pub(super) fn dim(&self, text: impl fmt::Display) -> String {
        self.painted("2", text)
    }

    /// What went well.
    pub(super) fn good(&self, text: impl fmt::Display) -> String {
        self.painted("32", text)
    }

    /// What went wrong.
    pub(super) fn bad(&self, text: impl fmt::Display) -> String {
        self.painted("31", text)
    }

    fn painted(&self, code: &str, text: impl fmt::Display) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }

    /// Adds rows whose columns stand one below the other, the first row as a heading. Cells are one line each; what is
    /// not safe to print in them is replaced.
    pub(super) fn table<const N: usize>(&mut self, heading: [&str; N], rows: impl IntoIterator<Item = [String; N]>) {
        let rows: Vec<[String; N]> = rows.into_iter().map(|row| row.map(|cell| clean_line(&cell))).collect();
        let mut widths = heading.map(|cell| cell.chars().count());
        for row in &rows {
            widths.iter_mut().zip(row).for_each(|(width, cell)| *width = (*width).max(cell.chars().count()));
        }
        let aligned = |row: [&str; N]| {
            let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        let heading = self.bold(aligned(heading));
        self.line(heading);
        for row in &rows {
            self.line(aligned(row.each_ref().map(String::as_str)));
        }
    }

    /// Adds a name and what stands under it, the values of consecutive calls aligned.
    pub(super) fn field(&mut self, name: &str, value: impl fmt::Display) {
        let name = self.dim(format_args!("{name:<12}"));
        self.line(format_args!("{name} {value}"));
    }

    /// Adds text of several lines, each indented by two spaces.
    pub(super) fn indented(&mut self, text: &str) {
        text.lines().for_each(|line| self.line(format_args!("  {line}")));
    }
}

/// Text that others wrote, made safe for a terminal: control characters, and characters that turn the direction of writing,
/// are shown as what they are instead of being obeyed. Line ends and tabs stay.
pub(super) fn clean(text: &str) -> String {
    text.replace("\r\n", "\n").chars().map(|c| if matches!(c, '\n' | '\t') { c } else { harmless(c) }).collect()
}

/// As [`clean`], on one line.
pub(super) fn clean_line(text: &str) -> String {
    text.trim().chars().map(|c| if c.is_whitespace() { ' ' } else { harmless(c) }).collect()
}

fn harmless(c: char) -> char {
    match c {
        // Unicode has a picture of each ASCII control character.
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\x7f' => '\u{2421}',
        c if is_control(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// Whether a terminal, or its reader, may take a character for more than itself.
fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// JSON without a control character but its line ends: such characters stand in strings only, which can escape them.
fn without_controls(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        if c != '\n' && is_control(c) {
            let _infallible = write!(safe, "\\u{:04x}", u32::from(c));
        } else {
            safe.push(c);
        }
    }
    safe
}

/// Bytes as people read them.
pub(super) fn size(bytes: u64) -> String {
    bytesize::ByteSize(bytes).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown_instead() {
        assert_eq!(clean("a\x1b[31mb\x07\r\nc\td\u{9b}2J\u{202e}"), "a␛[31mb␇\nc\td\u{fffd}2J\u{fffd}");
        assert_eq!(clean_line(" a\nb\x1b]0;c "), "a b␛]0;c");
        assert_eq!(clean("Grüße, 世界 🎉"), "Grüße, 世界 🎉");
    }

    #[test]
    fn json_stays_the_same_json_without_control_characters() {
        let value = serde_json::json!({"a\u{9b}": "\x1b[31m\u{202e}x\u{7f}"});
        let safe = without_controls(&serde_json::to_string_pretty(&value).unwrap());
        assert!(safe.chars().all(|c| c == '\n' || !is_control(c)), "{safe}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).unwrap(), value);
    }

    #[test]
    fn columns_stand_one_below_the_other() {
        let mut page = Text::plain();
        page.table(["NAME", "N"], [["long-name".to_owned(), "1".to_owned()], ["x\ny".to_owned(), String::new()]]);
        assert_eq!(page.text, "NAME       N\nlong-name  1\nx y\n");
    }

    #[test]
    fn the_exit_code_says_what_kind_of_failure_it_was() {
        let quiet = Output { json: false, colour: false };
        let cases: [(anyhow::Error, u8); 4] = [
            (Shown.into(), 1),
            (anyhow::anyhow!("no"), 1),
            (Usage("no".into()).into(), 2),
            (anyhow::Error::from(Unreachable("no".into())).context("while trying"), 3),
        ];
        for (error, code) in cases {
            assert_eq!(format!("{:?}", quiet.fail(&error)), format!("{:?}", ExitCode::from(code)), "{error:#}");
        }
    }
}
