//! `#[prompt]`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Error, ItemFn, Result};

use crate::function::{self, Noun, Parameters};
use crate::{attribute, docs};

const KEYS: &[&str] = &["name", "title", "icon", "icons", "meta"];

const PROMPT: Noun = Noun { what: "a prompt", takes: "arguments", generic: "a client can't say which one it means" };

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(item, |function| implement(attribute, function))
}

fn implement(attribute: TokenStream, function: &ItemFn) -> Result<TokenStream> {
    function::check_shape(function, &PROMPT)?;
    let ident = &function.sig.ident;
    let (mut name, mut title, mut meta) = (ident.unraw().to_string(), None, None);
    let settings = attribute::settings_in(attribute, KEYS)?;
    let icons = attribute::icons(&settings)?;
    for setting in &settings {
        match setting.key.to_string().as_str() {
            "name" => name = attribute::filled(setting.string()?)?,
            "title" => title = Some(setting.string()?.value()),
            "meta" => meta = Some(setting.text()?),
            // Icons are read above.
            _ => {}
        }
    }
    let Parameters { values, arguments } = function::parameters(function, &PROMPT)?;
    let Some(description) = docs::text(&function.attrs) else {
        let message =
            "a prompt needs a description: write a doc comment above it that says what it does and when to pick it";
        return Err(Error::new(ident.span(), message));
    };
    let (title, meta) = (attribute::option(title.as_ref()), attribute::option(meta.as_ref()));
    let (listed, decode) = match arguments {
        Some(r#type) => {
            let as_arguments = quote_spanned!(r#type.span()=> <#r#type as ::dacapo_guest::prompt::PromptArguments>);
            (
                quote!(#as_arguments::ARGUMENTS),
                quote!(let arguments = ::dacapo_guest::prompt::decode::<#r#type>(arguments)?;),
            )
        }
        None => (quote!(&[]), quote!()),
    };
    let stand_in = function::stand_in(function);
    let (returned, span) = function::returned(function);
    let finish = quote_spanned! {span=>
        <#returned as ::dacapo_guest::prompt::IntoPromptResult>::into_prompt_result(#ident(#(#values),*))
    };
    Ok(quote! {
        #stand_in

        #[automatically_derived]
        impl ::dacapo_guest::prompt::Prompt for #ident {
            const DESCRIPTOR: ::dacapo_guest::prompt::Descriptor = ::dacapo_guest::prompt::Descriptor {
                name: #name,
                title: #title,
                description: #description,
                arguments: #listed,
                icons: #icons,
                meta: #meta,
            };

            #[allow(unused_variables, reason = "a prompt may take nothing")]
            fn get(
                ctx: &::dacapo_guest::context::Context,
                arguments: &[(::std::string::String, ::std::string::String)],
            ) -> ::core::result::Result<::dacapo_guest::prompt::PromptResult, ::dacapo_guest::error::ToolError> {
                #decode
                #finish
            }
        }
    })
}
