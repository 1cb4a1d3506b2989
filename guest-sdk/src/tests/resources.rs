//! Resources and templates as the contract has them.

use crate::bindings::dacapo::handler::content::ResourceBody;
use crate::bindings::resources as wit;
use crate::prelude::*;
use crate::{resource, resource_template};

/// A text.
#[resource("docs://text", title = "Text", mime_type = "text/plain", size = 4, icon = "https://example.com/a.png",
    audience = [Role::User], priority = 0.5, last_modified = "2026-07-28T12:00:00Z")]
fn text() -> &'static str {
    "text"
}

/// Bytes.
#[resource("docs://bytes", name = "raw")]
fn bytes(_: &Context) -> Vec<u8> {
    vec![1, 2]
}

/// Two things.
#[resource("docs://both", mime_type = "text/plain")]
fn both() -> Vec<ResourceContents> {
    let second = ResourceContents::blob([3]).uri("docs://other").mime_type("a/b").meta([("c/d", 1)]);
    vec![ResourceContents::text("one"), second]
}

/// Not there.
#[resource("docs://gone")]
fn gone() -> Result<String> {
    Err(not_found())
}

/// Broken.
#[resource("docs://broken")]
fn broken() -> Result<String> {
    Err(ToolError::new("The disk is full."))
}

#[derive(Choice, Debug)]
enum Kind {
    Book,
    Film,
}

#[derive(TemplateVariables)]
struct Item {
    kind: Kind,
    #[template(rename = "id")]
    number: u16,
}

/// An item.
#[resource_template("shop://{kind}/{id}", mime_type = "text/plain")]
fn item(Item { kind, number }: Item, ctx: &Context) -> String {
    let _: &Context = ctx;
    format!("{kind:?} {number}")
}

#[derive(TemplateVariables)]
struct Path {
    path: String,
}

/// A file.
#[resource_template("shop://files/{+path}")]
fn file(Path { path }: Path) -> String {
    path
}

const RESOURCES: &[resource::Entry] = &[
    resource::Entry::of::<text>(),
    resource::Entry::of::<bytes>(),
    resource::Entry::of::<both>(),
    resource::Entry::of::<gone>(),
    resource::Entry::of::<broken>(),
];
const TEMPLATES: &[resource_template::Entry] =
    &[resource_template::Entry::of::<item>(), resource_template::Entry::of::<file>()];

fn read(uri: &str) -> std::result::Result<Vec<wit::ResourceContents>, wit::ReadError> {
    resource::read(RESOURCES, TEMPLATES, uri).map(|result| result.contents)
}

fn contents(uri: &str, mime_type: Option<&str>, body: ResourceBody) -> wit::ResourceContents {
    wit::ResourceContents { uri: uri.to_owned(), mime_type: mime_type.map(str::to_owned), body, meta: None }
}

fn of_text(text: &str) -> ResourceBody {
    ResourceBody::Text(text.to_owned())
}

#[test]
fn descriptors_say_all_that_the_author_said() {
    let list = resource::list(RESOURCES);
    let first = &list[0];
    assert_eq!(
        (first.uri.as_str(), first.name.as_str(), first.title.as_deref()),
        ("docs://text", "text", Some("Text"))
    );
    assert_eq!((first.description.as_deref(), first.mime_type.as_deref()), (Some("A text."), Some("text/plain")));
    assert_eq!((first.size, first.icons.len()), (Some(4), 1));
    let hints = first.annotations.as_ref().unwrap();
    assert_eq!(hints.audience, [crate::bindings::dacapo::handler::content::Role::User]);
    assert_eq!((hints.priority, hints.last_modified.as_deref()), (Some(0.5), Some("2026-07-28T12:00:00Z")));
    assert_eq!(list[1].name, "raw");
    let templates = resource_template::list(TEMPLATES);
    assert_eq!(templates[0].uri_template, "shop://{kind}/{id}");
    assert_eq!((templates[0].name.as_str(), templates[0].mime_type.as_deref()), ("item", Some("text/plain")));
}

#[test]
fn what_is_read_is_at_its_uri_with_its_media_type() {
    assert_eq!(read("docs://text"), Ok(vec![contents("docs://text", Some("text/plain"), of_text("text"))]));
    assert_eq!(read("docs://bytes"), Ok(vec![contents("docs://bytes", None, ResourceBody::Blob(vec![1, 2]))]));
    let second = wit::ResourceContents {
        meta: Some(r#"{"c/d":1}"#.to_owned()),
        ..contents("docs://other", Some("a/b"), ResourceBody::Blob(vec![3]))
    };
    assert_eq!(read("docs://both"), Ok(vec![contents("docs://both", Some("text/plain"), of_text("one")), second]));
}

#[test]
fn variables_reach_the_function_with_their_types() {
    let uri = "shop://film/7";
    assert_eq!(read(uri), Ok(vec![contents(uri, Some("text/plain"), of_text("Film 7"))]));
    let uri = "shop://files/a%20b/c";
    assert_eq!(read(uri), Ok(vec![contents(uri, None, of_text("a b/c"))]));
}

#[test]
fn what_does_not_exist_is_not_found() {
    for uri in
        ["docs://gone", "docs://never", "shop://film/seven", "shop://song/1", "shop://film/65536", "shop://film/"]
    {
        assert_eq!(read(uri), Err(wit::ReadError::NotFound), "{uri}");
    }
}

#[test]
fn a_resources_failure_is_an_error_of_the_protocol() {
    let Err(wit::ReadError::Protocol(error)) = read("docs://broken") else { panic!("expected an error") };
    assert_eq!((error.code, error.message.as_str()), (-32603, "The disk is full."));
}
