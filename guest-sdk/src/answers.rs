//! The values of a form that is filled in.

use crate::bindings::dacapo::handler::elicitation::{Answer, Value};
use crate::value::FormField;

/// Why an answer could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// A required field has no value.
    #[error("the answer has no `{name}`, which the form requires")]
    Missing {
        /// The field.
        name: String,
    },
    /// The field is of another kind.
    #[error("`{name}` holds {found}, but {expected} was expected")]
    OtherKind {
        /// The field.
        name: String,
        /// What was expected.
        expected: &'static str,
        /// What it holds.
        found: &'static str,
    },
    /// The number doesn't fit the Rust type.
    #[error("`{name}` holds {value}, which does not fit the type {expected}")]
    OutOfRange {
        /// The field.
        name: String,
        /// What it holds.
        value: i64,
        /// The Rust type.
        expected: &'static str,
    },
    /// The value is none of those that there were to choose from.
    #[error("`{name}` holds `{value}`; expected one of {expected}")]
    NotAChoice {
        /// The field.
        name: String,
        /// What it holds.
        value: String,
        /// The values that there were.
        expected: String,
    },
    /// The form that was asked has no such field.
    #[error("the form has no field `{name}`; its fields are: {fields}")]
    NotAsked {
        /// The name that was looked for.
        name: String,
        /// The names that there are.
        fields: String,
    },
}

/// The values of a form that is filled in, by the names of its fields.
///
/// [`get`](Self::get) takes any type. The others give `None` for an optional field that the user left empty, and an error for a field that the form does not
/// have or that is of another kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers {
    asked: Vec<String>,
    values: Vec<Answer>,
}

/// What kind of value it is, for people.
const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Text(_) => "a text",
        Value::Integer(_) => "an integer",
        Value::Number(_) => "a number",
        Value::Boolean(_) => "a boolean",
        Value::Choice(_) => "a choice",
        Value::Choices(_) => "a list of choices",
    }
}

impl Answers {
    pub(crate) const fn new(asked: Vec<String>, values: Vec<Answer>) -> Self {
        Self { asked, values }
    }

    /// The value of `name` as `pick` takes it out of its kind.
    fn value<'a, T>(
        &'a self,
        name: &str,
        expected: &'static str,
        pick: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, AnswerError> {
        match self.values.iter().find(|answer| answer.name == name) {
            Some(answer) => match pick(&answer.value) {
                Some(value) => Ok(Some(value)),
                None => Err(AnswerError::OtherKind { name: name.to_owned(), expected, found: kind(&answer.value) }),
            },
            None if self.asked.iter().any(|asked| asked == name) => Ok(None),
            None => Err(AnswerError::NotAsked { name: name.to_owned(), fields: self.asked.join(", ") }),
        }
    }

    /// The value of a field as any type that a derived form can have, such as an enum with `#[derive(Choice)]`, or an
    /// `Option` for a field that may be left out.
    ///
    /// # Errors
    /// When the form has no such field, it is of another kind, its value does not fit the type, or there is none.
    ///
    /// ```
    /// # use dacapo_guest::prelude::*;
    /// # #[derive(Choice)] enum Size { Small, Large }
    /// # fn order(answers: &Answers) -> Result<()> {
    /// let size: Size = answers.get("size")?;
    /// let note: Option<String> = answers.get("note")?;
    /// # Ok(()) }
    /// ```
    pub fn get<T: FormField>(&self, name: &str) -> Result<T, AnswerError> {
        T::read(self, name)
    }

    /// The value of a text field.
    ///
    /// # Errors
    /// When the form has no such field, or it is no text.
    pub fn text(&self, name: &str) -> Result<Option<&str>, AnswerError> {
        self.value(name, "a text", |value| match value {
            Value::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// The value of an integer field.
    ///
    /// # Errors
    /// When the form has no such field, or it is no integer.
    pub fn integer(&self, name: &str) -> Result<Option<i64>, AnswerError> {
        self.value(name, "an integer", |value| match value {
            Value::Integer(integer) => Some(*integer),
            _ => None,
        })
    }

    /// The value of a number field.
    ///
    /// # Errors
    /// When the form has no such field, or it is no number.
    pub fn number(&self, name: &str) -> Result<Option<f64>, AnswerError> {
        self.value(name, "a number", |value| match value {
            Value::Number(number) => Some(*number),
            _ => None,
        })
    }

    /// The value of a boolean field.
    ///
    /// # Errors
    /// When the form has no such field, or it is no boolean.
    pub fn boolean(&self, name: &str) -> Result<Option<bool>, AnswerError> {
        self.value(name, "a boolean", |value| match value {
            Value::Boolean(boolean) => Some(*boolean),
            _ => None,
        })
    }

    /// The value chosen in a single choice.
    ///
    /// # Errors
    /// When the form has no such field, or it is no single choice.
    pub fn choice(&self, name: &str) -> Result<Option<&str>, AnswerError> {
        self.value(name, "a choice", |value| match value {
            Value::Choice(choice) => Some(choice.as_str()),
            _ => None,
        })
    }

    /// The values chosen in a multiple choice.
    ///
    /// # Errors
    /// When the form has no such field, or it is no multiple choice.
    pub fn choices(&self, name: &str) -> Result<Option<&[String]>, AnswerError> {
        self.value(name, "a list of choices", |value| match value {
            Value::Choices(choices) => Some(choices.as_slice()),
            _ => None,
        })
    }
}
