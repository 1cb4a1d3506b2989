//! `handlers!`.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Error, Ident, Path, Result, Token, bracketed};

/// A kind of handler: its key, what a table of it is called, its trait, and what makes one of them unlike another.
struct Kind {
    key: &'static str,
    table: &'static str,
    module: &'static str,
    r#trait: &'static str,
    name: &'static str,
    twice: &'static str,
}

const KINDS: &[Kind] = &[
    Kind {
        key: "tools",
        table: "TOOLS",
        module: "tool",
        r#trait: "Tool",
        name: "NAME",
        twice: "two tools of this handler have the same name; give one of them another by `#[tool(name = \"…\")]`",
    },
    Kind {
        key: "prompts",
        table: "PROMPTS",
        module: "prompt",
        r#trait: "Prompt",
        name: "DESCRIPTOR.name",
        twice: "two prompts of this handler have the same name; give one of them another by `#[prompt(name = \"…\")]`",
    },
    Kind {
        key: "resources",
        table: "RESOURCES",
        module: "resource",
        r#trait: "Resource",
        name: "DESCRIPTOR.uri",
        twice: "two resources of this handler have the same URI",
    },
    Kind {
        key: "resource_templates",
        table: "RESOURCE_TEMPLATES",
        module: "resource_template",
        r#trait: "ResourceTemplate",
        name: "DESCRIPTOR.uri_template",
        twice: "two resource templates of this handler are the same",
    },
    Kind { key: "completions", table: "COMPLETIONS", module: "completion", r#trait: "Completer", name: "", twice: "" },
];

/// One `key: [path, …]`.
struct Part {
    key: Ident,
    paths: Punctuated<Path, Token![,]>,
}

impl Parse for Part {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let key = input.parse()?;
        input.parse::<Token![:]>()?;
        let list;
        bracketed!(list in input);
        Ok(Self { key, paths: Punctuated::parse_terminated(&list)? })
    }
}

pub(crate) fn expand(input: TokenStream) -> Result<TokenStream> {
    let parts = Punctuated::<Part, Token![,]>::parse_terminated.parse2(input)?;
    let mut seen: Vec<&str> = Vec::new();
    let mut tables = Vec::new();
    let mut checks = Vec::new();
    for Part { key, paths } in &parts {
        let Some(kind) = KINDS.iter().find(|kind| key == kind.key) else {
            let known: Vec<&str> = KINDS.iter().map(|kind| kind.key).collect();
            return Err(Error::new(key.span(), format!("unknown kind; expected one of {}", known.join(", "))));
        };
        if seen.contains(&kind.key) {
            return Err(Error::new(key.span(), format!("`{key}` is given twice")));
        }
        if paths.is_empty() {
            return Err(Error::new(key.span(), format!("there are no {key} in the list; leave it out")));
        }
        seen.push(kind.key);
        let (table, module) = (format_ident!("{}", kind.table), format_ident!("{}", kind.module));
        let entries =
            paths.iter().map(|path| quote_spanned!(path.span()=> ::dacapo_guest::#module::Entry::of::<#path>()));
        tables.push(quote! {
            const #table: &'static [::dacapo_guest::#module::Entry] = &[#(#entries),*];
        });
        checks.push(distinct(kind, &module, paths)?);
    }
    if seen.is_empty() {
        return Err(Error::new(Span::call_site(), "a handler needs something to handle: `tools: [my_tool]`"));
    }
    let uses = |keys: &[&str]| seen.iter().any(|seen| keys.contains(seen));
    let exports = [
        ("export_tools", "", uses(&["tools"])),
        ("export_prompts", "prompts", uses(&["prompts"])),
        ("export_resources", "resources", uses(&["resources", "resource_templates"])),
        // Whether a prompt's arguments or a template's variables have choices is not to be seen here.
        ("export_completions", "completions", uses(&["prompts", "resource_templates", "completions"])),
    ];
    let exports = exports.iter().filter(|(_, _, used)| *used).map(|(export, module, _)| {
        let export = format_ident!("{export}");
        if module.is_empty() {
            return quote!(::dacapo_guest::bindings::#export!(Handlers with_types_in ::dacapo_guest::bindings););
        }
        let module = format_ident!("{module}");
        quote!(::dacapo_guest::bindings::#module::#export!(Handlers with_types_in ::dacapo_guest::bindings::#module);)
    });
    Ok(quote! {
        const _: () = {
            struct Handlers;

            #[automatically_derived]
            impl ::dacapo_guest::handler::Handler for Handlers {
                #(#tables)*
            }

            #(#checks)*
            #(#exports)*
        };
    })
}

/// The assertion that no two of a kind are the same to a client.
fn distinct(kind: &Kind, module: &Ident, paths: &Punctuated<Path, Token![,]>) -> Result<TokenStream> {
    if kind.name.is_empty() {
        let unknown = "a completion of this handler is for a prompt, a resource template or an argument that the handler \
                       does not have";
        let twice = "two completions of this handler are for the same argument";
        return Ok(quote! {
            const _: () = ::core::assert!(::dacapo_guest::handler::known::<Handlers>(), #unknown);
            const _: () = ::core::assert!(::dacapo_guest::handler::once::<Handlers>(), #twice);
        });
    }
    let r#trait = format_ident!("{}", kind.r#trait);
    let name: TokenStream = kind.name.parse()?;
    let twice = kind.twice;
    let names = paths.iter().map(|path| quote!(<#path as ::dacapo_guest::#module::#r#trait>::#name));
    Ok(quote! {
        const _: () = ::core::assert!(::dacapo_guest::handler::distinct(&[#(#names),*]), #twice);
    })
}
