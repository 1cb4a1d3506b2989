//! Questions, ready to be asked.
//!
//! One question at a time is asked by [`Context::elicit`](crate::Context::elicit) and its siblings. Several at once, in one
//! round trip, are [`Ask`]s given to [`Context::elicit_all`](crate::Context::elicit_all).

use crate::answers::{AnswerError, Answers};
use crate::bindings::dacapo::handler::elicitation as wit;
use crate::form::{Form, FormBuilder};
use crate::reply::Reply;

/// A question whose accepted answer is a `T`.
#[derive(Debug, Clone)]
pub struct Ask<T> {
    asked: wit::KeyedQuestion,
    read: fn(&Answers) -> Result<T, AnswerError>,
}

impl<F: Form> Ask<F> {
    /// Asks for the form `F`. `message` says what is asked, and why.
    pub fn form(message: impl Into<String>) -> Self {
        Self::fields(message.into(), F::form(), F::read)
    }
}

impl Ask<Answers> {
    /// Asks for a form that is built by hand. `message` says what is asked, and why.
    pub fn built(message: impl Into<String>, form: &FormBuilder) -> Self {
        Self::fields(message.into(), form.clone(), |answers| Ok(answers.clone()))
    }
}

impl Ask<()> {
    /// Asks the user to visit a page. `message` says why; `url` is absolute, `https:` outside of development, and holds
    /// nothing that identifies or admits the user.
    pub fn url(message: impl Into<String>, url: impl Into<String>) -> Self {
        let question = wit::Question::Url(wit::UrlQuestion { message: message.into(), url: url.into() });
        Self { asked: wit::KeyedQuestion { key: None, question }, read: |_| Ok(()) }
    }
}

impl<T> Ask<T> {
    fn fields(message: String, form: FormBuilder, read: fn(&Answers) -> Result<T, AnswerError>) -> Self {
        let question = wit::Question::Form(wit::FormQuestion { message, fields: form.into_fields() });
        Self { asked: wit::KeyedQuestion { key: None, question }, read }
    }

    /// The key under which the client sees the question, unique in the conversation. By default `elicit-<N>`, where N counts
    /// the conversation's questions from 1.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.asked.key = Some(key.into());
        self
    }

    /// The question as the contract has it.
    pub(crate) fn question(&self) -> &wit::KeyedQuestion {
        &self.asked
    }

    /// What the host's reply means.
    pub(crate) fn reply(self, reply: wit::Reply) -> Reply<T> {
        meaning(self.asked, reply, self.read)
    }
}

/// What the host's reply to a question means.
#[expect(clippy::panic, reason = "the host has checked the answer; a host that did not is broken, and a trap says so")]
fn meaning<T>(
    asked: wit::KeyedQuestion,
    reply: wit::Reply,
    read: impl FnOnce(&Answers) -> Result<T, AnswerError>,
) -> Reply<T> {
    let values = match reply {
        wit::Reply::Accept(values) => values,
        wit::Reply::Decline => return Reply::Decline,
        wit::Reply::Cancel => return Reply::Cancel,
    };
    let asked = match asked.question {
        wit::Question::Form(form) => form.fields.into_iter().map(|field| field.name).collect(),
        wit::Question::Url(_) => Vec::new(),
    };
    match read(&Answers::new(asked, values)) {
        Ok(value) => Reply::Accept(value),
        Err(error) => panic!("the host gave an answer that does not fit its form: {error}"),
    }
}

/// Questions that were asked, each with the host's reply.
struct Answered<Q> {
    questions: Q,
    replies: std::vec::IntoIter<wit::Reply>,
}

impl<Q: Iterator<Item = wit::KeyedQuestion>> Answered<Q> {
    /// What the next reply means.
    #[expect(clippy::panic, reason = "a host that gives fewer replies is broken, and a trap says so")]
    fn reply<T>(&mut self, read: impl FnOnce(&Answers) -> Result<T, AnswerError>) -> Reply<T> {
        let (Some(asked), Some(reply)) = (self.questions.next(), self.replies.next()) else {
            panic!("the host gave fewer replies than there were questions")
        };
        meaning(asked, reply, read)
    }
}

/// Several questions: a tuple of two to six [`Ask`]s, or a `Vec` of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of questions",
    label = "expected a tuple of two to six `Ask`s, or a `Vec` of them"
)]
pub trait Asks {
    /// A reply for each, in the order of the questions.
    type Replies;

    #[doc(hidden)]
    fn ask(self, send: impl FnOnce(&[wit::KeyedQuestion]) -> Vec<wit::Reply>) -> Self::Replies;
}

impl<T> Asks for Vec<Ask<T>> {
    type Replies = Vec<Reply<T>>;

    fn ask(self, send: impl FnOnce(&[wit::KeyedQuestion]) -> Vec<wit::Reply>) -> Self::Replies {
        let (questions, reads): (Vec<_>, Vec<_>) = self.into_iter().map(|ask| (ask.asked, ask.read)).unzip();
        let replies = send(&questions).into_iter();
        let mut answered = Answered { questions: questions.into_iter(), replies };
        reads.into_iter().map(|read| answered.reply(read)).collect()
    }
}

macro_rules! tuples {
    ($(($($name:ident: $type:ident),+);)+) => {$(
        impl<$($type),+> Asks for ($(Ask<$type>,)+) {
            type Replies = ($(Reply<$type>,)+);

            fn ask(self, send: impl FnOnce(&[wit::KeyedQuestion]) -> Vec<wit::Reply>) -> Self::Replies {
                let ($($name,)+) = self;
                let questions = [$($name.asked),+];
                let replies = send(&questions).into_iter();
                let mut answered = Answered { questions: questions.into_iter(), replies };
                ($(answered.reply($name.read),)+)
            }
        }
    )+};
}

tuples! {
    (first: A, second: B);
    (first: A, second: B, third: C);
    (first: A, second: B, third: C, fourth: D);
    (first: A, second: B, third: C, fourth: D, fifth: E);
    (first: A, second: B, third: C, fourth: D, fifth: E, sixth: F);
}
