//! `#[resource]` and `#[resource_template]`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Error, ItemFn, Lit, LitInt, LitStr, Result};

use crate::attribute::Setting;
use crate::function::{self, Noun, Parameters};
use crate::template::{self, Part};
use crate::{attribute, docs};

const RESOURCE_KEYS: &[&str] =
    &["name", "title", "mime_type", "size", "audience", "priority", "last_modified", "icon", "icons", "meta"];
const TEMPLATE_KEYS: &[&str] =
    &["name", "title", "mime_type", "audience", "priority", "last_modified", "icon", "icons", "meta"];

const RESOURCE: Noun =
    Noun { what: "a resource", takes: "variables", generic: "a client can't say which one it means" };
const TEMPLATE: Noun =
    Noun { what: "a resource template", takes: "variables", generic: "a client can't say which one it means" };

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(item, |function| resource(attribute, function))
}

pub(crate) fn expand_template(attribute: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(item, |function| resource_template(attribute, function))
}

/// The fields that both descriptors have.
fn described(settings: &[Setting], function: &ItemFn, what: &str) -> Result<TokenStream> {
    let ident = &function.sig.ident;
    let (mut name, mut title, mut mime_type) = (ident.unraw().to_string(), None, None);
    let mut meta = None;
    let icons = attribute::icons(settings)?;
    let mut annotations = quote!(::dacapo_guest::annotations::Annotations::NONE);
    for setting in settings {
        match setting.key.to_string().as_str() {
            "name" => name = attribute::filled(setting.string()?)?,
            "title" => title = Some(setting.string()?),
            "mime_type" => mime_type = Some(setting.string()?),
            "meta" => meta = Some(setting.text()?),
            "audience" => {
                let audience = setting.list(|text| quote!(#text))?;
                annotations.extend(quote_spanned!(setting.key.span()=> .audience(#audience)));
            }
            "priority" => {
                let priority = &setting.value;
                annotations.extend(quote_spanned!(setting.key.span()=> .priority(#priority)));
            }
            "last_modified" => {
                let time = setting.text()?;
                annotations.extend(quote_spanned!(setting.key.span()=> .last_modified(#time)));
            }
            // Icons are read above, and its size a resource reads for itself.
            _ => {}
        }
    }
    let Some(description) = docs::text(&function.attrs) else {
        let message = format!("{what} needs a description: write a doc comment above it that says what it holds");
        return Err(Error::new(ident.span(), message));
    };
    let (title, mime_type) = (attribute::option(title.as_ref()), attribute::option(mime_type.as_ref()));
    let meta = attribute::option(meta.as_ref());
    Ok(quote! {
        name: #name,
        title: #title,
        description: #description,
        mime_type: #mime_type,
        annotations: #annotations,
        icons: #icons,
        meta: #meta,
    })
}

/// The call, and what its result becomes.
fn finish(function: &ItemFn, values: &[TokenStream]) -> TokenStream {
    let ident = &function.sig.ident;
    let (returned, span) = function::returned(function);
    quote_spanned! {span=>
        <#returned as ::dacapo_guest::contents::IntoContents>::into_contents(#ident(#(#values),*))
    }
}

fn resource(attribute: TokenStream, function: &ItemFn) -> Result<TokenStream> {
    function::check_shape(function, &RESOURCE)?;
    let missing = "a resource needs a URI: `#[resource(\"docs://handbook\")]`";
    let (uri, settings) = attribute::headed(attribute, RESOURCE_KEYS, missing)?;
    check_uri(&uri)?;
    let described = described(&settings, function, RESOURCE.what)?;
    let size = settings.iter().find(|setting| setting.key == "size").map(size).transpose()?;
    let size = attribute::option(size.as_ref());
    let Parameters { values, arguments } = function::parameters(function, &RESOURCE)?;
    if let Some(r#type) = arguments {
        return Err(Error::new(
            r#type.span(),
            "a resource takes `&Context` or nothing; `#[resource_template]` takes variables",
        ));
    }
    let ident = &function.sig.ident;
    let stand_in = function::stand_in(function);
    let finish = finish(function, &values);
    Ok(quote! {
        #stand_in

        #[automatically_derived]
        impl ::dacapo_guest::resource::Resource for #ident {
            const DESCRIPTOR: ::dacapo_guest::resource::Descriptor =
                ::dacapo_guest::resource::Descriptor { uri: #uri, size: #size, #described };

            #[allow(unused_variables, reason = "a resource may take nothing")]
            fn read(
                ctx: &::dacapo_guest::context::Context,
            ) -> ::core::result::Result<
                ::std::vec::Vec<::dacapo_guest::contents::ResourceContents>,
                ::dacapo_guest::error::ToolError,
            > {
                #finish
            }
        }
    })
}

/// A URI starts with its scheme.
fn check_uri(uri: &LitStr) -> Result<()> {
    let text = uri.value();
    let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
    let good = scheme.starts_with(|char: char| char.is_ascii_alphabetic())
        && scheme.chars().all(|char| char.is_ascii_alphanumeric() || "+-.".contains(char));
    if good {
        return Ok(());
    }
    let message = format!("`{text}` is no URI: expected a scheme and a colon at its head, as in `docs://handbook`");
    Err(Error::new(uri.span(), message))
}

fn size(setting: &Setting) -> Result<LitInt> {
    match &setting.value {
        syn::Expr::Lit(syn::ExprLit { lit: Lit::Int(bytes), .. }) => Ok(bytes.clone()),
        other => Err(Error::new(other.span(), "expected a number of bytes: `size = 1024`")),
    }
}

fn resource_template(attribute: TokenStream, function: &ItemFn) -> Result<TokenStream> {
    function::check_shape(function, &TEMPLATE)?;
    let missing = "a resource template needs its template: `#[resource_template(\"docs://{chapter}\")]`";
    let (uri_template, settings) = attribute::headed(attribute, TEMPLATE_KEYS, missing)?;
    check_uri(&uri_template)?;
    let parts = template::parse(&uri_template)?;
    let described = described(&settings, function, TEMPLATE.what)?;
    let Parameters { values, arguments } = function::parameters(function, &TEMPLATE)?;

    let names: Vec<&String> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Literal(_) => None,
            Part::Variable { name, .. } => Some(name),
        })
        .collect();
    let (variables, decode, checks) = match arguments {
        Some(r#type) => {
            let span = r#type.span();
            let own = quote_spanned!(span=> <#r#type as ::dacapo_guest::resource_template::TemplateVariables>);
            let missing = names.iter().map(|name| {
                let message =
                    format!("the template's variable `{name}` is no field of the struct that the function takes");
                quote_spanned! {span=> const _: () = ::core::assert!(
                ::dacapo_guest::resource_template::has(#own::VARIABLES, #name), #message);}
            });
            let list = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let message = format!(
                "the struct that the function takes has a field that is no variable of the template; those are {list}"
            );
            let surplus = quote_spanned! {span=> const _: () = ::core::assert!(
            #own::VARIABLES.len() <= [#(#names),*].len(), #message);};
            (
                quote!(#own::VARIABLES),
                quote!(let arguments = ::dacapo_guest::resource_template::decode::<#r#type>(values)?;),
                quote!(#(#missing)* #surplus),
            )
        }
        None => (quote!(&[]), quote!(), quote!()),
    };
    let parts = parts.iter().map(|part| match part {
        Part::Literal(text) => quote!(::dacapo_guest::template::Part::Literal(#text)),
        Part::Variable { name, reserved, fragment } => quote! {
            ::dacapo_guest::template::Part::Variable { name: #name, reserved: #reserved, fragment: #fragment }
        },
    });
    let ident = &function.sig.ident;
    let stand_in = function::stand_in(function);
    let finish = finish(function, &values);
    Ok(quote! {
        #stand_in
        #checks

        #[automatically_derived]
        impl ::dacapo_guest::resource_template::ResourceTemplate for #ident {
            const DESCRIPTOR: ::dacapo_guest::resource_template::Descriptor =
                ::dacapo_guest::resource_template::Descriptor {
                    uri_template: #uri_template,
                    parts: &[#(#parts),*],
                    variables: #variables,
                    #described
                };

            #[allow(unused_variables, reason = "a template may take nothing")]
            fn read(
                ctx: &::dacapo_guest::context::Context,
                values: &[(::std::string::String, ::std::string::String)],
            ) -> ::core::result::Result<
                ::std::vec::Vec<::dacapo_guest::contents::ResourceContents>,
                ::dacapo_guest::error::ToolError,
            > {
                #decode
                #finish
            }
        }
    })
}
