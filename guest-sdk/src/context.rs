//! What a handler may know of its call, and what it may do besides working.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::answers::Answers;
use crate::ask::{Ask, Asks};
use crate::bindings::dacapo::handler::context as wit;
use crate::form::{Form, FormBuilder};
use crate::imports;
use crate::once::{self, OnceError};
use crate::progress::{CountingProgress, FloatProgress, IntegerProgress, PercentProgress};
use crate::reply::Reply;

/// What a handler may know of its call, and what it may do besides working. The same on every run of one conversation, and
/// the same for tools, prompts and resources; what is said of tools below holds for all of them. Completions can't ask.
///
/// # Questions
///
/// A call to one of the `elicit` functions may be where the world ends. Without an answer at hand it does not return: the
/// instance is dropped, the question goes to the user, and the tool runs again from the top once the answer has come. No
/// code of the tool runs in between, destructors included, so keep no clean-up duty across a question. On the next run the
/// same call returns at once.
///
/// So what stands before the last question runs once per round trip. Do what must happen once after the last question, or
/// keep its outcome with [`once`](Context::once). The Nth question of a conversation must be the same on every run; clocks
/// and randomness read the same on every run, so they may take part in a question.
#[derive(Debug)]
pub struct Context(());

impl Context {
    pub(crate) const fn new() -> Self {
        Self(())
    }

    /// Asks the user for the form `F`. `message` says what is asked, and why. Never ask for secrets in a form.
    ///
    /// The instance may end here (see [Questions](Context#questions)): no destructor runs then, and what stands before the
    /// last question runs once per round trip. A client that takes no forms ends the call with the protocol's error;
    /// [`can_ask_form`](Self::can_ask_form) tells beforehand.
    #[must_use = "the user may have declined"]
    pub fn elicit<F: Form>(&self, message: impl Into<String>) -> Reply<F> {
        self.ask(Ask::form(message))
    }

    /// As [`elicit`](Self::elicit), under a key of the tool's own, which is unique in the conversation.
    #[must_use = "the user may have declined"]
    pub fn elicit_as<F: Form>(&self, key: impl Into<String>, message: impl Into<String>) -> Reply<F> {
        self.ask(Ask::form(message).key(key))
    }

    /// As [`elicit`](Self::elicit), for a form that is built by hand.
    #[must_use = "the user may have declined"]
    pub fn elicit_form(&self, message: impl Into<String>, form: &FormBuilder) -> Reply<Answers> {
        self.ask(Ask::built(message, form))
    }

    /// Asks the user to visit a page, for all that must not pass through the client. `message` says why; `url` is absolute,
    /// `https:` outside of development, and holds nothing that identifies or admits the user.
    ///
    /// Acceptance means that the user agreed to go, and says nothing of what happened there. The instance may end here (see
    /// [Questions](Context#questions)). A client that takes no pages ends the call with the protocol's error;
    /// [`can_ask_url`](Self::can_ask_url) tells beforehand.
    #[must_use = "the user may have declined"]
    pub fn elicit_url(&self, message: impl Into<String>, url: impl Into<String>) -> Reply<()> {
        self.ask(Ask::url(message, url))
    }

    /// Asks one question that was made beforehand. The instance may end here (see [Questions](Context#questions)).
    #[must_use = "the user may have declined"]
    pub fn ask<T>(&self, ask: Ask<T>) -> Reply<T> {
        let reply = imports::elicit(ask.question());
        ask.reply(reply)
    }

    /// Asks several questions in one round trip: a tuple of two to six [`Ask`]s, or a `Vec` of them. The replies come in the
    /// order of the questions. The instance may end here (see [Questions](Context#questions)).
    ///
    /// ```no_run
    /// # use dacapo_guest::prelude::*;
    /// # #[derive(Form)] struct Details { name: String }
    /// # #[derive(Form)] struct Wishes { size: u8 }
    /// # fn run(ctx: &Context) {
    /// let (details, wishes) = ctx.elicit_all((
    ///     Ask::<Details>::form("Who are you?").key("details"),
    ///     Ask::<Wishes>::form("What would you like?").key("wishes"),
    /// ));
    /// # }
    /// ```
    #[must_use = "the user may have declined"]
    pub fn elicit_all<A: Asks>(&self, asks: A) -> A::Replies {
        asks.ask(imports::elicit_all)
    }

    /// Works out a value on the first run and gives the same one on every later run of the conversation.
    ///
    /// The value is kept as JSON in the state that travels with the conversation, so it should be small. What is returned
    /// has been through JSON on every run, the first included.
    ///
    /// ```no_run
    /// # use dacapo_guest::prelude::*;
    /// # fn run(ctx: &Context) -> Result<()> {
    /// let quote: u32 = ctx.once("quote", || 42)?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// When the value is not kept (too large, or one too many), or can't be written as JSON and read back.
    pub fn once<T: Serialize + DeserializeOwned>(&self, name: &str, work: impl FnOnce() -> T) -> Result<T, OnceError> {
        match once::recall(name)? {
            Some(value) => Ok(value),
            None => once::remember(name, &work()),
        }
    }

    /// As [`once`](Self::once), for work that may fail. A failure is not kept: the next run tries again.
    ///
    /// # Errors
    /// Those of the work, and those of [`once`](Self::once).
    pub fn try_once<T: Serialize + DeserializeOwned, E: From<OnceError>>(
        &self,
        name: &str,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        match once::recall(name)? {
            Some(value) => Ok(value),
            None => Ok(once::remember(name, &work()?)?),
        }
    }

    /// Progress that counts its reports: 1, 2, 3, …, of `total` where that is known.
    #[must_use]
    pub fn counting_progress(&self, total: Option<u64>) -> CountingProgress {
        CountingProgress::new(total)
    }

    /// Progress in whole numbers, of `total` where that is known.
    #[must_use]
    pub fn integer_progress(&self, total: Option<u64>) -> IntegerProgress {
        IntegerProgress::new(total)
    }

    /// Progress in numbers with or without a fraction, of `total` where that is known.
    #[must_use]
    pub fn float_progress(&self, total: Option<f64>) -> FloatProgress {
        FloatProgress::new(total)
    }

    /// Progress in fractions of the whole, from 0 to 1.
    #[must_use]
    pub fn percent_progress(&self) -> PercentProgress {
        PercentProgress::new()
    }

    /// Who calls, as the host has verified; `None` where callers are not told apart.
    #[must_use]
    pub fn principal(&self) -> Option<String> {
        imports::principal()
    }

    /// The protocol revision that the client speaks, such as `2026-07-28`.
    #[must_use]
    pub fn protocol_version(&self) -> String {
        imports::protocol_version()
    }

    /// The name of the tool or prompt that is called, or the URI of the resource that is read.
    #[must_use]
    pub fn target(&self) -> String {
        imports::target()
    }

    /// Whether the client takes questions with a form.
    #[must_use]
    pub fn can_ask_form(&self) -> bool {
        imports::askable().contains(wit::QuestionKinds::FORM)
    }

    /// Whether the client takes questions with a page to visit.
    #[must_use]
    pub fn can_ask_url(&self) -> bool {
        imports::askable().contains(wit::QuestionKinds::URL)
    }
}
