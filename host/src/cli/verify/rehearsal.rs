//! One conversation, held both ways in this process.

use std::time::{Duration, SystemTime};

use dacapo_replay::{Askable, Differences, Ending, Ledger, Opening, RetryPolicy, Slot, Stop, Walk};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::super::answers::Answers;
use super::report::{Failure, Faithful};
use crate::carrier::wire::nanos;
use crate::protocol::error::RpcError;
use crate::protocol::prompt::GetPromptResult;
use crate::protocol::resource::ReadResourceResult;
use crate::protocol::result::Meta;
use crate::protocol::tool::CallToolResult;
use crate::sandbox::entry::Entry;
use crate::sandbox::{Attempt, Call, Program, Sandbox};

/// How long the user takes to answer, on the conversation's clock. A handler sees it pass, the same on both ways.
const PAUSE: Duration = Duration::from_secs(1);

/// What the user's client can be asked: everything.
const ASKABLE: Askable = Askable { form: true, url: true, sampling: true, sampling_tools: true, roots: true };

/// One conversation with a handler, to be held more than once from the same opening.
pub(super) struct Rehearsal<'a> {
    sandbox: &'a Sandbox,
    program: &'a Program,
    call: Call,
    answers: &'a Answers,
    opening: Opening,
    /// The clock's reading when answers come: one for all, for straight through they come at once.
    answered: u64,
}

/// How a conversation went.
struct Way {
    /// The result or the handler's own error, as JSON.
    result: String,
    ledger: Ledger,
    /// How often the handler ran.
    rounds: usize,
}

impl<'a> Rehearsal<'a> {
    /// # Errors
    ///
    /// When the operating system has no randomness to give.
    pub(super) fn new(
        sandbox: &'a Sandbox,
        program: &'a Program,
        call: Call,
        answers: &'a Answers,
    ) -> anyhow::Result<Self> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed)?;
        let started = SystemTime::now();
        let opening = Opening {
            started: nanos(started),
            seed,
            protocol_version: crate::protocol::VERSION.to_owned(),
            askable: ASKABLE,
        };
        Ok(Self { sandbox, program, call, answers, opening, answered: nanos(started + PAUSE) })
    }

    /// Holds the conversation straight through, then suspended and replayed at every question, then once more from where
    /// that ended; and compares.
    pub(super) async fn hold<E>(
        &self,
        entry: E,
        settle: impl AsyncFn(Ending<Result<E::Output, RpcError>>) -> Ending<Result<E::Output, RpcError>>,
    ) -> Result<Faithful, Failure>
    where
        E: Entry + Clone,
        E::Output: Outcome,
    {
        let straight = self.straight(entry.clone(), &settle).await?;
        let replayed = self.replayed(entry.clone(), &settle).await?;
        compare(&straight, &replayed, "straight through", "replayed")?;
        let (ending, ledger) = self.attempt(entry, &settle, self.walk(&replayed.ledger)?).await;
        let result = ending.map_err(|stopped| Failure::unlike(&stopped, "replayed once more"))?;
        compare(&replayed, &Way { result, ledger, rounds: 1 }, "replayed", "replayed once more")?;
        Ok(Faithful {
            questions: replayed.ledger.slots.iter().map(|slot| slot.key.clone()).collect(),
            rounds: replayed.rounds,
            once: replayed.ledger.once.len(),
            result: serde_json::from_str(&replayed.result).unwrap_or_default(),
        })
    }

    /// With all answers at hand the handler never stops.
    async fn straight<E>(
        &self,
        entry: E,
        settle: impl AsyncFn(Ending<Result<E::Output, RpcError>>) -> Ending<Result<E::Output, RpcError>>,
    ) -> Result<Way, Failure>
    where
        E: Entry,
        E::Output: Outcome,
    {
        let answers = self.answers.iter().map(|(key, json)| (key.to_owned(), json.to_owned())).collect();
        let walk = self.walk(&Ledger::open(self.opening.clone()))?.with_responses(answers, self.answered);
        match self.attempt(entry, settle, walk).await {
            (Ok(result), ledger) => Ok(Way { result, ledger, rounds: 1 }),
            (Err(Stopped::Asked(Stop::InputRequired(pending))), _) => Err(Failure::missing(pending)),
            (Err(stopped), _) => Err(Failure::Failed(stopped.to_string())),
        }
    }

    /// One answer a round: the handler is stopped at every question.
    async fn replayed<E>(
        &self,
        entry: E,
        settle: impl AsyncFn(Ending<Result<E::Output, RpcError>>) -> Ending<Result<E::Output, RpcError>>,
    ) -> Result<Way, Failure>
    where
        E: Entry + Clone,
        E::Output: Outcome,
    {
        let mut ledger = Ledger::open(self.opening.clone());
        let mut rounds = 0;
        loop {
            rounds += 1;
            let (ending, left) = self.attempt(entry.clone(), &settle, self.walk(&ledger)?).await;
            let pending = match ending {
                Ok(result) => return Ok(Way { result, ledger: left, rounds }),
                Err(Stopped::Asked(Stop::InputRequired(pending))) => pending,
                Err(stopped) => return Err(Failure::unlike(&stopped, "replayed")),
            };
            ledger = left;
            let answer = pending.iter().find_map(|asked| Some((asked.key.as_str(), self.answers.get(&asked.key)?)));
            let answer = answer.ok_or_else(|| Failure::stranger(&pending))?;
            ledger
                .answer([answer], RetryPolicy::Strict, self.answered)
                .map_err(|rejection| Failure::Unlike(format!("replayed: {rejection}")))?;
        }
    }

    /// A walk through the ledger as it comes out of a token.
    fn walk(&self, ledger: &Ledger) -> Result<Walk, Failure> {
        let ledger = postcard::to_allocvec(ledger).and_then(|bytes| postcard::from_bytes(&bytes));
        let ledger = ledger.map_err(|error| Failure::Failed(format!("its state can't be carried: {error}")))?;
        Ok(Walk::start(ledger, ASKABLE, self.call.tenant.limits.conversation()))
    }

    async fn attempt<E>(
        &self,
        entry: E,
        settle: impl AsyncFn(Ending<Result<E::Output, RpcError>>) -> Ending<Result<E::Output, RpcError>>,
        walk: Walk,
    ) -> (Result<String, Stopped>, Ledger)
    where
        E: Entry,
        E::Output: Outcome,
    {
        let attempted = self.sandbox.attempt(self.program, self.call.clone(), entry, walk).await;
        let Attempt { ending, ledger, .. } = match attempted {
            Ok(attempted) => attempted,
            Err(busy) => return (Err(Stopped::Failed(busy.to_string())), Ledger::open(self.opening.clone())),
        };
        let result = match settle(ending).await {
            // As it is written, to the byte.
            Ending::Completed(Ok(result)) => serde_json::to_string(&Written { meta: result.meta(), result: &result })
                .map_err(|error| Stopped::Failed(error.to_string())),
            Ending::Completed(Err(error)) => Ok(json!({ "error": error }).to_string()),
            Ending::Stopped(stop) => Err(Stopped::Asked(stop)),
            Ending::Failed(fault) => Err(Stopped::Failed(fault.to_string())),
        };
        (result, ledger)
    }
}

