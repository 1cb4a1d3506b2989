//! The fields of a form.
//!
//! A field is made by the function of its kind ([`Field::text`], [`Field::integer`], …) and takes only what fits that kind:
//!
//! ```
//! use dacapo_guest::prelude::*;
//!
//! let age = Field::integer("age").title("Your age").min(18).optional();
//! let form = FormBuilder::new().field(Field::text("email").format(Format::Email)).field(age);
//! ```

use crate::bindings::dacapo::handler::elicitation as wit;

/// One field of a form, of the kind `K`. Required unless it is made [`optional`](Field::optional).
#[derive(Debug, Clone, PartialEq)]
pub struct Field<K> {
    name: String,
    title: Option<String>,
    description: Option<String>,
    required: bool,
    kind: K,
}

/// The kinds of fields.
pub trait Kind: sealed::Kind {}

mod sealed {
    pub trait Kind: Into<crate::bindings::dacapo::handler::elicitation::FieldKind> {}
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident($record:ident) as $case:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name(wit::$record);

        impl Kind for $name {}

        impl sealed::Kind for $name {}

        impl From<$name> for wit::FieldKind {
            fn from(kind: $name) -> Self {
                Self::$case(kind.0)
            }
        }
    )+};
}

kinds! {
    /// A line of text.
    Text(TextField) as Text;
    /// A whole number.
    Integer(IntegerField) as Integer;
    /// A number, with or without a fraction.
    Number(NumberField) as Number;
    /// Yes or no.
    Boolean(BooleanField) as Boolean;
    /// One out of several.
    SingleChoice(SingleChoiceField) as SingleChoice;
    /// Any number out of several.
    MultipleChoice(MultipleChoiceField) as MultipleChoice;
}

/// What a text must look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// An email address.
    Email,
    /// An absolute URI.
    Uri,
    /// A date, as in 2026-07-28.
    Date,
    /// A date and time with its offset, as in 2026-07-28T12:00:00Z.
    DateTime,
}

impl<K: Kind> From<Field<K>> for wit::Field {
    fn from(field: Field<K>) -> Self {
        let Field { name, title, description, required, kind } = field;
        Self { name, title, description, required, kind: kind.into() }
    }
}

impl<K: Kind> Field<K> {
    fn new(name: impl Into<String>, kind: K) -> Self {
        Self { name: name.into(), title: None, description: None, required: true, kind }
    }

    /// What the user sees as its name. None by default.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What the user should know to fill it in. None by default.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// An answer may leave it out.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.required = false;
        self
    }
}

impl Field<Text> {
    /// A line of text, answered by [`Answers::text`](crate::Answers::text).
    pub fn text(name: impl Into<String>) -> Self {
        Self::new(name, Text(wit::TextField { min_length: None, max_length: None, format: None, default: None }))
    }

    /// The least number of characters. None by default.
    #[must_use]
    pub fn min_length(mut self, characters: u32) -> Self {
        self.kind.0.min_length = Some(characters);
        self
    }

    /// The greatest number of characters. None by default.
    #[must_use]
    pub fn max_length(mut self, characters: u32) -> Self {
        self.kind.0.max_length = Some(characters);
        self
    }

    /// What it must look like. Anything goes by default.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.kind.0.format = Some(match format {
            Format::Email => wit::TextFormat::Email,
            Format::Uri => wit::TextFormat::Uri,
            Format::Date => wit::TextFormat::Date,
            Format::DateTime => wit::TextFormat::DateTime,
        });
        self
    }

    /// What the form shows at first.
    #[must_use]
    pub fn default(mut self, text: impl Into<String>) -> Self {
        self.kind.0.default = Some(text.into());
        self
    }
}

impl Field<Integer> {
    /// A whole number, answered by [`Answers::integer`](crate::Answers::integer).
    pub fn integer(name: impl Into<String>) -> Self {
        Self::new(name, Integer(wit::IntegerField { minimum: None, maximum: None, default: None }))
    }

    /// The least value. None by default.
    #[must_use]
    pub fn min(mut self, least: i64) -> Self {
        self.kind.0.minimum = Some(least);
        self
    }

