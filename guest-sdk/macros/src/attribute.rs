//! Keys and values in `#[form(…)]` and its like.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, ExprLit, Ident, Lit, LitBool, LitStr, MetaNameValue, Result, Token};

/// One `key = value`.
pub(crate) struct Setting {
    pub(crate) key: Ident,
    pub(crate) value: Expr,
}

/// The settings of all attributes of this name, with keys among `known`, none twice.
pub(crate) fn settings(attributes: &[Attribute], name: &str, known: &[&str]) -> Result<Vec<Setting>> {
    let mut settings = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
        let pairs = attribute.parse_args_with(Punctuated::<MetaNameValue, Token![,]>::parse_terminated)?;
        collect(pairs, known, &mut settings)?;
    }
    Ok(settings)
}

/// The settings in the tokens of an attribute macro.
pub(crate) fn settings_in(tokens: TokenStream, known: &[&str]) -> Result<Vec<Setting>> {
    let pairs = Punctuated::<MetaNameValue, Token![,]>::parse_terminated.parse2(tokens)?;
    checked(pairs, known)
}

/// The text at the head of an attribute macro's tokens, and the settings that follow it. `missing` is the error where there
/// is no text.
pub(crate) fn headed(tokens: TokenStream, known: &[&str], missing: &str) -> Result<(LitStr, Vec<Setting>)> {
    let parse = |input: ParseStream<'_>| {
        if !input.peek(LitStr) {
            return Err(Error::new(input.span(), missing));
        }
        let head: LitStr = input.parse()?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        Ok((head, Punctuated::<MetaNameValue, Token![,]>::parse_terminated(input)?))
    };
    let (head, pairs) = parse.parse2(tokens)?;
    Ok((head, checked(pairs, known)?))
}

fn checked(pairs: Punctuated<MetaNameValue, Token![,]>, known: &[&str]) -> Result<Vec<Setting>> {
    let mut settings = Vec::new();
    collect(pairs, known, &mut settings)?;
    Ok(settings)
}

fn collect(pairs: Punctuated<MetaNameValue, Token![,]>, known: &[&str], settings: &mut Vec<Setting>) -> Result<()> {
    for pair in pairs {
        let Some(key) = pair.path.get_ident().filter(|key| known.iter().any(|known| *key == known)) else {
            return Err(Error::new(pair.path.span(), format!("unknown key; expected one of {}", known.join(", "))));
        };
        if settings.iter().any(|setting| setting.key == *key) {
            return Err(Error::new(key.span(), format!("`{key}` is given twice")));
        }
        settings.push(Setting { key: key.clone(), value: pair.value });
    }
    Ok(())
}

impl Setting {
    /// Its value, which must be a string.
    pub(crate) fn string(&self) -> Result<&LitStr> {
        match &self.value {
            Expr::Lit(ExprLit { lit: Lit::Str(string), .. }) => Ok(string),
            other => Err(Error::new(other.span(), format!("expected a string: `{} = \"…\"`", self.key))),
        }
    }

    /// Its value, which must be a string or the path of a constant that holds one.
    pub(crate) fn text(&self) -> Result<TokenStream> {
        match &self.value {
            Expr::Lit(ExprLit { lit: Lit::Str(string), .. }) => Ok(quote!(#string)),
            Expr::Path(path) => Ok(quote!(#path)),
            other => {
                let message = format!("expected a string or the path of a constant: `{} = \"…\"`", self.key);
                Err(Error::new(other.span(), message))
            }
        }
    }

    /// Its value, which must be a list, each of its texts turned by `text`.
    pub(crate) fn list(&self, text: impl Fn(&LitStr) -> TokenStream) -> Result<TokenStream> {
        let Expr::Array(array) = &self.value else {
            return Err(Error::new(self.value.span(), format!("expected a list: `{} = […]`", self.key)));
        };
        let items = array.elems.iter().map(|item| match item {
            Expr::Lit(ExprLit { lit: Lit::Str(string), .. }) => text(string),
            other => quote!(#other),
        });
        Ok(quote!(&[#(#items),*]))
    }

    /// Its value, which must be true or false.
    pub(crate) fn boolean(&self) -> Result<&LitBool> {
        match &self.value {
            Expr::Lit(ExprLit { lit: Lit::Bool(boolean), .. }) => Ok(boolean),
            other => Err(Error::new(other.span(), format!("expected `{} = true` or `{0} = false`", self.key))),
        }
    }
}

/// The icons that the settings name: one by `icon`, any number by `icons`.
pub(crate) fn icons(settings: &[Setting]) -> Result<TokenStream> {
    let of = |key: &str| settings.iter().find(|setting| setting.key == key);
    let icon = |src: &LitStr| quote_spanned!(src.span()=> ::dacapo_guest::icon::Icon::new(#src));
    match (of("icon"), of("icons")) {
        (Some(one), None) => {
            let icon = icon(one.string()?);
            Ok(quote!(const { &[#icon] }))
        }
        (None, Some(several)) => {
            let icons = several.list(icon)?;
            Ok(quote!(const { #icons }))
        }
        (None, None) => Ok(quote!(&[])),
        (Some(_), Some(several)) => Err(Error::new(several.key.span(), "`icon` is for one; put it into `icons`")),
    }
}

/// The text that `string` holds, which must not be empty.
pub(crate) fn filled(string: &LitStr) -> Result<String> {
    let text = string.value();
    if text.is_empty() { Err(Error::new(string.span(), "a name can't be empty")) } else { Ok(text) }
}

/// Notes `name` among those `seen`, and refuses it if it is there already.
pub(crate) fn unique(seen: &mut Vec<String>, name: String, span: Span, what: &str) -> Result<()> {
    if seen.contains(&name) {
        return Err(Error::new(span, format!("{what} `{name}` is there already")));
    }
    seen.push(name);
    Ok(())
}

/// The tokens of an `Option`.
pub(crate) fn option<T: ToTokens>(value: Option<&T>) -> TokenStream {
    value.map_or_else(|| quote!(::core::option::Option::None), |value| quote!(::core::option::Option::Some(#value)))
}
