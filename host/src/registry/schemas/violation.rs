//! What is wrong with a value, in words for whoever made it.

use std::fmt;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;

/// How many violations are told of at most.
const MOST: usize = 8;

/// How many branches of an `anyOf` or `oneOf` are told of at most.
const BRANCHES: usize = 4;

/// How many characters one violation is told in at most: schemas and names of members may be long.
const LONGEST: usize = 400;

/// Everything that is wrong with one value, or the first part of it. Written a line each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations {
    told: Vec<Violation>,
    more: bool,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Violation {
    /// Where in the value, as a JSON pointer; empty for the value as a whole.
    pointer: String,
    /// What was expected there.
    what: String,
}

impl Violations {
    /// What is wrong with a value as a whole.
    pub(super) fn whole(what: &str) -> Self {
        Self { told: vec![Violation { pointer: String::new(), what: shortened(what) }], more: false }
    }

    pub(super) fn of<'a>(errors: impl Iterator<Item = ValidationError<'a>>) -> Self {
        let mut errors = errors.fuse();
        let told = errors
            .by_ref()
            .take(MOST)
            .map(|error| Violation { pointer: error.instance_path().to_string(), what: shortened(&said(&error)) });
        Self { told: told.collect(), more: errors.next().is_some() }
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Violation { pointer, what }) in self.told.iter().enumerate() {
            let line = if index == 0 { "" } else { "\n" };
            write!(f, "{line}at \"{}\": {what}", shortened(pointer))?;
        }
        if self.more { f.write_str("\nand more") } else { Ok(()) }
    }
}

/// What an error says, without the value itself, which may be long or secret.
pub(super) fn said(error: &ValidationError<'_>) -> String {
    let text = alone(error);
    let (ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context }) = error.kind() else {
        return text;
    };
    let branches = context.iter().filter_map(|branch| branch.first()).take(BRANCHES).map(|first| {
        let path = first.instance_path();
        if path == error.instance_path() { alone(first) } else { format!("at \"{path}\", {}", alone(first)) }
    });
    format!("{text} ({})", branches.collect::<Vec<_>>().join("; or "))
}

fn alone(error: &ValidationError<'_>) -> String {
    match error.kind() {
        // The library names two of them at most.
        ValidationErrorKind::Enum { options } => format!("the value is none of {options}"),
        _ => error.masked_with("the value").to_string(),
    }
}

/// A text of bounded length.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
