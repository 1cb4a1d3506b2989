//! What a tool may return.

use std::fmt;

use crate::bindings::exports::dacapo::handler::tools as wit;
use crate::prelude::*;
use crate::tool::{self, Entry, Tool};

#[derive(Serialize, JsonSchema)]
struct Point {
    x: i32,
    #[serde(skip_deserializing)]
    y: i32,
}

/// An alias hides the `Result` from the macro.
type Fallible = Result<String>;

macro_rules! tools {
    ($($name:ident -> $type:ty { $body:expr })+) => {$(
        /// A tool.
        #[tool]
        fn $name() -> $type {
            $body
        }
    )+};
}

tools! {
    nothing -> () { () }
    string -> String { "text".to_owned() }
    borrowed -> &'static str { "text" }
    block -> Content { Content::image([1, 2], "image/png").audience([Role::User]).priority(1.0).last_modified("2026") }
    blocks -> Vec<Content> { vec![Content::text("one"), Content::link(Link::new("a:b", "c").title("d").size(3))] }
    resources -> Vec<Content> { vec![Content::resource_text("a:t", "text/plain", "t"), Content::resource_blob("a:b", "b/b", [7])] }
    data -> Point { Point { x: 1, y: 2 } }
    list -> Vec<u8> { vec![1, 2] }
    maybe -> Option<Point> { None }
    fine_nothing -> Result<()> { Ok(()) }
    fine_data -> Result<Point> { Ok(Point { x: 1, y: 2 }) }
    alias -> Fallible { Err(ToolError::new("No.")) }
    own_error -> Result<Point, Outer> { Err(Outer) }
    several -> Result<(), ToolError> { Err(ToolError::with_content([Content::text("one"), Content::text("two")])) }
    refused -> Result<Point, ProtocolError> { Err(ProtocolError::invalid_params("No.")) }
    refused_with_data -> Result<()> { Err(ProtocolError::new(1000, "No.").with_data(&Point { x: 1, y: 2 })?.into()) }
    any_error -> anyhow::Result<Point> { Err(anyhow::Error::new(Outer).context("the tool failed")) }
    asked_error -> Result<Point> { Err(anyhow::Error::new(Outer).context("the tool failed"))? }
    text_error -> Result<Point> { Err("No.")? }
    told -> WithMeta<Point> { WithMeta::new(Point { x: 1, y: 2 }, [("a/b", 1)]) }
    told_text -> Result<WithMeta<String>> { Ok(WithMeta::new("text".to_owned(), [("a/b", 1)])) }
    not_json -> Vec<Unwritable> { vec![Unwritable] }
}

#[derive(Debug)]
struct Outer;

#[derive(Debug)]
struct Inner;

impl fmt::Display for Outer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the outer one failed")
    }
}

impl fmt::Display for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the inner one failed")
    }
}

impl std::error::Error for Outer {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&Inner)
    }
}

impl std::error::Error for Inner {}

#[derive(JsonSchema)]
struct Unwritable;

impl Serialize for Unwritable {
    fn serialize<S: serde::Serializer>(&self, _: S) -> std::result::Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("won't"))
    }
}

fn call<T: Tool>() -> std::result::Result<wit::ToolResult, wit::ProtocolError> {
    tool::call(&[Entry::of::<T>()], T::NAME, "{}")
}

fn text(text: &str) -> wit::ContentBlock {
    Content::text(text).into()
}

fn ok(content: Vec<wit::ContentBlock>, structured: Option<&str>) -> wit::ToolResult {
    wit::ToolResult { content, structured_content: structured.map(str::to_owned), is_error: false, meta: None }
}

fn failed(content: Vec<wit::ContentBlock>) -> wit::ToolResult {
    wit::ToolResult { content, structured_content: None, is_error: true, meta: None }
}

#[test]
fn any_error_is_told_with_its_causes() {
    let told = "the tool failed: the outer one failed: the inner one failed";
    assert_eq!(call::<any_error>(), Ok(failed(vec![text(told)])));
    assert_eq!(call::<asked_error>(), Ok(failed(vec![text(told)])));
    assert_eq!(call::<text_error>(), Ok(failed(vec![text("No.")])));
    assert!(any_error::descriptor().output_schema.is_some());
}

