//! The macros of Dacapo's guest SDK. Authors get them from `dacapo_guest::prelude`, where each is documented with its trait.
//!
//! # Layout
//!
//! - [`tool`](macro@tool): `#[tool]`, in `tool.rs`
//! - [`prompt`](macro@prompt): `#[prompt]`, in `prompt.rs`
//! - [`resource`](macro@resource) and [`resource_template`](macro@resource_template), in `resource.rs`;
//!   `template.rs` reads the template
//! - [`completion`](macro@completion): `#[completion]`, in `completion.rs`
//! - [`handlers`](macro@handlers): `handlers!`, in `handlers.rs`
//! - [`Form`](macro@Form): `#[derive(Form)]`, in `form.rs`
//! - [`Choice`](macro@Choice): `#[derive(Choice)]`, in `choice.rs`
//! - [`PromptArguments`](macro@PromptArguments) and [`TemplateVariables`](macro@TemplateVariables), in `texts.rs`
//! - `attribute.rs`: keys and values in `#[form(…)]` and its like
//! - `docs.rs`: doc comments as texts
//! - `function.rs`: what a handler's functions have in common

mod attribute;
mod choice;
mod completion;
mod docs;
mod form;
mod function;
mod handlers;
mod prompt;
mod resource;
mod template;
mod texts;
mod tool;

use proc_macro::TokenStream;

/// Makes a tool of a function.
///
/// The function takes, in any order, `&Context` or not, and one struct of arguments by value (serde's `Deserialize` and
/// schemars' `JsonSchema`) or none. It returns nothing, `String`, `&'static str`, `Content`, `Vec<Content>`, any type with
/// serde's `Serialize` and schemars' `JsonSchema`, or a `Result` of one of those. Its doc comment is the tool's description,
/// and it must have one.
///
/// `#[tool(…)]` takes
///
/// | Key | Meaning |
/// |---|---|
/// | `name` | by default the function's |
/// | `title` | its name, for people |
/// | `read_only`, `destructive`, `idempotent`, `open_world` | hints, `= true` or `= false`; nothing is said by default |
/// | `input_schema` | a JSON Schema of the author's own, passed on as it is: a string or the path of a constant. The arguments are then any type with `Deserialize`, such as `serde_json::Value` |
/// | `icon` | an `https:` or `data:` URI; `icons = ["…", Icon::new("…").theme(Theme::Dark)]` for several |
/// | `meta` | a JSON object for the descriptor's `_meta`: a string or the path of a constant |
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(attribute.into(), item.into()).into()
}

/// Makes a prompt of a function.
///
/// The function takes, in any order, `&Context` or not, and one struct with `#[derive(PromptArguments)]` by value or none.
/// It returns `String` or `&'static str` (one message of the user), `Message`, `Vec<Message>`, `PromptResult`, or a `Result`
/// of one of those. Its doc comment is the prompt's description, and it must have one.
///
/// `#[prompt(…)]` takes `name = "…"` (by default the function's), `title = "…"`, `icon = "…"` (an `https:` or `data:` URI)
/// or `icons = […]`, and `meta = "…"` (a JSON object, or the path of a constant that holds one).
#[proc_macro_attribute]
pub fn prompt(attribute: TokenStream, item: TokenStream) -> TokenStream {
    prompt::expand(attribute.into(), item.into()).into()
}

/// Makes a resource of a function: `#[resource("docs://handbook")]`.
///
/// The function takes `&Context` or nothing. It returns `String` or `&'static str` (text), `Vec<u8>` (bytes),
/// `ResourceContents`, a `Vec` of those, or a `Result` of one of those. Its doc comment is the resource's description, and it
/// must have one.
///
/// After the URI, `#[resource(…)]` takes `name = "…"` (by default the function's), `title = "…"`, `mime_type = "…"`,
/// `size = 1024` (in bytes), the hints `audience = [Role::User]`, `priority = 0.5` (0 is optional, 1 required) and
/// `last_modified = "2026-07-28T12:00:00Z"`, `icon = "…"` (an `https:` or `data:` URI) or `icons = […]`, and `meta = "…"` (a
/// JSON object, or the path of a constant that holds one).
#[proc_macro_attribute]
pub fn resource(attribute: TokenStream, item: TokenStream) -> TokenStream {
    resource::expand(attribute.into(), item.into()).into()
}

/// Makes a resource template of a function: `#[resource_template("docs://{chapter}/{page}")]`.
///
/// The function takes, in any order, `&Context` or not, and one struct with `#[derive(TemplateVariables)]` by value or none.
/// The struct's fields are the template's variables, one for each. It returns what a resource returns; the keys are those of
/// [`#[resource]`](macro@resource) but for `size`.
///
/// A template (RFC 6570) has variables of the forms `{name}`, `{+name}` (whose value may hold reserved characters, such as
/// slashes) and `{#name}` (a fragment).
#[proc_macro_attribute]
pub fn resource_template(attribute: TokenStream, item: TokenStream) -> TokenStream {
    resource::expand_template(attribute.into(), item.into()).into()
}

/// Makes a completion of a function: suggestions while a user types an argument of a prompt or a variable of a template.
///
/// `#[completion(prompt = "name", argument = "…")]` or `#[completion(resource_template = "…", argument = "…")]`. The function
/// takes, in any order, what was typed (`&str`), the arguments that are filled in already (`&Resolved`) and `&Context`; all
/// may be left out. It returns `Vec<String>`, `Vec<&'static str>` or a `Completion`.
#[proc_macro_attribute]
pub fn completion(attribute: TokenStream, item: TokenStream) -> TokenStream {
    completion::expand(attribute.into(), item.into()).into()
}

/// Makes a handler of what it names. Once in a crate.
///
/// `handlers! { tools: […], prompts: […], resources: […], resource_templates: […], completions: […] }`, any of them in any
/// order. Each is the name of a function with the attribute of its kind, or a path to one. Two of one kind with the same name
/// (or URI) do not compile.
///
/// The handler exports the interfaces that it uses. One with prompts or resource templates exports completions, for enums
/// among their arguments complete themselves.
#[proc_macro]
pub fn handlers(input: TokenStream) -> TokenStream {
    handlers::expand(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Makes a form of a struct with named fields. See the trait `Form`.
#[proc_macro_derive(Form, attributes(form))]
pub fn form(input: TokenStream) -> TokenStream {
    form::expand(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Makes a choice of an enum without fields. See the trait `Choice`.
#[proc_macro_derive(Choice, attributes(choice))]
pub fn choice(input: TokenStream) -> TokenStream {
    choice::expand(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Makes a prompt's arguments of a struct with named fields. See the trait `PromptArguments`.
#[proc_macro_derive(PromptArguments, attributes(prompt))]
pub fn prompt_arguments(input: TokenStream) -> TokenStream {
    texts::prompt_arguments(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Makes a template's variables of a struct with named fields. See the trait `TemplateVariables`.
#[proc_macro_derive(TemplateVariables, attributes(template))]
pub fn template_variables(input: TokenStream) -> TokenStream {
    texts::template_variables(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}
