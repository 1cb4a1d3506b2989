//! One attempt's way through a ledger.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::clock::VirtualClock;
use crate::divergence::{Divergence, Place};
use crate::draws::{Draws, Stream};
use crate::ending::{Pending, Stop};
use crate::ledger::{Answer, Kept, Ledger, Moment, Recorded, Slot};
use crate::question::BadQuestion;
use crate::reply::Input;
use crate::request::{Askable, Asked, Request};

/// How much a conversation may hold.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Questions in one conversation.
    pub questions: usize,
    /// Values kept by `once`.
    pub once_values: usize,
    /// Bytes of all values kept by `once`, names included.
    pub once_bytes: usize,
}

impl Default for Limits {
    /// 64 questions; 64 values of 16 KiB together.
    fn default() -> Self {
        Self { questions: 64, once_values: 64, once_bytes: 16 << 10 }
    }
}

/// Why `once` did not keep a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OnceError {
    /// The name has a value already.
    #[error("the name has a value already")]
    AlreadyKept,
    /// The values would be longer than the limit, in bytes.
    #[error("the values of the conversation would exceed {0} bytes")]
    TooLarge(usize),
    /// There are as many values as the limit allows.
    #[error("the conversation holds {0} values already")]
    TooMany(usize),
    /// The value is not JSON.
    #[error("the value is not JSON")]
    NotJson,
}

/// What a request met with.
enum Met {
    /// Its response, and the clock's reading when it came.
    Answered(Input, u64),
    /// Nothing yet.
    Open(Pending),
}

/// Reads the answer to a request in its slot.
fn met(request: &Request, slot: &Slot, answer: &Answer) -> Result<Met, Stop> {
    let input = request.read(&slot.key, slot.response(&answer.response)?)?;
    let input = input.ok_or_else(|| slot.not_an_answer("it is of another kind".to_owned()))?;
    Ok(Met::Answered(input, answer.at))
}

/// One attempt's way through a ledger: where it stands, and what it adds.
#[derive(Debug)]
pub struct Walk {
    ledger: Ledger,
    /// How many requests this attempt has made.
    position: usize,
    clock: Arc<VirtualClock>,
    draws: Arc<Draws>,
    /// What the client of this round can be asked.
    askable: Askable,
    limits: Limits,
    /// Responses that came before their requests: JSON by key, and the reading of the clock.
    beforehand: (BTreeMap<String, String>, u64),
}

impl Walk {
    /// Starts at the top of `ledger`. `askable` is what the client of this round can be asked.
    #[must_use]
    pub fn start(ledger: Ledger, askable: Askable, limits: Limits) -> Self {
        let clock = Arc::new(VirtualClock::at(ledger.opening.started, ledger.slots.is_empty()));
        Self { ledger, position: 0, clock, draws: Arc::default(), askable, limits, beforehand: Default::default() }
    }

    /// Takes along responses that came before their requests, JSON by key; `at` is the reading of the clock. Each is used
    /// when its key is asked for.
    #[must_use]
    pub fn with_responses(mut self, responses: BTreeMap<String, String>, at: u64) -> Self {
        self.beforehand = (responses, at);
        self
    }

    /// The ledger as it stands.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Ends the walk and hands back the ledger.
    #[must_use]
    pub fn into_ledger(self) -> Ledger {
        self.ledger
    }

    /// The clock of this attempt.
    #[must_use]
    pub fn clock(&self) -> &Arc<VirtualClock> {
        &self.clock
    }

    /// How far this attempt has drawn from the conversation's randomness.
    #[must_use]
    pub fn draws(&self) -> &Arc<Draws> {
        &self.draws
    }

    /// Makes one request.
    ///
    /// # Errors
    ///
    /// As [`Walk::ask_all`].
    pub fn ask(&mut self, asked: Asked) -> Result<Input, Stop> {
        match self.meet(asked, Place { number: 1, of: 1 })? {
            Met::Answered(input, at) => {
                self.go_on(at);
                Ok(input)
            }
            Met::Open(pending) => Err(self.suspend(vec![pending])),
        }
    }

    /// Makes several requests in one round; the responses come in their order.
    ///
    /// # Errors
    ///
    /// A [`Stop`], which ends the attempt: most often because a request has no response yet.
    pub fn ask_all(&mut self, asked: Vec<Asked>) -> Result<Vec<Input>, Stop> {
        if asked.is_empty() {
            return Err(BadQuestion::Nothing.into());
        }
        let of = asked.len();
        let mut inputs = Vec::with_capacity(of);
        let mut pending = Vec::new();
        let mut resumed_at = 0;
        for (number, asked) in (1..).zip(asked) {
            match self.meet(asked, Place { number, of })? {
                Met::Answered(input, at) => {
                    resumed_at = resumed_at.max(at);
                    inputs.push(input);
                }
                Met::Open(open) => pending.push(open),
            }
        }
        if pending.is_empty() {
            self.go_on(resumed_at);
            return Ok(inputs);
        }
        Err(self.suspend(pending))
    }

    /// Goes on after responses, of which the last came at this reading of the clock.
    fn go_on(&self, at: u64) {
        self.clock.resume_at(at);
        self.see_whether_live();
    }

