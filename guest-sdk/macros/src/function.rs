//! What a handler's functions have in common: their shape, what they take, and where an error belongs.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, FnArg, ItemFn, Result, ReturnType, Safety, Type};

/// What an attribute makes of a function, in the words of an error.
pub(crate) struct Noun {
    /// With its article, as in `a tool`.
    pub(crate) what: &'static str,
    /// What it takes by value.
    pub(crate) takes: &'static str,
    /// Why it can't be generic.
    pub(crate) generic: &'static str,
}

/// The function as it stands, followed by what `implement` makes of it, or by its error.
pub(crate) fn expand(item: TokenStream, implement: impl FnOnce(&ItemFn) -> Result<TokenStream>) -> TokenStream {
    let function: ItemFn = match syn::parse2(item) {
        Ok(function) => function,
        Err(error) => return error.into_compile_error(),
    };
    let made = implement(&function).unwrap_or_else(Error::into_compile_error);
    quote! {
        #[allow(clippy::needless_pass_by_value, clippy::unnecessary_wraps, reason = "a handler's signature is given")]
        #function
        #made
    }
}

/// Refuses what no function of a handler can be.
pub(crate) fn check_shape(function: &ItemFn, noun: &Noun) -> Result<()> {
    let Noun { what, generic, .. } = noun;
    let signature = &function.sig;
    if !signature.generics.params.is_empty() {
        return Err(Error::new(signature.generics.span(), format!("{what} can't be generic: {generic}")));
    }
    if let Some(keyword) = &signature.asyncness {
        let message = format!("{what} isn't async; its questions block until they are answered");
        return Err(Error::new(keyword.span(), message));
    }
    if let Safety::Unsafe(keyword) = &signature.safety {
        return Err(Error::new(keyword.span(), format!("{what} isn't unsafe; any client may call it")));
    }
    Ok(())
}

/// What the function takes: the expressions to call it with, and the type of what it takes by value.
pub(crate) struct Parameters<'a> {
    pub(crate) values: Vec<TokenStream>,
    pub(crate) arguments: Option<&'a Type>,
}

/// The function's parameters: `&Context` or not, and one value or none, called `arguments` in the code around.
pub(crate) fn parameters<'a>(function: &'a ItemFn, noun: &Noun) -> Result<Parameters<'a>> {
    let Noun { what, takes, .. } = noun;
    let mut values = Vec::new();
    let mut arguments = None;
    let mut context = false;
    for parameter in &function.sig.inputs {
        let FnArg::Typed(parameter) = parameter else {
            return Err(Error::new(parameter.span(), format!("{what} is a free function; it has no `self`")));
        };
        match &*parameter.ty {
            Type::Reference(_) if context => {
                let message = format!("{what} takes one `&Context`, and its {takes} by value");
                return Err(Error::new(parameter.span(), message));
            }
            Type::Reference(_) => {
                context = true;
                values.push(quote_spanned!(parameter.ty.span()=> ctx));
            }
            _ if arguments.is_some() => {
                let message = format!("{what} takes one struct of {takes}; make this one of its fields");
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

/// The type that the function returns, and where an error on it belongs.
pub(crate) fn returned(function: &ItemFn) -> (TokenStream, Span) {
    match &function.sig.output {
        ReturnType::Default => (quote!(()), function.sig.ident.span()),
        ReturnType::Type(_, r#type) => (quote!(#r#type), r#type.span()),
    }
}

/// The type that stands for the function in `handlers!`, of the function's name.
pub(crate) fn stand_in(function: &ItemFn) -> TokenStream {
    let (visibility, ident) = (&function.vis, &function.sig.ident);
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, reason = "it goes by the function's name")]
        #visibility enum #ident {}
    }
}
