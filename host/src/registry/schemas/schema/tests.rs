//! What a schema takes, and what it refuses.

use serde_json::json;

use super::*;

fn compile(schema: &Value) -> Result<Schema, Flaw> {
    read(&schema.to_string()).and_then(|schema| Schema::compile(&schema))
}

fn check(schema: &Schema, text: &str) -> Result<(), Violations> {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(schema.check(text))
}

fn refused(schema: &Value) -> (String, String) {
    let Flaw { pointer, what } = compile(schema).unwrap_err();
    (pointer, what)
}

fn violations(schema: &Value, value: &Value) -> String {
    check(&compile(schema).unwrap(), &value.to_string()).unwrap_err().to_string()
}

#[test]
fn a_schema_is_of_2020_12_unless_it_says_otherwise() {
    let tuple = json!({"prefixItems": [{"type": "string"}]});
    assert!(check(&compile(&tuple).unwrap(), "[1]").is_err());
    let mut old = tuple.clone();
    old["$schema"] = "http://json-schema.org/draft-07/schema#".into();
    assert!(check(&compile(&old).unwrap(), "[1]").is_ok());
}

#[test]
fn every_dialect_that_is_told_of_is_understood() {
    let told = DIALECTS.split([' ', ',']).filter(|word| word.starts_with("http")).collect::<Vec<_>>();
    assert_eq!(told.len(), 5);
    for dialect in told {
        let schema = json!({"$schema": dialect, "type": "integer"});
        assert!(check(&compile(&schema).unwrap(), "\"x\"").is_err(), "{dialect}");
    }
}

#[test]
fn unknown_dialects_are_refused_by_name() {
    for dialect in [json!("https://example.com/mine"), json!("https://json-schema.org/draft/2030-01/schema"), json!(7)]
    {
        let (pointer, what) = refused(&json!({"$schema": dialect}));
        assert_eq!(pointer, "/$schema");
        assert!(what.contains(&dialect.to_string()) && what.contains("2020-12"), "{what}");
    }
    let (pointer, what) = refused(&json!({"$defs": {"d": {"$id": "urn:d", "$schema": "https://example.com/mine"}}}));
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
        assert_eq!(check(&compiled, "[1]"), Ok(()), "{schema}");
        assert!(check(&compiled, "[\"1\"]").is_err(), "{schema}");
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
        assert_eq!(check(&compile(&schema).unwrap(), "\"no address\""), Ok(()), "{dialect}");
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
    assert!(check(&schema, &format!("{}{}", "[".repeat(1000), "]".repeat(1000))).is_err());
}

#[test]
fn a_pattern_that_goes_back_for_ever_is_given_up() {
    let schema = json!({"type": "string", "pattern": "^(?=(a+)+$)(a|aa)+$\\1"});
    assert!(check(&compile(&schema).unwrap(), &json!("a".repeat(5000) + "b").to_string()).is_err());
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
    assert_eq!(check(&schema, &nested(100)), Ok(()));
    let schema = compile(&chain(3000, 1, &again)).unwrap();
    assert_eq!(check(&schema, "[]"), Ok(()));
    let told = check(&schema, &nested(100)).unwrap_err().to_string();
    assert!(told.contains("nested too deeply"), "{told}");
}

#[test]
fn a_schema_whose_check_does_not_end_is_given_up_for_good() {
    let schema = compile(&chain(40, 2, &json!({"type": "string"}))).unwrap();
    let start = std::time::Instant::now();
    assert!(check(&schema, "1").unwrap_err().to_string().contains("given up"));
    assert!(start.elapsed() < PATIENCE * 10);
    let start = std::time::Instant::now();
    assert!(check(&schema, "1").unwrap_err().to_string().contains("given up"));
    assert!(start.elapsed() < PATIENCE);
}
