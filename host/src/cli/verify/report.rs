//! What came of a rehearsal, in words and as JSON.

use std::process::ExitCode;

use dacapo_replay::ending::Pending;
use dacapo_replay::{Differences, Stop};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::super::answers::Answers;
use super::rehearsal::Stopped;

/// A handler that is the same both ways.
pub(super) struct Faithful {
    /// The keys of what it asked, in order.
    pub(super) questions: Vec<String>,
    /// How often it ran when it was stopped at every question.
    pub(super) rounds: usize,
    /// How many values it kept with `once`.
    pub(super) once: usize,
    /// What it returned: `result` with its `_meta`, or `error`.
    pub(super) result: Value,
}

/// A handler that is not, or of which it can't be told.
pub(super) enum Failure {
    /// The command line is wrong.
    Usage(String),
    /// It asks what has no answer.
    Missing(Box<Pending>),
    /// It comes to no end even straight through.
    Failed(String),
    /// Replayed, it came to another end than straight through.
    Unlike(String),
    /// Both came to an end, and differ.
    Differs {
        /// Where.
        differences: Differences,
        /// The one way.
        one: &'static str,
        /// The other way.
        other: &'static str,
    },
}

impl Failure {
    /// There is no such thing.
    pub(super) fn unknown<'a>(kind: &str, name: &str, known: impl Iterator<Item = &'a String>) -> Self {
        let known: Vec<_> = known.map(String::as_str).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        Self::Usage(format!("the component has no {kind} \"{name}\"; it has {known}"))
    }

    /// There is no answer to the first of these.
    pub(super) fn missing(pending: Vec<Pending>) -> Self {
        let asked = pending.into_iter().next();
        asked.map_or_else(|| Self::Failed("it asks nothing".to_owned()), |asked| Self::Missing(Box::new(asked)))
    }

    /// It asks what it did not ask straight through.
    pub(super) fn stranger(pending: &[Pending]) -> Self {
        let keys: Vec<_> = pending.iter().map(|asked| format!("\"{}\"", asked.key.escape_debug())).collect();
        Self::Unlike(format!("replayed, it asks {}, which it did not ask straight through", keys.join(", ")))
    }

    /// It came to no end, though it did straight through.
    pub(super) fn unlike(stopped: &Stopped, way: &str) -> Self {
        Self::Unlike(match stopped {
            Stopped::Asked(Stop::Diverged(divergence)) => divergence.to_string(),
            stopped => format!("straight through it came to an end; {way}, {stopped}"),
        })
    }

    /// A stable word for programs.
    fn reason(&self) -> &'static str {
        match self {
            Self::Usage(_) => "usage",
            Self::Missing(_) => "missing-answer",
            Self::Failed(_) => "failed",
            Self::Unlike(_) => "unlike",
            Self::Differs { .. } => "differs",
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Usage(what) => what.clone(),
            Self::Missing(asked) => {
                format!("--answers has nothing for \"{}\", which the handler asks: {}", asked.key, json!(asked.json))
            }
            Self::Failed(what) => format!("can't tell: the handler came to no end straight through: {what}"),
            Self::Unlike(what) => format!("not faithful: {what}"),
            Self::Differs { differences, one, other } => {
                let lines: Vec<_> = differences
                    .first
                    .iter()
                    .map(|difference| format!("\n  {}", difference.named(one, other)))
                    .collect();
                let more =
                    if differences.more > 0 { format!("\n  and {} more", differences.more) } else { String::new() };
                format!("not faithful: {one} and {other}, the handler did not do the same:{}{more}", lines.concat())
            }
        }
    }
}

/// What is told.
pub(super) struct Report {
    done: Result<Faithful, Failure>,
    /// Keys of answers to what was never asked.
    unused: Vec<String>,
}

impl Report {
    pub(super) fn of(done: Result<Faithful, Failure>, answers: &Answers) -> Self {
        let unused = match &done {
            Ok(faithful) => {
                let is_unused = |key: &&str| !faithful.questions.iter().any(|asked| asked == key);
                answers.iter().map(|(key, _)| key).filter(is_unused).map(str::to_owned).collect()
            }
            Err(_) => Vec::new(),
        };
        Self { done, unused }
    }

    /// Prints it, and says how the program ends.
    pub(super) fn print(&self, as_json: bool) -> ExitCode {
        if as_json {
            println!("{}", self.json());
        } else {
            match &self.done {
                Ok(faithful) => println!("{}", faithful.words()),
                Err(failure @ (Failure::Usage(_) | Failure::Missing(_))) => eprintln!("error: {}", failure.message()),
                Err(failure) => println!("{}", failure.message()),
            }
            if !self.unused.is_empty() {
                eprintln!("note: --answers has answers to what was never asked: {}", self.unused.join(", "));
            }
        }
        match &self.done {
            Ok(_) => ExitCode::SUCCESS,
            Err(Failure::Usage(_) | Failure::Missing(_)) => ExitCode::from(2),
            Err(_) => ExitCode::FAILURE,
        }
    }

    fn json(&self) -> Value {
        match &self.done {
            Ok(Faithful { questions, rounds, once, result }) => json!({
                "faithful": true,
                "questions": questions,
                "rounds": rounds,
                "once": once,
                "outcome": result,
                "unused": self.unused,
            }),
            Err(failure) => {
                let mut told = Map::new();
                let mut add = |name: &str, value: Value| drop(told.insert(name.to_owned(), value));
                add("faithful", false.into());
                add("reason", failure.reason().into());
                add("message", failure.message().into());
                match failure {
                    Failure::Missing(asked) => {
                        add("missing", json!({"key": asked.key, "request": asked.request}));
                    }
                    Failure::Differs { differences, one, other } => {
                        #[derive(Serialize)]
                        struct Sides<'a> {
                            between: [&'a str; 2],
                            first: &'a [dacapo_replay::Difference],
                            more: usize,
                        }
                        let sides = Sides { between: [one, other], first: &differences.first, more: differences.more };
                        add("differences", json!(sides));
                    }
                    _ => {}
                }
                told.into()
            }
        }
    }
}

impl Faithful {
    fn words(&self) -> String {
        let count = |number: usize, one: &str, many: &str| match number {
            1 => format!("1 {one}"),
            number => format!("{number} {many}"),
        };
        format!(
            "faithful: {}, {}, {} kept; straight through and replayed are the same",
            count(self.questions.len(), "question", "questions"),
            count(self.rounds, "round", "rounds"),
            count(self.once, "value", "values"),
        )
    }
}
