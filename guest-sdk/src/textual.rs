//! Rust types that a text stands for: arguments of prompts and variables of resource templates are texts on the wire.

use crate::choice::Choosable;

/// Texts by name, as they come over the wire.
pub type Texts = [(String, String)];

/// Why a text was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// There is none.
    #[error("`{name}` is missing; it is required")]
    Missing {
        /// Whose text it is.
        name: String,
    },
    /// It doesn't stand for a value of the type.
    #[error("`{name}` is `{value}`; expected {expected}")]
    Unfit {
        /// Whose text it is.
        name: String,
        /// The text.
        value: String,
        /// What was expected.
        expected: String,
    },
}

/// A type that a text stands for: `String`, `bool`, `char`, all integers and floats, and enums with `#[derive(Choice)]`.
///
/// It may be implemented for other types by hand.
#[diagnostic::on_unimplemented(
    message = "a text can't stand for a value of type `{Self}`",
    label = "not a type that is read from a text",
    note = "such a field is a `String`, a number, `bool`, `char`, an enum with `#[derive(Choice)]`, or a type of your own with `Textual`"
)]
pub trait Textual: Sized {
    /// What is expected, for an error: `an integer`.
    const EXPECTED: &'static str;

    /// The values that there are to choose from, where that is a fixed set.
    const CHOICES: &'static [Choosable] = &[];

    /// The value that `text` stands for; `None` if there is none.
    #[must_use]
    fn from_text(text: &str) -> Option<Self>;
}

/// A type that a prompt's argument can have: a [`Textual`], or an `Option` of one.
#[diagnostic::on_unimplemented(
    message = "a text can't stand for a value of type `{Self}`",
    label = "not a type that is read from a text",
    note = "such a field is a `String`, a number, `bool`, `char`, an enum with `#[derive(Choice)]`, or a type of your own with `Textual`, or an `Option` of one of those"
)]
pub trait TextualField: Sized {
    /// Whether the text must be there.
    const REQUIRED: bool;

    /// The values that there are to choose from, where that is a fixed set.
    const CHOICES: &'static [Choosable];

    /// The value that stands under `name` in `texts`.
    ///
    /// # Errors
    /// When a required text is missing, or doesn't stand for a value.
    fn read(texts: &Texts, name: &str) -> Result<Self, TextError>;
}

#[diagnostic::do_not_recommend]
impl<T: Textual> TextualField for T {
    const REQUIRED: bool = true;
    const CHOICES: &'static [Choosable] = T::CHOICES;

    fn read(texts: &Texts, name: &str) -> Result<Self, TextError> {
        find(texts, name)?.ok_or_else(|| TextError::Missing { name: name.to_owned() })
    }
}

impl<T: Textual> TextualField for Option<T> {
    const REQUIRED: bool = false;
    const CHOICES: &'static [Choosable] = T::CHOICES;

    fn read(texts: &Texts, name: &str) -> Result<Self, TextError> {
        find(texts, name)
    }
}

fn find<T: Textual>(texts: &Texts, name: &str) -> Result<Option<T>, TextError> {
    let Some((_, value)) = texts.iter().find(|(key, _)| key == name) else { return Ok(None) };
    match T::from_text(value) {
        Some(value) => Ok(Some(value)),
        None => Err(TextError::Unfit { name: name.to_owned(), value: value.clone(), expected: expected::<T>() }),
    }
}

fn expected<T: Textual>() -> String {
    if T::CHOICES.is_empty() {
        return T::EXPECTED.to_owned();
    }
    let values: Vec<&str> = T::CHOICES.iter().map(|choice| choice.value).collect();
    format!("one of {}", values.join(", "))
}

macro_rules! textual {
    ($($expected:literal: $($type:ty),+;)+) => {$($(
        impl Textual for $type {
            const EXPECTED: &'static str = $expected;

            fn from_text(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        }
    )+)+};
}

textual! {
    "a text": String;
    "one character": char;
    "true or false": bool;
    "an integer from -128 to 127": i8;
    "an integer from -32768 to 32767": i16;
    "an integer of 32 bits": i32;
    "an integer of 64 bits": i64;
    "an integer of 128 bits": i128;
    "an integer from 0 to 255": u8;
    "an integer from 0 to 65535": u16;
    "a non-negative integer of 32 bits": u32;
    "a non-negative integer of 64 bits": u64;
    "a non-negative integer of 128 bits": u128;
    "a number": f32, f64;
}