#[test]
fn a_result_may_have_a_meta_of_its_own() {
    let meta = Some(r#"{"a/b":1}"#.to_owned());
    let json = r#"{"x":1,"y":2}"#;
    let expected = wit::ToolResult { meta: meta.clone(), ..ok(vec![text(json)], Some(json)) };
    assert_eq!(call::<told>(), Ok(expected));
    assert_eq!(told::descriptor().output_schema, data::descriptor().output_schema);
    assert_eq!(call::<told_text>(), Ok(wit::ToolResult { meta, ..ok(vec![text("text")], None) }));
    assert_eq!(told_text::descriptor().output_schema, None);
}

#[test]
fn nothing_is_no_content() {
    assert_eq!(call::<nothing>(), Ok(ok(vec![], None)));
    assert_eq!(call::<fine_nothing>(), Ok(ok(vec![], None)));
    assert_eq!(nothing::descriptor().output_schema, None);
    assert_eq!(fine_nothing::descriptor().output_schema, None);
}

#[test]
fn a_text_is_one_block() {
    assert_eq!(call::<string>(), Ok(ok(vec![text("text")], None)));
    assert_eq!(call::<borrowed>(), Ok(ok(vec![text("text")], None)));
    assert_eq!(string::descriptor().output_schema, None);
    assert_eq!(borrowed::descriptor().output_schema, None);
    assert_eq!(alias::descriptor().output_schema, None);
}

#[test]
fn blocks_are_themselves() {
    let [wit::ContentBlock::Image(image)] = &call::<block>().unwrap().content[..] else { panic!("expected an image") };
    assert_eq!((&image.data[..], image.mime_type.as_str()), (&[1, 2][..], "image/png"));
    let annotations = image.annotations.as_ref().unwrap();
    assert_eq!((annotations.priority, annotations.last_modified.as_deref()), (Some(1.0), Some("2026")));
    assert_eq!(annotations.audience.len(), 1);

    let result = call::<blocks>().unwrap();
    let [first, wit::ContentBlock::ResourceLink(link)] = &result.content[..] else { panic!("expected text and link") };
    assert_eq!(*first, text("one"));
    assert_eq!(
        (link.uri.as_str(), link.name.as_str(), link.title.as_deref(), link.size),
        ("a:b", "c", Some("d"), Some(3))
    );

    assert_eq!(call::<resources>().unwrap().content.len(), 2);
    assert_eq!(blocks::descriptor().output_schema, None);
    assert_eq!(block::descriptor().output_schema, None);
}

#[test]
fn data_is_structured_content_and_the_same_text() {
    let json = r#"{"x":1,"y":2}"#;
    assert_eq!(call::<data>(), Ok(ok(vec![text(json)], Some(json))));
    assert_eq!(call::<fine_data>(), Ok(ok(vec![text(json)], Some(json))));
    assert_eq!(call::<list>(), Ok(ok(vec![text("[1,2]")], Some("[1,2]"))));
    assert_eq!(call::<maybe>(), Ok(ok(vec![text("null")], Some("null"))));
}

#[test]
fn an_output_schema_is_that_of_what_is_written() {
    for schema in [data::descriptor().output_schema, fine_data::descriptor().output_schema] {
        let schema: serde_json::Value = serde_json::from_str(&schema.unwrap()).unwrap();
        assert_eq!(schema["required"], serde_json::json!(["x", "y"]));
    }
    assert!(list::descriptor().output_schema.unwrap().contains(r#""type":"array""#));
}

#[test]
fn an_error_is_a_result_marked_as_one() {
    assert_eq!(call::<alias>(), Ok(failed(vec![text("No.")])));
    assert_eq!(call::<several>(), Ok(failed(vec![text("one"), text("two")])));
    assert_eq!(call::<own_error>(), Ok(failed(vec![text("the outer one failed: the inner one failed")])));
    assert!(own_error::descriptor().output_schema.is_some());
}

#[test]
fn a_protocol_error_stays_one() {
    let error = call::<refused>().unwrap_err();
    assert_eq!((error.code, error.message.as_str(), error.data), (-32602, "No.", None));
    let error = call::<refused_with_data>().unwrap_err();
    assert_eq!((error.code, error.data.as_deref()), (1000, Some(r#"{"x":1,"y":2}"#)));
}

#[test]
fn a_result_that_is_no_json_is_a_fault_of_the_tool() {
    let error = call::<not_json>().unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (-32603, "The tool's result can't be written as JSON: won't."));
}

#[test]
fn a_tool_error_shows_its_text() {
    let error = ToolError::with_content([Content::text("one"), Content::image([], "image/png"), Content::text("two")]);
    assert_eq!(error.to_string(), "one\ntwo");
    assert_eq!(ToolError::from(ProtocolError::internal("No.")).to_string(), "No. (-32603)");
}
