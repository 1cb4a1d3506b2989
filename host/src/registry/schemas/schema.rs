//! One JSON Schema, checked against the rules of its dialect, compiled, and bounded in size and depth.
//!
//! Nothing is ever fetched: a schema stands alone. Formats are annotations, as the dialects have it, and are not checked.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, ReferencingError, ValidationError, Validator};
use serde_json::Value;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::timeout;

use super::violation::{Violations, said, shortened};
use super::walk::walk;

/// The greatest size of a schema's text, in bytes.
const LARGEST: usize = 256 << 10;

/// How deeply objects and arrays of a schema may be nested.
const DEEPEST: usize = 64;

/// How often a regular expression may go back before it is given up: it is the author's, and the text is the client's.
const BACKTRACKING: usize = 100_000;

/// How many bytes a regular expression may have, compiled.
const LARGEST_PATTERN: usize = 1 << 20;

/// The dialects that are understood.
const DIALECTS: &str = "https://json-schema.org/draft/2020-12/schema (the default), \
                        https://json-schema.org/draft/2019-09/schema, http://json-schema.org/draft-07/schema#, \
                        http://json-schema.org/draft-06/schema# and http://json-schema.org/draft-04/schema#";

/// How long a check may take that may go on for ever.
const PATIENCE: Duration = Duration::from_secs(1);

/// The stack of a check that may go deep, in bytes. Little of it is ever touched.
const STACK: usize = 256 << 20;

/// How many schemas may stand in one another during a check: what [`STACK`] holds several times over.
const ROOM: usize = 150_000;

/// A compiled schema.
pub struct Schema {
    validator: Arc<Validator>,
    /// The number of schemas in it at most, if it refers to itself: then a check may go deep, and take long.
    winding: Option<usize>,
    /// A check went on and on.
    given_up: AtomicBool,
    /// Held by the thread that checks: a schema has one at a time, and so one at most that goes on and on.
    apart: Arc<Semaphore>,
}

/// What is wrong with a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// Where in the schema, as a JSON pointer.
    pub pointer: String,
    /// What is wrong, and what was expected.
    pub what: String,
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Schema({:?})", self.validator.draft())
    }
}

/// Reads a schema's text.
///
/// # Errors
///
/// When it is too large, nested too deeply, or no JSON.
pub fn read(text: &str) -> Result<Value, Flaw> {
    let flaw = |what| Flaw { pointer: String::new(), what };
    if text.len() > LARGEST {
        return Err(flaw(format!("it has {} bytes; expected {LARGEST} at most", text.len())));
    }
    let schema = serde_json::from_str(text)
        .map_err(|error| flaw(format!("it can't be read: {error}; expected JSON, nested {DEEPEST} levels at most")))?;
    let depth = depth(&schema);
    if depth > DEEPEST {
        return Err(flaw(format!("it is nested {depth} levels deep; expected {DEEPEST} at most")));
    }
    Ok(schema)
}

/// How many objects and arrays stand in one another.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or_default(),
        _ => 0,
    }
}

impl Schema {
    /// Compiles a schema that [`read`] has let through.
    ///
    /// # Errors
    ///
    /// When it breaks the rules of its dialect, names one that is not known, or refers to what is not in it.
    pub fn compile(schema: &Value) -> Result<Self, Flaw> {
        unknown_dialect(schema).map_or(Ok(()), Err)?;
        let patterns = PatternOptions::fancy_regex().backtrack_limit(BACKTRACKING).size_limit(LARGEST_PATTERN);
        jsonschema::options()
            .offline()
            .should_validate_formats(false)
            .with_pattern_options(patterns)
            .build(schema)
            .map(|validator| Self {
                validator: Arc::new(validator),
                winding: refers(schema).then(|| objects(schema)),
                given_up: AtomicBool::new(false),
                apart: Arc::new(Semaphore::new(1)),
            })
            .map_err(|error| flaw(schema, &error))
    }

