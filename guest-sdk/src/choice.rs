//! Enums to choose from.

/// An enum to choose from. `#[derive(Choice)]` implements it for an enum without fields.
///
/// A variant's doc comment, or `#[choice(title = "…")]`, is what the user sees; without either it is the value. The value in
/// the answer is the variant's name in kebab case (`BigTeam` becomes `big-team`), or what `#[choice(value = "…")]` says.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no choice, so a form can't offer it",
    label = "not a choice",
    note = "a `Vec` in a form is a multiple choice: its items are an enum without fields and with `#[derive(Choice)]`"
)]
pub trait Choice: Sized {
    /// What there is to choose from, in the order of the variants.
    const OPTIONS: &'static [Choosable];

    /// The value in an answer that stands for this variant.
    fn value(&self) -> &'static str;

    /// The variant that `value` stands for; `None` if there is none.
    #[must_use]
    fn from_value(value: &str) -> Option<Self>;
}

/// What stands for one of the variants to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choosable {
    /// The value in an answer.
    pub value: &'static str,
    /// What the user sees, where that differs.
    pub title: Option<&'static str>,
}
