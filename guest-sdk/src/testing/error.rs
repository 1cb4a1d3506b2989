//! Why a script does not play.

use dacapo_replay::Stop;

use super::question::Question;

/// Why a script does not play.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The handler asked what the script does not answer.
    #[error("the handler asked what the script does not answer:\n\n  {}\n\nAnswer it in the script, for example by\n\n  {}\n", list(.0), .0.iter().map(Question::suggestion).collect::<Vec<_>>().join("\n  "))]
    Unanswered(Vec<Question>),
    /// The script answers what the handler did not ask.
    #[error("the script answers {}, which the handler never asked; it asked{}", unused.join(", "), if questions.is_empty() { " nothing".to_owned() } else { format!("\n\n  {}\n", list(questions)) })]
    Unused {
        /// The keys of the answers.
        unused: Vec<String>,
        /// What was asked.
        questions: Vec<Question>,
    },
    /// An answer does not fit its form.
    #[error("{what}; it was asked\n\n  {question:?}\n")]
    Misfit {
        /// What does not fit.
        what: String,
        /// The question.
        question: Question,
    },
    /// The handler went on after a question that has no answer yet.
    #[error(
        "the handler went on after it had to end: it catches panics around a question (`catch_unwind`), or ends in a thread \
         of its own. On the host a question can't be caught; there the handler is gone. Catch around what may panic, and ask \
         outside of it"
    )]
    Swallowed,
    /// The two plays of one script differ.
    #[error(
        "the handler is not faithful: run from the top at each question it came to\n\n  {replayed}\n\nand straight \
         through, with all answers at hand, to\n\n  {straight}\n\nDo once what must happen once: after the last question, \
         or by `Context::once`. Don't keep anything in a `static`"
    )]
    Unfaithful {
        /// What came of it with a run for each question.
        replayed: String,
        /// What came of it in one run.
        straight: String,
    },
    /// The handler asked what can't be asked, or something else than before.
    #[error("{0}")]
    Stopped(String),
    /// The journal could not be written and read back.
    #[error("the conversation's journal could not be written and read back: {0}")]
    Ledger(serde_json::Error),
}

impl ScriptError {
    /// Why the handler was stopped, after these questions.
    pub(super) fn of(stop: &Stop, questions: &[Question]) -> Self {
        let Stop::InvalidAnswer(invalid) = stop else { return Self::Stopped(stop.to_string()) };
        match questions.iter().find(|question| question.key() == invalid.key) {
            Some(question) => Self::Misfit { what: invalid.to_string(), question: question.clone() },
            None => Self::Stopped(stop.to_string()),
        }
    }
}

fn list(questions: &[Question]) -> String {
    questions.iter().map(|question| format!("{question:?}")).collect::<Vec<_>>().join("\n  ")
}