    /// Checks a value, given as its JSON text.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub async fn check(&self, text: &str) -> Result<(), Violations> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| Violations::whole(&format!("it can't be read: {error}")))?;
        match self.winding {
            None => verdict(&self.validator, &value),
            Some(schemas) if schemas.saturating_mul(depth(&value) + 1) > ROOM => {
                Err(Violations::whole("the value is nested too deeply for this schema"))
            }
            Some(_) => self.check_apart(value).await,
        }
    }

    /// Checks on a thread of its own, with the stack for it. References can multiply, so that a small schema keeps a thread
    /// busy for years, and the library can't be interrupted: such a thread is left alone, and the schema never tried again.
    async fn check_apart(&self, value: Value) -> Result<(), Violations> {
        let given_up = || Err(Violations::whole(&format!("the check took longer than {PATIENCE:?} and was given up")));
        if self.given_up.load(Ordering::Relaxed) {
            return given_up();
        }
        let Ok(Ok(turn)) = timeout(PATIENCE, Arc::clone(&self.apart).acquire_owned()).await else {
            return given_up();
        };
        let (sender, receiver) = oneshot::channel();
        let validator = Arc::clone(&self.validator);
        let check = move || {
            let _turn = turn;
            // Nobody waits any more if this fails.
            let _late = sender.send(verdict(&validator, &value));
        };
        let failed = |error: &dyn fmt::Display| Err(Violations::whole(&format!("the check failed: {error}")));
        if let Err(error) = thread::Builder::new().name("schema".to_owned()).stack_size(STACK).spawn(check) {
            return failed(&error);
        }
        match timeout(PATIENCE, receiver).await {
            Ok(Ok(verdict)) => verdict,
            Ok(Err(error)) => failed(&error),
            Err(_elapsed) => {
                self.given_up.store(true, Ordering::Relaxed);
                given_up()
            }
        }
    }
}

fn verdict(validator: &Validator, value: &Value) -> Result<(), Violations> {
    if validator.is_valid(value) { Ok(()) } else { Err(Violations::of(validator.iter_errors(value))) }
}

/// Whether a schema may refer to something. A reference that is merely data is taken for one.
fn refers(schema: &Value) -> bool {
    match schema {
        Value::Array(items) => items.iter().any(refers),
        Value::Object(members) => members
            .iter()
            .any(|(name, value)| matches!(name.as_str(), "$ref" | "$dynamicRef" | "$recursiveRef") || refers(value)),
        _ => false,
    }
}

/// How many objects there are in a value.
fn objects(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(objects).sum(),
        Value::Object(members) => 1 + members.values().map(objects).sum::<usize>(),
        _ => 0,
    }
}

/// The first dialect named in a schema that is not known.
fn unknown_dialect(schema: &Value) -> Option<Flaw> {
    walk(schema, |place| {
        let known =
            |named: &Value| named.as_str().map(Draft::from_schema_uri).is_some_and(|draft| draft != Draft::Unknown);
        match place.keywords.get("$schema").filter(|named| !known(named)) {
            Some(named) => ControlFlow::Break(Flaw {
                pointer: place.keyword("$schema"),
                what: format!("the dialect {} is not known; expected one of {DIALECTS}", shortened(&named.to_string())),
            }),
            None => ControlFlow::Continue(()),
        }
    })
}

fn flaw(schema: &Value, error: &ValidationError<'_>) -> Flaw {
    let ValidationErrorKind::Referencing(cause) = error.kind() else {
        return Flaw { pointer: error.instance_path().to_string(), what: shortened(&said(error)) };
    };
    let (wanted, what) = match cause {
        ReferencingError::Unretrievable { uri, .. } => (
            uri.as_str(),
            format!("\"{uri}\" is not in this schema, and nothing is fetched; put what it refers to into \"$defs\""),
        ),
        ReferencingError::PointerToNowhere { pointer } => {
            (pointer.as_str(), format!("nothing stands at \"{pointer}\" of this schema"))
        }
        ReferencingError::NoSuchAnchor { anchor } => {
            (anchor.as_str(), format!("the schema has no anchor \"{anchor}\""))
        }
        other => ("", other.to_string()),
    };
    Flaw { pointer: reference(schema, wanted).unwrap_or_default(), what: shortened(&what) }
}

/// Where a schema refers to `wanted`, as a JSON pointer: the library's error does not say it.
fn reference(schema: &Value, wanted: &str) -> Option<String> {
    let leads = |part: &str| !part.is_empty() && wanted.trim_end_matches('#').ends_with(part);
    walk(schema, |place| {
        let keyword = ["$ref", "$dynamicRef", "$recursiveRef"].into_iter().find(|keyword| {
            let target = place.keywords.get(*keyword).and_then(Value::as_str).unwrap_or_default();
            let (document, fragment) = target.split_once('#').unwrap_or((target, ""));
            leads(document) || leads(fragment)
        });
        keyword.map_or(ControlFlow::Continue(()), |keyword| ControlFlow::Break(place.keyword(keyword)))
    })
}

#[cfg(test)]
mod tests;
