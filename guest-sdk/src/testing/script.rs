//! Scripts: what is called, and what the user answers.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::rc::Rc;
use std::time::{SystemTime, UNIX_EPOCH};

use dacapo_replay::{Askable, Ledger, Limits, Opening, RetryPolicy, Stop, Walk};
use serde_json::{Value, json};

use super::error::ScriptError;
use super::question::Question;
use super::run::{Run, ToolOutcome};
use super::session::{self, Ended, Session};
use crate::prompt::PromptResult;
use crate::protocol_error::ProtocolError;

/// The protocol's code for a client that has not declared what it is asked for.
const MISSING_CAPABILITY: i32 = -32021;

/// The protocol revision that the client of a script speaks.
const PROTOCOL_VERSION: &str = "2026-07-28";

type Enter<T> = Rc<dyn Fn(&Value) -> Result<T, ProtocolError>>;

/// What is called, and what the user answers. Made by [`call`](super::call), [`get`](super::get) and
/// [`read`](super::read); nothing runs before [`run`](Self::run).
#[must_use = "nothing runs before `run`"]
pub struct Script<T> {
    target: String,
    enter: Enter<T>,
    arguments: Value,
    answers: BTreeMap<String, Value>,
    principal: Option<String>,
    askable: Askable,
}

impl<T> Clone for Script<T> {
    fn clone(&self) -> Self {
        Self {
            target: self.target.clone(),
            enter: Rc::clone(&self.enter),
            arguments: self.arguments.clone(),
            answers: self.answers.clone(),
            principal: self.principal.clone(),
            askable: self.askable,
        }
    }
}

impl Script<ToolOutcome> {
    /// The tool's arguments, a JSON object. By default an empty one.
    pub fn with(mut self, arguments: Value) -> Self {
        self.arguments = arguments;
        self
    }
}

impl Script<PromptResult> {
    /// The prompt's arguments, a JSON object of texts. By default an empty one.
    pub fn with(mut self, arguments: Value) -> Self {
        self.arguments = arguments;
        self
    }
}

impl<T> Script<T> {
    pub(super) fn new(target: impl Into<String>, enter: impl Fn(&Value) -> Result<T, ProtocolError> + 'static) -> Self {
        Self {
            target: target.into(),
            enter: Rc::new(enter),
            arguments: json!({}),
            answers: BTreeMap::new(),
            principal: None,
            askable: Askable { form: true, url: true, sampling: true, sampling_tools: true, roots: true },
        }
    }

    /// What the user does with the question `key`: [`accept`](super::accept), [`decline`](super::decline) or
    /// [`cancel`](super::cancel). Without keys of the handler's own, questions are `elicit-1`, `elicit-2` and so on. To a
    /// request for sampling or roots, `answer` is the result that the client sends.
    pub fn answer(mut self, key: impl Into<String>, answer: Value) -> Self {
        self.answers.insert(key.into(), answer);
        self
    }

    /// Who calls. By default callers are not told apart.
    pub fn principal(mut self, name: impl Into<String>) -> Self {
        self.principal = Some(name.into());
        self
    }

    /// The client takes no questions with a form.
    pub fn without_forms(mut self) -> Self {
        self.askable.form = false;
        self
    }

    /// The client takes no questions with a page to visit.
    pub fn without_pages(mut self) -> Self {
        self.askable.url = false;
        self
    }

    /// Plays the script: runs the handler from the top once per round, until it returns.
    ///
    /// # Panics
    /// Where [`try_run`](Self::try_run) has an error, with its text; and where the handler panics.
    #[track_caller]
    #[must_use = "assert something"]
    #[expect(clippy::panic, reason = "so a test fails")]
    pub fn run(self) -> Run<T> {
        // No closure, which would hide the test's line.
        match self.try_run() {
            Ok(run) => run,
            Err(error) => panic!("{error}"),
        }
    }

