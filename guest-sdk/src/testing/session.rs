//! The contract's imports, as the thread has them that runs a script.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use dacapo_replay::{Input, Stop, Walk};

use super::convert;
use super::run::{Report, Round};
use crate::bindings::dacapo::handler::{announcements, context, elicitation, inputs, once, progress};

/// How many bytes the message of a report may have: the host's default.
const MESSAGE_LIMIT: usize = 1024;

thread_local! {
    /// The run under way on this thread.
    static CURRENT: RefCell<Option<Session>> = const { RefCell::new(None) };
}

/// One run of a handler.
pub(super) struct Session {
    walk: Walk,
    target: String,
    principal: Option<String>,
    round: Round,
    /// Why the handler had to end. All that it does from there on counts for nothing.
    stop: Option<Stop>,
}

/// A run that is over.
pub(super) struct Ended<T> {
    /// What the handler returned, if it did.
    pub(super) returned: Option<T>,
    /// Why it had to end, if it had.
    pub(super) stop: Option<Stop>,
    pub(super) walk: Walk,
    pub(super) round: Round,
}

/// What a handler that has to end is unwound with.
struct Suspended;

impl Session {
    pub(super) fn new(walk: Walk, target: String, principal: Option<String>) -> Self {
        Self { walk, target, principal, round: Round::default(), stop: None }
    }
}

/// Runs `handler` with `session` behind the contract's imports.
///
/// # Panics
/// Where the handler does.
#[expect(
    clippy::expect_used,
    reason = "what is taken was put there a line above, and inner runs put back what they found"
)]
pub(super) fn run<T>(session: Session, handler: impl FnOnce() -> T) -> Ended<T> {
    let outer = CURRENT.replace(Some(session));
    let returned = catch_unwind(AssertUnwindSafe(handler));
    let session = CURRENT.replace(outer).expect("the session of this run");
    let returned = match returned {
        Ok(returned) => Some(returned),
        Err(payload) if payload.is::<Suspended>() => None,
        Err(payload) => resume_unwind(payload),
    };
    let Session { walk, round, stop, .. } = session;
    Ended { returned, stop, walk, round }
}

#[expect(clippy::panic, reason = "there is no host to ask, and so a test fails")]
fn with<T>(act: impl FnOnce(&mut Session) -> T) -> T {
    CURRENT.with_borrow_mut(|session| match session {
        Some(session) => act(session),
        None => panic!(
            "no script runs on this thread, so there is nobody to ask; call the handler by \
             `dacapo_guest::testing::call`, and don't start threads in it (a component has none)"
        ),
    })
}

/// Makes requests, or ends the handler. Unwinds past the panic hook, so that nothing is printed.
fn ask(requests: Vec<dacapo_replay::Asked>) -> Vec<Input> {
    let inputs = with(|session| {
        if session.stop.is_none() {
            match session.walk.ask_all(requests) {
                Ok(inputs) => return Some(inputs),
                Err(stop) => session.stop = Some(stop),
            }
        }
        None
    });
    inputs.unwrap_or_else(|| resume_unwind(Box::new(Suspended)))
}

pub(crate) fn elicit(question: &elicitation::KeyedQuestion) -> elicitation::Reply {
    let inputs = ask(vec![convert::asked(question)]);
    // One question has one reply: were there none, the handler would have ended.
    inputs.into_iter().find_map(convert::reply).unwrap_or(elicitation::Reply::Cancel)
}

pub(crate) fn elicit_all(questions: &[elicitation::KeyedQuestion]) -> Vec<elicitation::Reply> {
    ask(questions.iter().map(convert::asked).collect()).into_iter().filter_map(convert::reply).collect()
}

pub(crate) fn request_inputs(requests: &[inputs::KeyedRequest]) -> Vec<inputs::InputResponse> {
    ask(requests.iter().map(convert::any_asked).collect()).into_iter().map(convert::response).collect()
}

pub(crate) fn report(progress: f64, total: Option<f64>, message: Option<&str>) -> Result<(), progress::ProgressError> {
    if !progress.is_finite() || total.is_some_and(|total| !total.is_finite()) {
        return Err(progress::ProgressError::NotFinite);
    }
    if message.is_some_and(|message| message.len() > MESSAGE_LIMIT) {
        return Err(progress::ProgressError::MessageTooLong(u32::try_from(MESSAGE_LIMIT).unwrap_or(u32::MAX)));
    }
    with(|session| {
        if session.stop.is_some() {
            return Ok(());
        }
        if let Some(last) = session.round.progress.last().filter(|last| progress <= last.progress) {
            return Err(progress::ProgressError::NotIncreasing(last.progress));
        }
        session.round.progress.push(Report { progress, total, message: message.map(str::to_owned) });
        Ok(())
    })
}

pub(crate) fn recall(name: &str) -> Option<String> {
    with(|session| session.walk.recall(name).map(str::to_owned))
}

pub(crate) fn remember(name: &str, value: &str) -> Result<(), once::OnceError> {
    let number = |limit: usize| u32::try_from(limit).unwrap_or(u32::MAX);
    with(|session| session.walk.remember(name.to_owned(), value.to_owned())).map_err(|error| match error {
        dacapo_replay::OnceError::AlreadyKept => once::OnceError::AlreadyKept,
        dacapo_replay::OnceError::TooLarge(limit) => once::OnceError::TooLarge(number(limit)),
        dacapo_replay::OnceError::TooMany(limit) => once::OnceError::TooMany(number(limit)),
        dacapo_replay::OnceError::NotJson => once::OnceError::NotJson,
    })
}

pub(crate) fn target() -> String {
    with(|session| session.target.clone())
}

pub(crate) fn protocol_version() -> String {
    with(|session| session.walk.ledger().opening.protocol_version.clone())
}

pub(crate) fn principal() -> Option<String> {
    with(|session| session.principal.clone())
}

pub(crate) fn askable() -> context::QuestionKinds {
    let askable = with(|session| session.walk.ledger().opening.askable);
    let kind = |taken, kind| if taken { kind } else { context::QuestionKinds::empty() };
    kind(askable.form, context::QuestionKinds::FORM) | kind(askable.url, context::QuestionKinds::URL)
}

pub(crate) fn resource_updated(uri: &str) {
    announce(format!("resource {uri}"));
}

pub(crate) fn list_changed(kind: announcements::ListKind) {
    announce(match kind {
        announcements::ListKind::Tools => "list of tools".to_owned(),
        announcements::ListKind::Prompts => "list of prompts".to_owned(),
        announcements::ListKind::Resources => "list of resources".to_owned(),
    });
}

fn announce(what: String) {
    with(|session| {
        if session.stop.is_none() {
            session.round.announced.push(what);
        }
    });
}
