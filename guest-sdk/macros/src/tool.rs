//! `#[tool]`.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Error, FnArg, ItemFn, Result, ReturnType, Safety, Type};

use crate::{attribute, docs};

const KEYS: &[&str] = &["name", "title", "read_only", "destructive", "idempotent", "open_world"];

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let function: ItemFn = match syn::parse2(item) {
        Ok(function) => function,
        Err(error) => return error.into_compile_error(),
    };
    let tool = implement(attribute, &function).unwrap_or_else(Error::into_compile_error);
    quote! {
        #[allow(clippy::needless_pass_by_value, clippy::unnecessary_wraps, reason = "a tool's signature is given")]
        #function
        #tool
    }
}

/// What `#[tool(…)]` says.
struct Settings {
    name: String,
    title: Option<String>,
    hints: Vec<TokenStream>,
}

fn settings(attribute: TokenStream, function: &ItemFn) -> Result<Settings> {
    let mut name = (function.sig.ident.unraw().to_string(), function.sig.ident.span());
    let mut title = None;
    let mut hints = [("read_only", None), ("destructive", None), ("idempotent", None), ("open_world", None)];
    for setting in attribute::settings_in(attribute, KEYS)? {
        if setting.key == "name" {
            let string = setting.string()?;
            name = (string.value(), string.span());
        } else if setting.key == "title" {
            title = Some(setting.string()?.value());
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
    Ok(Settings { name: name.0, title, hints: hints.collect() })
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

/// What the function takes: the expressions to call it with, and the type of its arguments.
struct Parameters<'a> {
    values: Vec<TokenStream>,
    arguments: Option<&'a Type>,
}

fn parameters(function: &ItemFn) -> Result<Parameters<'_>> {
    let mut values = Vec::new();
    let mut arguments = None;
    let mut context = false;
    for parameter in &function.sig.inputs {
        let FnArg::Typed(parameter) = parameter else {
            return Err(Error::new(parameter.span(), "a tool is a free function; it has no `self`"));
        };
        match &*parameter.ty {
            Type::Reference(_) if context => {
                return Err(Error::new(parameter.span(), "a tool takes one `&Context`, and its arguments by value"));
            }
            Type::Reference(_) => {
                context = true;
                values.push(quote_spanned!(parameter.ty.span()=> ctx));
            }
            _ if arguments.is_some() => {
                let message = "a tool takes one struct of arguments; make this one of its fields";
                return Err(Error::new(parameter.span(), message));
            }
            r#type => {
                arguments = Some(r#type);
                values.push(quote!(arguments));
            }
        }
    }
    Ok(Parameters { values, arguments })
}

fn check_shape(function: &ItemFn) -> Result<()> {
    let signature = &function.sig;
    if !signature.generics.params.is_empty() {
        return Err(Error::new(
            signature.generics.span(),
            "a tool can't be generic: a client can't say which one it means",
        ));
    }
    if let Some(keyword) = &signature.asyncness {
        return Err(Error::new(keyword.span(), "a tool isn't async; its questions block until they are answered"));
    }
    if let Safety::Unsafe(keyword) = &signature.safety {
        return Err(Error::new(keyword.span(), "a tool isn't unsafe; any client may call it"));
    }
    Ok(())
}

fn implement(attribute: TokenStream, function: &ItemFn) -> Result<TokenStream> {
    check_shape(function)?;
    let Settings { name, title, hints } = settings(attribute, function)?;
    let Parameters { values, arguments } = parameters(function)?;
    let ident = &function.sig.ident;
    let visibility = &function.vis;
    let Some(description) = docs::text(&function.attrs) else {
        let message =
            "a tool needs a description: write a doc comment above it that says what it does and when to use it";
        return Err(Error::new(ident.span(), message));
    };
    let title = attribute::option(title.as_ref());
    let returned = match &function.sig.output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, r#type) => quote!(#r#type),
    };
    let (schema, decode) = if let Some(r#type) = arguments {
        (
            quote_spanned!(r#type.span()=> ::dacapo_guest::arguments::schema::<#r#type>()),
            quote!(let arguments = ::dacapo_guest::arguments::decode::<#r#type>(arguments)?;),
        )
    } else {
        (
            quote!(::std::string::String::from(::dacapo_guest::arguments::NO_ARGUMENTS)),
            quote!(::dacapo_guest::arguments::decode::<::dacapo_guest::arguments::NoArguments>(arguments)?;),
        )
    };
    // Where a type does not fit, the compiler's error belongs at that type.
    let span = match &function.sig.output {
        ReturnType::Default => ident.span(),
        ReturnType::Type(_, r#type) => r#type.span(),
    };
    let output = quote_spanned!(span=> returned.success().output_schema());
    let finish = quote_spanned! {span=>
        returned.check(#ident(#(#values),*)).and_then(|value| returned.success().finish(value))
    };
    Ok(quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, reason = "it goes by the function's name")]
        #visibility enum #ident {}

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
                    #(#hints),*
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
