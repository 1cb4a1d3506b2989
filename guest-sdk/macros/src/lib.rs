//! The macros of Dacapo's guest SDK. Authors get them from `dacapo_guest::prelude`, where each is documented with its trait.
//!
//! # Layout
//!
//! - [`tool`](macro@tool): `#[tool]`, in `tool.rs`
//! - [`Form`](macro@Form): `#[derive(Form)]`, in `form.rs`
//! - [`Choice`](macro@Choice): `#[derive(Choice)]`, in `choice.rs`
//! - `attribute.rs`: keys and values in `#[form(…)]` and its like
//! - `docs.rs`: doc comments as texts

mod attribute;
mod choice;
mod docs;
mod form;
mod tool;

use proc_macro::TokenStream;

/// Makes a tool of a function.
///
/// The function takes, in any order, `&Context` or not, and one struct of arguments by value (serde's `Deserialize` and
/// schemars' `JsonSchema`) or none. It returns nothing, `String`, `&'static str`, `Content`, `Vec<Content>`, any type with
/// serde's `Serialize` and schemars' `JsonSchema`, or a `Result` of one of those. Its doc comment is the tool's description,
/// and it must have one.
///
/// `#[tool(…)]` takes `name = "…"` (by default the function's), `title = "…"`, and the hints `read_only`, `destructive`,
/// `idempotent` and `open_world` (`= true` or `= false`; nothing is said by default).
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(attribute.into(), item.into()).into()
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