    /// As [`run`](Self::run), for a script that may not play.
    ///
    /// # Errors
    /// When a question has no answer, an answer has no question or does not fit it, or the handler breaks the contract.
    ///
    /// # Panics
    /// Where the handler does.
    pub fn try_run(self) -> Result<Run<T>, ScriptError> {
        let run = self.play(Ledger::open(Opening {
            started: now(),
            seed: [0; 32],
            protocol_version: PROTOCOL_VERSION.to_owned(),
            askable: self.askable,
        }))?;
        let unused = self.responses(|key| run.questions.iter().all(|asked| asked.key() != key));
        if unused.is_empty() {
            return Ok(run);
        }
        Err(ScriptError::Unused { unused: unused.into_keys().collect(), questions: run.questions })
    }

    /// Plays the script, and then once more straight through, with all that the conversation remembers at hand from the
    /// start; and checks that both come to the same result by the same questions.
    ///
    /// # Panics
    /// As [`run`](Self::run), and where the two differ.
    #[track_caller]
    #[must_use = "assert something"]
    #[expect(clippy::panic, reason = "so a test fails")]
    pub fn assert_faithful(self) -> Run<T>
    where
        T: Debug + PartialEq,
    {
        let play = || {
            let replayed = self.clone().try_run()?;
            let straight = self.play(replayed.ledger.clone())?;
            // That the questions are the same is what the walk through the journal checks.
            if replayed.result != straight.result {
                return Err(ScriptError::Unfaithful {
                    replayed: format!("{:?}", replayed.result),
                    straight: format!("{:?}", straight.result),
                });
            }
            Ok(replayed)
        };
        match play() {
            Ok(run) => run,
            Err(error) => panic!("{error}"),
        }
    }

    /// Plays the script from where `ledger` stands.
    fn play(&self, mut ledger: Ledger) -> Result<Run<T>, ScriptError> {
        let (mut questions, mut rounds) = (Vec::new(), Vec::new());
        loop {
            let walk = Walk::start(ledger, self.askable, Limits::default());
            let session = Session::new(walk, self.target.clone(), self.principal.clone());
            let Ended { returned, stop, walk, round } = session::run(session, || (self.enter)(&self.arguments));
            rounds.push(round);
            let finished = walk.finish();
            let open = walk.into_ledger();
            let result = match (returned, stop) {
                (Some(result), None) => {
                    finished.map_err(|divergence| ScriptError::Stopped(divergence.to_string()))?;
                    result
                }
                (None, Some(Stop::InputRequired(pending))) => {
                    let asked: Vec<_> = pending.into_iter().map(Question::from).collect();
                    ledger = self.answered(open, &asked)?;
                    questions.extend(asked);
                    continue;
                }
                (None, Some(Stop::NotAskable(_))) => {
                    Err(ProtocolError::new(MISSING_CAPABILITY, "The client can't be asked this."))
                }
                (None, Some(stop)) => return Err(ScriptError::of(&stop, &questions)),
                _ => return Err(ScriptError::Swallowed),
            };
            return Ok(Run { result, questions, rounds, ledger: open });
        }
    }

    /// The ledger with the answers to what was asked last, written and read on the way, so that a run has nothing but what
    /// can be carried.
    fn answered(&self, mut ledger: Ledger, asked: &[Question]) -> Result<Ledger, ScriptError> {
        let answers = self.responses(|key| asked.iter().any(|question| question.key() == key));
        if answers.len() < asked.len() {
            let unanswered = asked.iter().filter(|question| !answers.contains_key(question.key()));
            return Err(ScriptError::Unanswered(unanswered.cloned().collect()));
        }
        let answers = answers.iter().map(|(key, json)| (key.as_str(), json.as_str()));
        ledger
            .answer(answers, RetryPolicy::Strict, now())
            .map_err(|rejection| ScriptError::Stopped(rejection.to_string()))?;
        let written = serde_json::to_string(&ledger);
        written.and_then(|text| serde_json::from_str(&text)).map_err(ScriptError::Ledger)
    }

    /// The answers whose keys are wanted, as the client writes them.
    fn responses(&self, wanted: impl Fn(&str) -> bool) -> BTreeMap<String, String> {
        let answers = self.answers.iter().filter(|(key, _)| wanted(key));
        answers.map(|(key, answer)| (key.clone(), answer.to_string())).collect()
    }
}

/// In nanoseconds since the Unix epoch.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
