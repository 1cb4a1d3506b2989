//! What the user did with a question.

/// What the user did with a question. Declining and cancelling are answers like any other, and no errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply<T> {
    /// Filled in the form, or agreed to visit the page (which says nothing of what happened there).
    Accept(T),
    /// Said no.
    Decline,
    /// Dismissed the question without a choice.
    Cancel,
}

impl<T> Reply<T> {
    /// What was accepted; `None` if the user declined or cancelled.
    #[must_use]
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accept(value) => Some(value),
            Self::Decline | Self::Cancel => None,
        }
    }

    /// The same reply with what was accepted changed by `change`.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Reply<U> {
        match self {
            Self::Accept(value) => Reply::Accept(change(value)),
            Self::Decline => Reply::Decline,
            Self::Cancel => Reply::Cancel,
        }
    }
}
