//! Where two JSON values differ, field by field, in words of bounded length: what is compared may come from anyone.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use serde_json::Value as Json;

/// How many differences are kept; the others are counted.
const KEPT: usize = 5;
/// How many characters of a path or a value are shown.
const SHOWN: usize = 120;

/// Where one value differs from another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// The first five, in the order of their paths.
    pub first: Vec<Difference>,
    /// How many there are besides.
    pub more: usize,
}

/// One place where two values differ.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Difference {
    /// The place, such as `requestedSchema.properties.email.format` or `items[2]`; empty for the value as a whole. Cut to
    /// 120 characters.
    pub path: String,
    /// The one value's JSON there, cut to 120 characters; nothing where it has none.
    pub one: Option<String>,
    /// The other value's.
    pub other: Option<String>,
}

impl Differences {
    /// Compares two values.
    #[must_use]
    pub fn between(one: &Json, other: &Json) -> Self {
        let mut found = Self::default();
        found.compare("", Some(one), Some(other));
        found
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Writes each difference with `one` and `other` as the names of the two sides: `path: recorded "a", asked "b"`.
    #[must_use]
    pub fn named<'a>(&'a self, one: &'a str, other: &'a str) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            for (index, difference) in self.first.iter().enumerate() {
                let separator = if index == 0 { "" } else { "; " };
                write!(f, "{separator}{}", difference.named(one, other))?;
            }
            if self.more > 0 { write!(f, "; and {} more", self.more) } else { Ok(()) }
        })
    }

    pub(crate) fn add(&mut self, path: &str, one: Option<&Json>, other: Option<&Json>) {
        if self.first.len() == KEPT {
            self.more += 1;
        } else {
            let show = |value: &Json| cut(&value.to_string());
            self.first.push(Difference { path: cut(path), one: one.map(show), other: other.map(show) });
        }
    }

    pub(crate) fn compare(&mut self, path: &str, one: Option<&Json>, other: Option<&Json>) {
        match (one, other) {
            (Some(Json::Object(one)), Some(Json::Object(other))) => {
                let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
                for name in names {
                    self.compare(&member(path, name), one.get(name), other.get(name));
                }
            }
            (Some(Json::Array(one)), Some(Json::Array(other))) => {
                for index in 0..one.len().max(other.len()) {
                    self.compare(&format!("{path}[{index}]"), one.get(index), other.get(index));
                }
            }
            (one, other) if one == other => {}
            (one, other) => self.add(path, one, other),
        }
    }
}

impl Difference {
    /// The difference in words, with names for the two sides.
    #[must_use]
    pub fn named<'a>(&'a self, one: &'a str, other: &'a str) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            let nothing = "nothing";
            let (had, has) = (self.one.as_deref().unwrap_or(nothing), self.other.as_deref().unwrap_or(nothing));
            if !self.path.is_empty() {
                write!(f, "{}: ", self.path)?;
            }
            write!(f, "{one} {had}, {other} {has}")
        })
    }
}

/// The path of a member: by a dot where the name is a plain word, in brackets and quoted where it is not.
fn member(path: &str, name: &str) -> String {
    let is_plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    match (is_plain, path) {
        (true, "") => name.to_owned(),
        (true, path) => format!("{path}.{name}"),
        (false, path) => format!("{path}[{}]", Json::from(cut(name))),
    }
}

/// The text, or its beginning and its length where it is long. What a terminal might obey is escaped.
pub(crate) fn cut(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars().take(SHOWN) {
        match c {
            '"' | '\'' | '\\' => shown.push(c),
            c => shown.extend(c.escape_debug()),
        }
    }
    if text.chars().nth(SHOWN).is_some() {
        // Writing to a string does not fail.
        let _infallible = write!(shown, "… ({} bytes)", text.len());
    }
    shown
}