    /// The greatest value. None by default.
    #[must_use]
    pub fn max(mut self, greatest: i64) -> Self {
        self.kind.0.maximum = Some(greatest);
        self
    }

    /// What the form shows at first.
    #[must_use]
    pub fn default(mut self, integer: i64) -> Self {
        self.kind.0.default = Some(integer);
        self
    }
}

impl Field<Number> {
    /// A number, answered by [`Answers::number`](crate::Answers::number).
    pub fn number(name: impl Into<String>) -> Self {
        Self::new(name, Number(wit::NumberField { minimum: None, maximum: None, default: None }))
    }

    /// The least value, a finite number. None by default.
    #[must_use]
    pub fn min(mut self, least: f64) -> Self {
        self.kind.0.minimum = Some(least);
        self
    }

    /// The greatest value, a finite number. None by default.
    #[must_use]
    pub fn max(mut self, greatest: f64) -> Self {
        self.kind.0.maximum = Some(greatest);
        self
    }

    /// What the form shows at first, a finite number.
    #[must_use]
    pub fn default(mut self, number: f64) -> Self {
        self.kind.0.default = Some(number);
        self
    }
}

impl Field<Boolean> {
    /// Yes or no, answered by [`Answers::boolean`](crate::Answers::boolean).
    pub fn boolean(name: impl Into<String>) -> Self {
        Self::new(name, Boolean(wit::BooleanField { default: None }))
    }

    /// What the form shows at first.
    #[must_use]
    pub fn default(mut self, boolean: bool) -> Self {
        self.kind.0.default = Some(boolean);
        self
    }
}

impl Field<SingleChoice> {
    /// One out of several, answered by [`Answers::choice`](crate::Answers::choice). Add what there is to choose from with
    /// [`value`](Field::value) and [`titled`](Field::titled).
    pub fn choice(name: impl Into<String>) -> Self {
        Self::new(name, SingleChoice(wit::SingleChoiceField { choices: Vec::new(), default: None }))
    }

    /// The value that the form shows at first.
    #[must_use]
    pub fn default(mut self, value: impl Into<String>) -> Self {
        self.kind.0.default = Some(value.into());
        self
    }
}

impl Field<MultipleChoice> {
    /// Any number out of several, answered by [`Answers::choices`](crate::Answers::choices). Add what there is to choose
    /// from with [`value`](Field::value) and [`titled`](Field::titled).
    pub fn choices(name: impl Into<String>) -> Self {
        let kind = wit::MultipleChoiceField { choices: Vec::new(), min_items: None, max_items: None, default: None };
        Self::new(name, MultipleChoice(kind))
    }

    /// The least number of values. None by default.
    #[must_use]
    pub fn min_items(mut self, items: u32) -> Self {
        self.kind.0.min_items = Some(items);
        self
    }

    /// The greatest number of values. None by default.
    #[must_use]
    pub fn max_items(mut self, items: u32) -> Self {
        self.kind.0.max_items = Some(items);
        self
    }

    /// The values that the form shows at first.
    #[must_use]
    pub fn default<V: Into<String>>(mut self, values: impl IntoIterator<Item = V>) -> Self {
        self.kind.0.default = Some(values.into_iter().map(Into::into).collect());
        self
    }
}

/// Kinds with values to choose from.
pub trait Choosing: Kind {
    #[doc(hidden)]
    fn push(&mut self, value: String, title: Option<String>);
}

impl Choosing for SingleChoice {
    fn push(&mut self, value: String, title: Option<String>) {
        self.0.choices.push(wit::Choice { value, title });
    }
}

impl Choosing for MultipleChoice {
    fn push(&mut self, value: String, title: Option<String>) {
        self.0.choices.push(wit::Choice { value, title });
    }
}

impl<K: Choosing> Field<K> {
    /// Adds a value to choose from, which the user sees as it is. No value may come twice.
    #[must_use]
    pub fn value(mut self, value: impl Into<String>) -> Self {
        self.kind.push(value.into(), None);
        self
    }

    /// Adds a value to choose from, which the user sees as `title`. No value may come twice.
    #[must_use]
    pub fn titled(mut self, value: impl Into<String>, title: impl Into<String>) -> Self {
        self.kind.push(value.into(), Some(title.into()));
        self
    }
}
