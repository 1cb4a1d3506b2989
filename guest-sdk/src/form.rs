//! Forms, derived or built by hand.

use crate::answers::{AnswerError, Answers};
use crate::bindings::dacapo::handler::elicitation as wit;
use crate::field::{Field, Kind};

/// A form whose answer is a Rust value. `#[derive(Form)]` implements it for a struct with named fields.
///
/// A field's type is `String`, an integer (`i8` to `i64`, `u8` to `u32`), `f32`, `f64`, `bool`, an enum with
/// `#[derive(Choice)]` (one of its values), a `Vec` of such an enum (any number of its values), or an `Option` of one of
/// those (it may be left out). Integers narrower than `i64` bring their bounds along. Its doc comment is its description.
///
/// `#[form(…)]` on a field says the rest:
///
/// | Key | Fits | Meaning |
/// |---|---|---|
/// | `title`, `description` | all | what the user sees; a description beats the doc comment |
/// | `rename` | all | the name in the answer; by default the field's own |
/// | `default` | all | what the form shows at first, a value of the field's type; texts and arrays are converted |
/// | `min_length`, `max_length` | text | the number of characters |
/// | `format` | text | `"email"`, `"uri"`, `"date"` or `"date-time"` |
/// | `min`, `max` | numbers | the least and the greatest value, of the field's type |
/// | `min_items`, `max_items` | `Vec` | the number of values |
///
/// ```
/// use dacapo_guest::prelude::*;
///
/// #[derive(Choice)]
/// enum Size {
///     Small,
///     /// Large, with a lid
///     Large,
/// }
///
/// #[derive(Form)]
/// struct Order {
///     /// Which cup?
///     #[form(default = Size::Small)]
///     size: Size,
///     /// How many?
///     #[form(title = "Cups", min = 1, max = 12, default = 1)]
///     cups: u8,
///     /// Anything else?
///     #[form(max_length = 200)]
///     note: Option<String>,
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no form",
    label = "not a form",
    note = "put `#[derive(Form)]` on a struct with named fields"
)]
pub trait Form: Sized {
    /// The form's fields, in the order in which the user sees them.
    fn form() -> FormBuilder;

    /// The value that an accepted answer holds.
    ///
    /// # Errors
    /// When the answer doesn't fit the form.
    fn read(answers: &Answers) -> Result<Self, AnswerError>;
}

/// A form that is built by hand, for fields that are known only at run time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FormBuilder {
    fields: Vec<wit::Field>,
}

impl FormBuilder {
    /// A form without fields.
    #[must_use]
    pub const fn new() -> Self {
        Self { fields: Vec::new() }
    }

    /// Adds a field. Its name must be unique in the form.
    #[must_use]
    pub fn field<K: Kind>(mut self, field: Field<K>) -> Self {
        self.fields.push(field.into());
        self
    }

    /// The contract's fields.
    #[doc(hidden)]
    #[must_use]
    pub fn into_fields(self) -> Vec<wit::Field> {
        self.fields
    }
}
