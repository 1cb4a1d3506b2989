//! Rust types that a field of a form can have.

use crate::answers::{AnswerError, Answers};
use crate::choice::{Choice, Choosable};
use crate::field::{self, Choosing, Field, Format, Kind};

/// A type that a required field can have.
#[diagnostic::on_unimplemented(
    message = "a form can't have a field of type `{Self}`",
    label = "not a type that a form can ask for",
    note = "forms are flat: a field is a `String`, an integer (`i8` to `i64`, `u8` to `u32`), `f32`, `f64`, `bool`, an enum with `#[derive(Choice)]`, a `Vec` of such an enum, or an `Option` of one of those"
)]
pub trait FormValue: Sized {
    /// The kind of field that asks for it.
    type Kind: Kind;

    /// The field that asks for it.
    fn field(name: &str) -> Field<Self::Kind>;

    /// The same field, showing `value` at first.
    fn preset(field: Field<Self::Kind>, value: Self) -> Field<Self::Kind>;

    /// The field's value in `answers`; `None` if it was left out.
    ///
    /// # Errors
    /// When the value is of another kind, or doesn't fit the type.
    fn read(answers: &Answers, name: &str) -> Result<Option<Self>, AnswerError>;
}

/// A type that a field can have: a [`FormValue`], or an `Option` of one.
#[diagnostic::on_unimplemented(
    message = "a form can't have a field of type `{Self}`",
    label = "not a type that a form can ask for",
    note = "forms are flat: a field is a `String`, an integer (`i8` to `i64`, `u8` to `u32`), `f32`, `f64`, `bool`, an enum with `#[derive(Choice)]`, a `Vec` of such an enum, or an `Option` of one of those"
)]
pub trait FormField: Sized {
    /// The type without its `Option`.
    type Value: FormValue;

    /// The field that asks for it.
    fn field(name: &str) -> Field<<Self::Value as FormValue>::Kind>;

    /// The field's value in `answers`.
    ///
    /// # Errors
    /// When a required value is missing, is of another kind, or doesn't fit the type.
    fn read(answers: &Answers, name: &str) -> Result<Self, AnswerError>;
}

#[diagnostic::do_not_recommend]
impl<T: FormValue> FormField for T {
    type Value = T;

    fn field(name: &str) -> Field<T::Kind> {
        T::field(name)
    }

    fn read(answers: &Answers, name: &str) -> Result<Self, AnswerError> {
        T::read(answers, name)?.ok_or_else(|| AnswerError::Missing { name: name.to_owned() })
    }
}

impl<T: FormValue> FormField for Option<T> {
    type Value = T;

    fn field(name: &str) -> Field<T::Kind> {
        T::field(name).optional()
    }

    fn read(answers: &Answers, name: &str) -> Result<Self, AnswerError> {
        T::read(answers, name)
    }
}

/// A number, whose fields take `min` and `max`.
#[diagnostic::on_unimplemented(
    message = "`min` and `max` fit numbers, not a field of type `{Self}`",
    label = "this field is no number",
    note = "the number of characters is bounded by `min_length` and `max_length`, that of chosen values by `min_items` and `max_items`"
)]
pub trait NumberValue: FormValue {
    /// The type of a bound: this one, so that no bound lies outside of it.
    type Bound;

    /// The same field with a least value.
    fn min(field: Field<Self::Kind>, least: Self::Bound) -> Field<Self::Kind>;

    /// The same field with a greatest value.
    fn max(field: Field<Self::Kind>, greatest: Self::Bound) -> Field<Self::Kind>;
}

/// A text, whose fields take `min_length`, `max_length` and `format`.
#[diagnostic::on_unimplemented(
    message = "`min_length`, `max_length` and `format` fit texts, not a field of type `{Self}`",
    label = "this field is no text"
)]
pub trait TextValue: FormValue {
    /// The same field with a least number of characters.
    fn min_length(field: Field<Self::Kind>, characters: u32) -> Field<Self::Kind>;

    /// The same field with a greatest number of characters.
    fn max_length(field: Field<Self::Kind>, characters: u32) -> Field<Self::Kind>;

    /// The same field with a format.
    fn format(field: Field<Self::Kind>, format: Format) -> Field<Self::Kind>;
}

/// A list, whose fields take `min_items` and `max_items`.
#[diagnostic::on_unimplemented(
    message = "`min_items` and `max_items` fit multiple choices, not a field of type `{Self}`",
    label = "this field is no `Vec`"
)]
pub trait ListValue: FormValue {
    /// The same field with a least number of values.
    fn min_items(field: Field<Self::Kind>, items: u32) -> Field<Self::Kind>;

    /// The same field with a greatest number of values.
    fn max_items(field: Field<Self::Kind>, items: u32) -> Field<Self::Kind>;
}

macro_rules! integers {
    ($($type:ty),+) => {$(
        impl FormValue for $type {
            type Kind = field::Integer;

            fn field(name: &str) -> Field<Self::Kind> {
                // What doesn't fit the type must not pass the form.
                Field::integer(name).min(Self::MIN.into()).max(Self::MAX.into())
            }

            fn preset(field: Field<Self::Kind>, value: Self) -> Field<Self::Kind> {
                field.default(value.into())
            }

            fn read(answers: &Answers, name: &str) -> Result<Option<Self>, AnswerError> {
                let narrow = |value: i64| {
                    let expected = stringify!($type);
                    Self::try_from(value).map_err(|_| AnswerError::OutOfRange { name: name.to_owned(), value, expected })
                };
                answers.integer(name)?.map(narrow).transpose()
            }
        }

    )+};
}

