//! `#[tool]`.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Error, ItemFn, Result};

use crate::function::{self, Noun, Parameters};
use crate::{attribute, docs};

const KEYS: &[&str] =
    &["name", "title", "read_only", "destructive", "idempotent", "open_world", "input_schema", "icon", "icons", "meta"];

const TOOL: Noun = Noun { what: "a tool", takes: "arguments", generic: "a client can't say which one it means" };

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(item, |function| implement(attribute, function))
}

/// What `#[tool(…)]` says.
struct Settings {
    name: String,
    title: Option<String>,
    hints: Vec<TokenStream>,
    input_schema: Option<TokenStream>,
    icons: TokenStream,
    meta: Option<TokenStream>,
}

fn settings(attribute: TokenStream, function: &ItemFn) -> Result<Settings> {
    let mut name = (function.sig.ident.unraw().to_string(), function.sig.ident.span());
    let (mut title, mut input_schema, mut meta) = (None, None, None);
    let mut hints = [("read_only", None), ("destructive", None), ("idempotent", None), ("open_world", None)];
    let settings = attribute::settings_in(attribute, KEYS)?;
    let icons = attribute::icons(&settings)?;
    for setting in settings.iter().filter(|setting| setting.key != "icon" && setting.key != "icons") {
        if setting.key == "name" {
            let string = setting.string()?;
            name = (string.value(), string.span());
        } else if setting.key == "title" {
            title = Some(setting.string()?.value());
        } else if setting.key == "input_schema" {
            input_schema = Some(setting.text()?);
        } else if setting.key == "meta" {
            meta = Some(setting.text()?);
        } else {
            let said = setting.boolean()?.value();
            for (key, hint) in &mut hints {
                if setting.key == key {
                    *hint = Some(said);
                }
            }
        }
    }
    check_name(&name.0, name.1)?;
    let hints = hints.iter().map(|(key, hint)| {
        let key = format_ident!("{key}");
        let hint = attribute::option(hint.as_ref());
        quote!(#key: #hint)
    });
    Ok(Settings { name: name.0, title, hints: hints.collect(), input_schema, icons, meta })
}

fn check_name(name: &str, span: Span) -> Result<()> {
    let good = |char: char| char.is_ascii_alphanumeric() || "_-.".contains(char);
    if (1..=128).contains(&name.len()) && name.chars().all(good) {
        return Ok(());
    }
    let message =
        format!("`{name}` can't be a tool's name: expected 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-`, `.`");
    Err(Error::new(span, message))
}

fn implement(attribute: TokenStream, function: &ItemFn) -> Result<TokenStream> {
    function::check_shape(function, &TOOL)?;
    let Settings { name, title, hints, input_schema, icons, meta } = settings(attribute, function)?;
    let Parameters { values, arguments } = function::parameters(function, &TOOL)?;
    let ident = &function.sig.ident;
    let Some(description) = docs::text(&function.attrs) else {
        let message =
            "a tool needs a description: write a doc comment above it that says what it does and when to use it";
        return Err(Error::new(ident.span(), message));
    };
    let title = attribute::option(title.as_ref());
    let meta = attribute::option(meta.as_ref());
    let decode = match arguments {
        Some(r#type) => quote!(let arguments = ::dacapo_guest::arguments::decode::<#r#type>(arguments)?;),
        // A schema of the author's own says what may be given, also where the tool makes nothing of it.
        None if input_schema.is_some() => quote!(),
        None => quote!(::dacapo_guest::arguments::decode::<::dacapo_guest::arguments::NoArguments>(arguments)?;),
    };
    let schema = match (input_schema, arguments) {
        (Some(schema), _) => quote!(::std::string::String::from(#schema)),
        (None, Some(r#type)) => quote_spanned!(r#type.span()=> ::dacapo_guest::arguments::schema::<#r#type>()),
        (None, None) => quote!(::std::string::String::from(::dacapo_guest::arguments::NO_ARGUMENTS)),
    };
    let stand_in = function::stand_in(function);
    // Where a type does not fit, the compiler's error belongs at that type.
    let (returned, span) = function::returned(function);
    let output = quote_spanned!(span=> returned.success().inner().output_schema());
    let finish = quote_spanned! {span=>
        let (value, meta) = returned.success().open(returned.check(#ident(#(#values),*))?);
        returned.success().inner().finish(value, meta)
    };
    Ok(quote! {
        #stand_in

        #[automatically_derived]
        impl ::dacapo_guest::tool::Tool for #ident {
            const NAME: &'static str = #name;

            fn descriptor() -> ::dacapo_guest::tool::Descriptor {
                #[allow(unused_imports, reason = "which of them is used depends on the type")]
                use ::dacapo_guest::returns::{Data as _, Plain as _};
                let returned = ::dacapo_guest::returns::Returned::<#returned>::new();
                ::dacapo_guest::tool::Descriptor {
                    name: Self::NAME,
                    title: #title,
                    description: #description,
                    input_schema: #schema,
                    output_schema: #output,
                    #(#hints,)*
                    icons: #icons,
                    meta: #meta,
                }
            }

            fn call(
                ctx: &::dacapo_guest::context::Context,
                arguments: &str,
            ) -> ::core::result::Result<
                ::dacapo_guest::bindings::exports::dacapo::handler::tools::ToolResult,
                ::dacapo_guest::error::ToolError,
            > {
                #[allow(unused_imports, reason = "which of them is used depends on the type")]
                use ::dacapo_guest::returns::{Data as _, Plain as _};
                let returned = ::dacapo_guest::returns::Returned::<#returned>::new();
                #decode
                #finish
            }
        }
    })
}
