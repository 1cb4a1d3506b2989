//! Matching of URIs against templates.

use crate::template::{Part, values};

const fn variable(name: &'static str) -> Part {
    Part::Variable { name, reserved: false, fragment: false }
}

const fn reserved(name: &'static str) -> Part {
    Part::Variable { name, reserved: true, fragment: false }
}

const DATA: &[Part] = &[Part::Literal("test://"), variable("id"), Part::Literal("/data")];

fn matched(parts: &[Part], uri: &str) -> Option<Vec<String>> {
    Some(values(parts, uri)?.into_iter().map(|(_, value)| value).collect())
}

#[test]
fn a_value_stands_where_its_variable_does() {
    assert_eq!(values(DATA, "test://123/data"), Some(vec![("id".to_owned(), "123".to_owned())]));
    for uri in ["test:///data", "test://1/data/", "test://1/2/data", "TEST://1/data", "test://1", ""] {
        assert_eq!(values(DATA, uri), None, "{uri}");
    }
}

#[test]
fn values_are_percent_decoded() {
    assert_eq!(matched(DATA, "test://a%2Fb%20%C3%BC/data"), Some(vec!["a/b ü".to_owned()]));
    for uri in ["test://%/data", "test://%2/data", "test://%zz/data", "test://%FF/data"] {
        assert_eq!(values(DATA, uri), None, "{uri}");
    }
}

#[test]
fn only_a_reserved_value_holds_reserved_characters() {
    let parts = [Part::Literal("file:///"), reserved("path")];
    assert_eq!(matched(&parts, "file:///a/b?c=d"), Some(vec!["a/b?c=d".to_owned()]));
    assert_eq!(values(&[Part::Literal("file:///"), variable("path")], "file:///a/b"), None);
    assert_eq!(values(&parts, "file:///a b"), None);
}

#[test]
fn a_fragment_follows_its_sign() {
    let parts = [Part::Literal("a:b"), Part::Variable { name: "part", reserved: true, fragment: true }];
    assert_eq!(matched(&parts, "a:b#c/d"), Some(vec!["c/d".to_owned()]));
    assert_eq!(values(&parts, "a:bc"), None);
}

#[test]
fn a_variable_gives_back_what_a_later_part_needs() {
    let parts = [Part::Literal("a:"), variable("one"), Part::Literal("-"), variable("two"), Part::Literal("-end")];
    assert_eq!(matched(&parts, "a:x-y-z-end"), Some(vec!["x-y".to_owned(), "z".to_owned()]));
    assert_eq!(values(&parts, "a:x-end"), None);
}