integers!(i8, i16, i32, u8, u16, u32);

macro_rules! numbers {
    ($($type:ty),+) => {$(
        impl NumberValue for $type {
            type Bound = Self;

            fn min(field: Field<Self::Kind>, least: Self) -> Field<Self::Kind> {
                field.min(least.into())
            }

            fn max(field: Field<Self::Kind>, greatest: Self) -> Field<Self::Kind> {
                field.max(greatest.into())
            }
        }
    )+};
}

numbers!(i8, i16, i32, i64, u8, u16, u32, f32, f64);

impl FormValue for i64 {
    type Kind = field::Integer;

    fn field(name: &str) -> Field<Self::Kind> {
        Field::integer(name)
    }

    fn preset(field: Field<Self::Kind>, value: Self) -> Field<Self::Kind> {
        field.default(value)
    }

    fn read(answers: &Answers, name: &str) -> Result<Option<Self>, AnswerError> {
        answers.integer(name)
    }
}

impl FormValue for f64 {
    type Kind = field::Number;

    fn field(name: &str) -> Field<Self::Kind> {
        Field::number(name)
    }

    fn preset(field: Field<Self::Kind>, value: Self) -> Field<Self::Kind> {
        field.default(value)
    }

    fn read(answers: &Answers, name: &str) -> Result<Option<Self>, AnswerError> {
        answers.number(name)
    }
}

impl FormValue for f32 {
    type Kind = field::Number;

    fn field(name: &str) -> Field<Self::Kind> {
        Field::number(name)
    }

    fn preset(field: Field<Self::Kind>, value: Self) -> Field<Self::Kind> {
        field.default(value.into())
    }

    #[expect(clippy::cast_possible_truncation, reason = "an author who takes an f32 asks for the nearest one")]
    fn read(answers: &Answers, name: &str) -> Result<Option<Self>, AnswerError> {
        Ok(answers.number(name)?.map(|number| number as Self))
    }
}

impl FormValue for bool {
    type Kind = field::Boolean;

    fn field(name: &str) -> Field<Self::Kind> {
        Field::boolean(name)
    }

    fn preset(field: Field<Self::Kind>, value: Self) -> Field<Self::Kind> {
        field.default(value)
    }

    fn read(answers: &Answers, name: &str) -> Result<Option<Self>, AnswerError> {
        answers.boolean(name)
    }
}

impl FormValue for String {
    type Kind = field::Text;

    fn field(name: &str) -> Field<Self::Kind> {
        Field::text(name)
    }

    fn preset(field: Field<Self::Kind>, value: Self) -> Field<Self::Kind> {
        field.default(value)
    }

    fn read(answers: &Answers, name: &str) -> Result<Option<Self>, AnswerError> {
        Ok(answers.text(name)?.map(str::to_owned))
    }
}

impl TextValue for String {
    fn min_length(field: Field<Self::Kind>, characters: u32) -> Field<Self::Kind> {
        field.min_length(characters)
    }

    fn max_length(field: Field<Self::Kind>, characters: u32) -> Field<Self::Kind> {
        field.max_length(characters)
    }

    fn format(field: Field<Self::Kind>, format: Format) -> Field<Self::Kind> {
        field.format(format)
    }
}

impl<C: Choice> ListValue for Vec<C> {
    fn min_items(field: Field<Self::Kind>, items: u32) -> Field<Self::Kind> {
        field.min_items(items)
    }

    fn max_items(field: Field<Self::Kind>, items: u32) -> Field<Self::Kind> {
        field.max_items(items)
    }
}

impl<C: Choice> FormValue for Vec<C> {
    type Kind = field::MultipleChoice;

    fn field(name: &str) -> Field<Self::Kind> {
        offer::<C, _>(Field::choices(name))
    }

    fn preset(field: Field<Self::Kind>, value: Self) -> Field<Self::Kind> {
        field.default(value.iter().map(C::value))
    }

    fn read(answers: &Answers, name: &str) -> Result<Option<Self>, AnswerError> {
        let all = |values: &[String]| values.iter().map(|value| chosen(name, value)).collect();
        answers.choices(name)?.map(all).transpose()
    }
}

/// The field of a single choice; what `#[derive(Choice)]` makes a [`FormValue`] of.
#[doc(hidden)]
#[must_use]
pub fn single_choice<C: Choice>(name: &str) -> Field<field::SingleChoice> {
    offer::<C, _>(Field::choice(name))
}

/// The value of a single choice.
#[doc(hidden)]
pub fn read_single_choice<C: Choice>(answers: &Answers, name: &str) -> Result<Option<C>, AnswerError> {
    answers.choice(name)?.map(|value| chosen(name, value)).transpose()
}

/// `field` with all of `C` to choose from.
fn offer<C: Choice, K: Choosing>(field: Field<K>) -> Field<K> {
    C::OPTIONS.iter().fold(field, |field, option| match option.title {
        Some(title) => field.titled(option.value, title),
        None => field.value(option.value),
    })
}

/// The variant that `value` stands for.
fn chosen<C: Choice>(name: &str, value: &str) -> Result<C, AnswerError> {
    C::from_value(value).ok_or_else(|| {
        let values: Vec<&str> = C::OPTIONS.iter().map(|Choosable { value, .. }| *value).collect();
        AnswerError::NotAChoice { name: name.to_owned(), value: value.to_owned(), expected: values.join(", ") }
    })
}
