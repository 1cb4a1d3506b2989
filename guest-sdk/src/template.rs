//! Matching of URIs against templates (RFC 6570, levels 1 and 2).

use percent_encoding::percent_decode_str;

/// A part of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Text that stands for itself.
    Literal(&'static str),
    /// A variable, whose value is at least one character long.
    Variable {
        /// Its name.
        name: &'static str,
        /// Whether its value may hold reserved characters, such as `/`.
        reserved: bool,
        /// Whether a `#` precedes its value.
        fragment: bool,
    },
}

/// The values of the variables, by name and percent-decoded; `None` if `uri` does not fit.
///
/// Where several readings are possible, each variable takes as much as it can, from the left.
#[must_use]
pub fn values(parts: &[Part], uri: &str) -> Option<Vec<(String, String)>> {
    let Some((part, later)) = parts.split_first() else { return uri.is_empty().then(Vec::new) };
    let (name, reserved, uri) = match *part {
        Part::Literal(text) => return values(later, uri.strip_prefix(text)?),
        Part::Variable { name, reserved, fragment: false } => (name, reserved, uri),
        Part::Variable { name, reserved, fragment: true } => (name, reserved, uri.strip_prefix('#')?),
    };
    let longest = uri.find(|char| !allowed(char, reserved)).unwrap_or(uri.len());
    (1..=longest).rev().find_map(|end| {
        let (value, rest) = uri.split_at_checked(end)?;
        let value = decoded(value)?;
        let mut values = values(later, rest)?;
        values.insert(0, (name.to_owned(), value));
        Some(values)
    })
}

/// Whether an expanded value can hold the character, the `%` of an encoded one included.
fn allowed(char: char, reserved: bool) -> bool {
    char.is_ascii_alphanumeric() || "-._~%".contains(char) || (reserved && ":/?#[]@!$&'()*+,;=".contains(char))
}

/// The text that is percent-encoded; `None` where an encoding is cut short, or what it holds is no UTF-8.
fn decoded(value: &str) -> Option<String> {
    let whole = |at: &str| at.as_bytes().get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
    if !value.split('%').skip(1).all(whole) {
        return None;
    }
    percent_decode_str(value).decode_utf8().ok().map(Into::into)
}
