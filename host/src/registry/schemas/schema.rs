//! One JSON Schema, checked against the rules of its dialect, compiled, and bounded in size and depth.
//!
//! Nothing is ever fetched: a schema stands alone. Formats are annotations, as the dialects have it, and are not checked.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, ReferencingError, ValidationError, Validator};
use serde_json::Value;

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
            })
            .map_err(|error| flaw(schema, &error))
    }

    /// Checks a value, given as its JSON text.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn check(&self, text: &str) -> Result<(), Violations> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| Violations::whole(&format!("it can't be read: {error}")))?;
        match self.winding {
            None => verdict(&self.validator, &value),
            Some(schemas) if schemas.saturating_mul(depth(&value) + 1) > ROOM => {
                Err(Violations::whole("the value is nested too deeply for this schema"))
            }
            Some(_) => self.check_apart(value),
        }
    }

    /// Checks on a thread of its own, with the stack for it. References can multiply, so that a small schema keeps a thread
    /// busy for years, and the library can't be interrupted: such a thread is left alone, and the schema never tried again.
    fn check_apart(&self, value: Value) -> Result<(), Violations> {
        let given_up = || Err(Violations::whole(&format!("the check took longer than {PATIENCE:?} and was given up")));
        if self.given_up.load(Ordering::Relaxed) {
            return given_up();
        }
        let (sender, receiver) = mpsc::sync_channel(1);
        let validator = Arc::clone(&self.validator);
        let check = move || {
            // Nobody waits any more if this fails.
            let _late = sender.send(verdict(&validator, &value));
        };
        let failed = |error: &dyn fmt::Display| Err(Violations::whole(&format!("the check failed: {error}")));
        if let Err(error) = thread::Builder::new().name("schema".to_owned()).stack_size(STACK).spawn(check) {
            return failed(&error);
        }
        match receiver.recv_timeout(PATIENCE) {
            Ok(verdict) => verdict,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                self.given_up.store(true, Ordering::Relaxed);
                given_up()
            }
            Err(error @ mpsc::RecvTimeoutError::Disconnected) => failed(&error),
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
mod tests {
    use serde_json::json;

    use super::*;

    fn compile(schema: &Value) -> Result<Schema, Flaw> {
        read(&schema.to_string()).and_then(|schema| Schema::compile(&schema))
    }

    fn refused(schema: &Value) -> (String, String) {
        let Flaw { pointer, what } = compile(schema).unwrap_err();
        (pointer, what)
    }

    fn violations(schema: &Value, value: &Value) -> String {
        compile(schema).unwrap().check(&value.to_string()).unwrap_err().to_string()
    }

    #[test]
    fn a_schema_is_of_2020_12_unless_it_says_otherwise() {
        let tuple = json!({"prefixItems": [{"type": "string"}]});
        assert!(compile(&tuple).unwrap().check("[1]").is_err());
        let mut old = tuple.clone();
        old["$schema"] = "http://json-schema.org/draft-07/schema#".into();
        assert!(compile(&old).unwrap().check("[1]").is_ok());
    }

    #[test]
    fn every_dialect_that_is_told_of_is_understood() {
        let told = DIALECTS.split([' ', ',']).filter(|word| word.starts_with("http")).collect::<Vec<_>>();
        assert_eq!(told.len(), 5);
        for dialect in told {
            let schema = json!({"$schema": dialect, "type": "integer"});
            assert!(compile(&schema).unwrap().check("\"x\"").is_err(), "{dialect}");
        }
    }

    #[test]
    fn unknown_dialects_are_refused_by_name() {
        for dialect in
            [json!("https://example.com/mine"), json!("https://json-schema.org/draft/2030-01/schema"), json!(7)]
        {
            let (pointer, what) = refused(&json!({"$schema": dialect}));
            assert_eq!(pointer, "/$schema");
            assert!(what.contains(&dialect.to_string()) && what.contains("2020-12"), "{what}");
        }
        let (pointer, what) =
            refused(&json!({"$defs": {"d": {"$id": "urn:d", "$schema": "https://example.com/mine"}}}));
        assert!(what.contains("https://example.com/mine"), "{pointer}: {what}");
        assert_eq!(pointer, "/$defs/d/$schema");
    }

    #[test]
    fn broken_schemas_are_refused_with_the_place_and_what_was_expected() {
        let broken = [
            (json!({"type": "text"}), "/type", "\"string\""),
            (json!({"properties": {"a/b": {"minimum": "1"}}}), "/properties/a~1b/minimum", "number"),
            (json!({"properties": []}), "/properties", "object"),
            (json!({"required": ["a", "a"]}), "/required", "non-unique"),
            (json!({"items": {"pattern": "("}}), "/items/pattern", "regex"),
            (json!({"$ref": 7}), "/$ref", "string"),
        ];
        for (schema, at, expected) in broken {
            let (pointer, what) = refused(&schema);
            assert_eq!(pointer, at, "{schema}: {what}");
            assert!(what.contains(expected), "{schema}: {what}");
        }
    }

    #[test]
    fn nothing_outside_of_the_schema_is_referred_to() {
        let outside = [
            "https://example.com/person.json",
            "http://127.0.0.1:1/x#/$defs/y",
            "file:///etc/passwd",
            "person.json",
            "urn:example:person",
        ];
        for target in outside {
            let (pointer, what) = refused(&json!({"properties": {"p": {"$ref": target}}}));
            assert_eq!(pointer, "/properties/p/$ref", "{target}: {what}");
            assert!(what.contains("nothing is fetched"), "{target}: {what}");
        }
        for (target, word) in [("#/$defs/none", "/$defs/none"), ("#none", "none")] {
            let (pointer, what) = refused(&json!({"properties": {"p": {"$ref": target}}}));
            assert_eq!(pointer, "/properties/p/$ref", "{target}: {what}");
            assert!(what.contains(word), "{target}: {what}");
        }
    }

    #[test]
    fn references_within_the_schema_are_followed() {
        let inside = [
            json!({"$defs": {"n": {"type": "integer"}}, "items": {"$ref": "#/$defs/n"}}),
            json!({"$defs": {"n": {"$anchor": "number", "type": "integer"}}, "items": {"$ref": "#number"}}),
            json!({"$defs": {"n": {"$id": "https://example.com/n", "type": "integer"}}, "items": {"$ref": "https://example.com/n"}}),
            json!({"type": ["array", "integer"], "items": {"$ref": "#"}}),
        ];
        for schema in inside {
            let compiled = compile(&schema).unwrap();
            assert_eq!(compiled.check("[1]"), Ok(()), "{schema}");
            assert!(compiled.check("[\"1\"]").is_err(), "{schema}");
        }
    }

    #[test]
    fn size_and_depth_are_bounded() {
        let nested = |levels: usize| (1..levels).fold(json!({}), |inner, _| json!({"not": inner}));
        assert!(compile(&nested(DEEPEST)).is_ok());
        assert!(refused(&nested(DEEPEST + 1)).1.contains("64"));
        let flaw = read(&"{\"not\":".repeat(100_000)).unwrap_err();
        assert!(flaw.what.contains("262144"), "{}", flaw.what);
        let flaw = read(&format!("{}{}", "[".repeat(1000), "]".repeat(1000))).unwrap_err();
        assert!(flaw.what.contains("64"), "{}", flaw.what);
        let long = |length: usize| json!({"description": "x".repeat(length)});
        assert!(compile(&long(LARGEST - 18)).is_ok());
        assert!(refused(&long(LARGEST)).1.contains("262144"));
    }

    #[test]
    fn formats_are_annotations() {
        for dialect in ["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"] {
            let schema = json!({"$schema": dialect, "type": "string", "format": "email"});
            assert_eq!(compile(&schema).unwrap().check("\"no address\""), Ok(()), "{dialect}");
        }
    }

    #[test]
    fn violations_say_where_and_what_was_expected_and_do_not_echo() {
        let schema = json!({
            "type": "object",
            "properties": {"a": {"items": {"type": "integer", "maximum": 9}}, "s": {"type": "string", "maxLength": 3}},
            "required": ["b"],
        });
        let told = violations(&schema, &json!({"a": [1, "2", 10], "s": "secret"}));
        let mut lines: Vec<&str> = told.lines().collect();
        lines.sort_unstable();
        assert_eq!(
            lines,
            [
                "at \"\": \"b\" is a required property",
                "at \"/a/1\": the value is not of type \"integer\"",
                "at \"/a/2\": the value is greater than the maximum of 9",
                "at \"/s\": the value is longer than 3 characters",
            ]
        );
    }

    #[test]
    fn of_alternatives_each_says_why_it_does_not_fit() {
        let schema = json!({"properties": {"c": {"anyOf": [{"type": "integer"}, {"required": ["d"]}]}}});
        let told = violations(&schema, &json!({"c": {}}));
        assert!(told.starts_with("at \"/c\": ") && told.contains("\"integer\"") && told.contains("\"d\""), "{told}");
    }

    #[test]
    fn violations_are_bounded_in_number_and_length() {
        let schema = json!({"items": {"type": "integer"}, "additionalProperties": false});
        let told = violations(&schema, &json!(vec!["x"; 100]));
        assert_eq!(told.lines().count(), 9, "{told}");
        assert!(told.ends_with("and more"), "{told}");
        assert!(violations(&schema, &json!({"x".repeat(100_000): 1})).len() < 1000);
    }

    #[test]
    fn what_is_nested_too_deeply_to_read_does_not_fit() {
        let schema = compile(&json!({"items": {"$ref": "#"}})).unwrap();
        assert!(schema.check(&format!("{}{}", "[".repeat(1000), "]".repeat(1000))).is_err());
    }

    #[test]
    fn a_pattern_that_goes_back_for_ever_is_given_up() {
        let schema = json!({"type": "string", "pattern": "^(?=(a+)+$)(a|aa)+$\\1"});
        assert!(compile(&schema).unwrap().check(&json!("a".repeat(5000) + "b").to_string()).is_err());
    }

    /// Definitions that each lead to the next one in `ways` ways; the last one is `last`.
    fn chain(length: usize, ways: usize, last: &Value) -> Value {
        let mut definitions = serde_json::Map::new();
        for index in 1..length {
            let next = json!({"$ref": format!("#/$defs/d{index}")});
            let ways: Vec<_> = (0..ways).map(|way| json!({"allOf": [next, {"maxLength": way}]})).collect();
            definitions.insert(format!("d{}", index - 1), json!({"anyOf": ways}));
        }
        definitions.insert(format!("d{}", length - 1), last.clone());
        json!({"$defs": definitions, "$ref": "#/$defs/d0"})
    }

    fn nested(levels: usize) -> String {
        format!("{}{}", "[".repeat(levels), "]".repeat(levels))
    }

    #[test]
    fn long_ways_through_references_do_not_exhaust_the_stack() {
        let again = json!({"type": "array", "items": {"$ref": "#/$defs/d0"}});
        let schema = compile(&chain(300, 1, &again)).unwrap();
        assert_eq!(schema.check(&nested(100)), Ok(()));
        let schema = compile(&chain(3000, 1, &again)).unwrap();
        assert_eq!(schema.check("[]"), Ok(()));
        let told = schema.check(&nested(100)).unwrap_err().to_string();
        assert!(told.contains("nested too deeply"), "{told}");
    }

    #[test]
    fn a_schema_whose_check_does_not_end_is_given_up_for_good() {
        let schema = compile(&chain(40, 2, &json!({"type": "string"}))).unwrap();
        let start = std::time::Instant::now();
        assert!(schema.check("1").unwrap_err().to_string().contains("given up"));
        assert!(start.elapsed() < PATIENCE * 10);
        let start = std::time::Instant::now();
        assert!(schema.check("1").unwrap_err().to_string().contains("given up"));
        assert!(start.elapsed() < PATIENCE);
    }
}