    /// Stops where requests wait for responses.
    fn suspend(&self, pending: Vec<Pending>) -> Stop {
        let needed = pending.iter().fold(Askable::default(), |needed, pending| needed.and(pending.request.needs()));
        match self.askable.lacks(needed) {
            lacking if lacking == Askable::default() => Stop::InputRequired(pending),
            lacking => Stop::NotAskable(lacking),
        }
    }

    /// Holds the next request against its slot, or makes one for it.
    fn meet(&mut self, Asked { key, request }: Asked, place: Place) -> Result<Met, Stop> {
        let index = self.position;
        let ordinal = index + 1;
        if ordinal > self.limits.questions {
            return Err(Stop::TooManyQuestions(self.limits.questions));
        }
        let key = key.unwrap_or_else(|| format!("elicit-{ordinal}"));
        if key.is_empty() {
            return Err(BadQuestion::EmptyKey.into());
        }
        if self.ledger.slots.iter().take(index).any(|slot| slot.key == key) {
            return Err(BadQuestion::KeyTaken(key).into());
        }
        let json = request.json().map_err(|error| BadQuestion::Field { name: key.clone(), what: error.to_string() })?;
        if let Some(slot @ Slot { answer: Some(answer), .. }) = self.ledger.slots.get(index) {
            // What was asked before need not be checked again.
            if slot.key == key && slot.asked.is(json.text()) {
                self.position = ordinal;
                return met(&request, slot, answer);
            }
            request.check()?;
            return Err(Stop::Diverged(Box::new(Divergence::asked(ordinal, slot, &key, &request, &json, place))));
        }
        request.check()?;
        self.position = ordinal;
        // Nobody has answered what may stand here: what is asked now takes its place.
        let asked = Recorded::of(json.text(), self.ledger.room_at(index));
        let (beforehand, at) = &self.beforehand;
        let mut slot = Slot { key, kind: request.response_kind(), asked, answer: None };
        let met = if let Some(json) = beforehand.get(&slot.key) {
            let answer = slot.take(json, *at)?;
            let met = met(&request, &slot, &answer)?;
            slot.answer = Some(answer);
            met
        } else {
            Met::Open(Pending { key: slot.key.clone(), request, json })
        };
        match self.ledger.slots.get_mut(index) {
            Some(open) => *open = slot,
            None => self.ledger.slots.push(slot),
        }
        Ok(met)
    }

    /// Checks, once the handler has returned, that it asked all that was answered.
    ///
    /// # Errors
    ///
    /// The first answered question that it did not come to.
    pub fn finish(&self) -> Result<(), Box<Divergence>> {
        let left = self.ledger.slots.iter().enumerate().skip(self.position);
        match left.into_iter().find(|(_, slot)| slot.answer.is_some()) {
            Some((index, slot)) => Err(Box::new(Divergence::ended(index + 1, slot))),
            None => Ok(()),
        }
    }

    /// The value kept under `name`: JSON text.
    ///
    /// The run goes on from where the one that worked the value out stood then: what it asked, how long it took and what it
    /// drew on the way to the value is passed over, so that all that follows is the same.
    #[must_use]
    pub fn recall(&mut self, name: &str) -> Option<&str> {
        let kept = self.ledger.once.iter().find(|kept| kept.name == name)?;
        self.position = self.position.max(kept.after.asked);
        self.clock.resume_at(kept.after.clock);
        self.draws.skip_to(Stream::Secure, kept.after.secure);
        self.draws.skip_to(Stream::Insecure, kept.after.insecure);
        self.see_whether_live();
        Some(&kept.value)
    }

    /// Whether this attempt has come further than any before it: what they asked lies behind it.
    fn see_whether_live(&self) {
        self.clock.set_live(self.position >= self.ledger.slots.len());
    }

    /// Keeps `value`, JSON text, under `name` for every later attempt of the conversation.
    ///
    /// # Errors
    ///
    /// See [`OnceError`]. Nothing is kept then.
    pub fn remember(&mut self, name: String, value: String) -> Result<(), OnceError> {
        // In this order, a value that is refused is refused for the same reason on every run, whatever was kept after it: what
        // is kept only grows, and once there are as many values as there may be, it grows no more.
        if serde_json::from_str::<serde::de::IgnoredAny>(&value).is_err() {
            return Err(OnceError::NotJson);
        }
        if self.ledger.once.iter().any(|kept| kept.name == name) {
            return Err(OnceError::AlreadyKept);
        }
        let kept: usize = self.ledger.once.iter().map(|kept| kept.name.len() + kept.value.len()).sum();
        if kept + name.len() + value.len() > self.limits.once_bytes {
            return Err(OnceError::TooLarge(self.limits.once_bytes));
        }
        if self.ledger.once.len() >= self.limits.once_values {
            return Err(OnceError::TooMany(self.limits.once_values));
        }
        let after = Moment {
            asked: self.position,
            clock: self.clock.now(),
            secure: self.draws.get(Stream::Secure),
            insecure: self.draws.get(Stream::Insecure),
        };
        self.ledger.once.push(Kept { name, value, after });
        Ok(())
    }
}
