//! `#[completion]`.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, FnArg, ItemFn, Result};

use crate::attribute;
use crate::function::{self, Noun};

const KEYS: &[&str] = &["prompt", "resource_template", "argument"];

const COMPLETION: Noun = Noun { what: "a completion", takes: "text", generic: "a client can't say which one it means" };

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(item, |function| implement(attribute, function))
}

fn implement(attribute: TokenStream, function: &ItemFn) -> Result<TokenStream> {
    function::check_shape(function, &COMPLETION)?;
    let (mut prompt, mut template, mut argument) = (None, None, None);
    for setting in attribute::settings_in(attribute, KEYS)? {
        let value = Some(setting.string()?.clone());
        match setting.key.to_string().as_str() {
            "prompt" => prompt = value,
            "resource_template" => template = value,
            _ => argument = value,
        }
    }
    let reference = match (prompt, template) {
        (Some(name), None) => quote!(::dacapo_guest::completion::Reference::Prompt(#name)),
        (None, Some(template)) => quote!(::dacapo_guest::completion::Reference::ResourceTemplate(#template)),
        _ => {
            let message =
                "a completion is for one thing: `prompt = \"its name\"` or `resource_template = \"its template\"`";
            return Err(Error::new(Span::call_site(), message));
        }
    };
    let Some(argument) = argument else {
        let message = "a completion needs the name of what it completes: `argument = \"…\"`";
        return Err(Error::new(Span::call_site(), message));
    };
    let mut values = Vec::new();
    for parameter in &function.sig.inputs {
        let FnArg::Typed(parameter) = parameter else {
            return Err(Error::new(parameter.span(), "a completion is a free function; it has no `self`"));
        };
        let r#type = &parameter.ty;
        values.push(quote_spanned!(r#type.span()=>
            <#r#type as ::dacapo_guest::completion::Input<'_>>::of(query)));
    }
    let ident = &function.sig.ident;
    let stand_in = function::stand_in(function);
    let (returned, span) = function::returned(function);
    let finish = quote_spanned! {span=>
        <#returned as ::dacapo_guest::completion::IntoCompletion>::into_completion(#ident(#(#values),*))
    };
    Ok(quote! {
        #stand_in

        #[automatically_derived]
        impl ::dacapo_guest::completion::Completer for #ident {
            const REFERENCE: ::dacapo_guest::completion::Reference = #reference;
            const ARGUMENT: &'static str = #argument;

            #[allow(unused_variables, reason = "a completion may take nothing")]
            fn complete(query: &::dacapo_guest::completion::Query<'_>) -> ::dacapo_guest::completion::Completion {
                #finish
            }
        }
    })
}