/// Why a run did not return.
#[derive(Debug, thiserror::Error)]
pub(super) enum Stopped {
    /// At a question.
    #[error("it was stopped: {0}")]
    Asked(Stop),
    /// By a failure.
    #[error("it failed: {0}")]
    Failed(String),
}

/// One part of a way, to be compared.
type Part = fn(&Way) -> Value;

/// Compares two ways through one conversation: what was asked, what was kept, and what came of it.
fn compare(one: &Way, other: &Way, one_name: &'static str, other_name: &'static str) -> Result<(), Failure> {
    let parts: [(_, Part); 4] = [
        ("questions", |way| way.ledger.slots.iter().map(question).collect()),
        ("once", |way| {
            way.ledger.once.iter().map(|kept| (kept.name.clone(), json!(kept.value))).collect::<Map<_, _>>().into()
        }),
        ("result", |way| serde_json::from_str(&way.result).unwrap_or_default()),
        // Where only the spelling differs.
        ("text", |way| json!(way.result)),
    ];
    for (part, of) in parts {
        let side = |way| json!({ part: of(way) });
        let differences = Differences::between(&side(one), &side(other));
        if !differences.is_empty() {
            return Err(Failure::Differs { differences, one: one_name, other: other_name });
        }
    }
    Ok(())
}

/// A question with its answer, each part in its place.
fn question(slot: &Slot) -> Value {
    let parsed = |json| serde_json::from_str::<Value>(json).unwrap_or_default();
    json!({
        "key": slot.key,
        "asked": slot.asked.json().map_or_else(|| slot.asked.fingerprint().to_string().into(), parsed),
        "answer": slot.answer.as_ref().map(|answer| json!({"response": parsed(&answer.response), "at": answer.at})),
    })
}

/// A result with its `_meta`.
#[derive(Serialize)]
struct Written<'a, T> {
    result: &'a T,
    #[serde(rename = "_meta")]
    meta: &'a Meta,
}

/// What a handler can return.
pub(super) trait Outcome: Serialize {
    /// The `_meta` that goes with it.
    fn meta(&self) -> &Meta;
}

impl Outcome for CallToolResult {
    fn meta(&self) -> &Meta {
        &self.meta
    }
}

impl Outcome for GetPromptResult {
    fn meta(&self) -> &Meta {
        &self.meta
    }
}

impl Outcome for ReadResourceResult {
    fn meta(&self) -> &Meta {
        &self.meta
    }
}
