//! `#[derive(PromptArguments)]` and `#[derive(TemplateVariables)]`: structs whose fields are read from texts.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Field, Fields, Ident, Result, Type};

use crate::{attribute, docs};

/// One field, as the attributes say it.
struct Named<'a> {
    ident: &'a Ident,
    r#type: &'a Type,
    name: String,
    title: Option<String>,
    description: Option<String>,
}

/// The struct's name and its fields. `what` is what such a struct is called, as in `prompt arguments are`.
fn fields<'a>(input: &'a DeriveInput, what: &str, attribute: &str, keys: &[&str]) -> Result<Vec<Named<'a>>> {
    let named = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => Some(&fields.named),
            _ => None,
        },
        _ => None,
    };
    let Some(fields) = named else {
        return Err(Error::new(input.ident.span(), format!("{what} a struct with named fields")));
    };
    if !input.generics.params.is_empty() {
        return Err(Error::new(input.generics.span(), format!("{what} a struct that is not generic")));
    }
    attribute::settings(&input.attrs, attribute, &[])?;
    let mut seen = Vec::new();
    let mut all = Vec::new();
    for field in fields {
        let named = read(field, attribute, keys)?;
        attribute::unique(&mut seen, named.name.clone(), named.ident.span(), "a field of the name")?;
        all.push(named);
    }
    Ok(all)
}

fn read<'a>(field: &'a Field, attribute: &str, keys: &[&str]) -> Result<Named<'a>> {
    let Some(ident) = &field.ident else {
        return Err(Error::new(field.span(), "the field needs a name"));
    };
    let mut name = ident.unraw().to_string();
    let mut title = None;
    for setting in attribute::settings(&field.attrs, attribute, keys)? {
        let string = setting.string()?.value();
        if setting.key == "title" {
            title = Some(string);
        } else {
            name = string;
        }
    }
    Ok(Named { ident, r#type: &field.ty, name, title, description: docs::text(&field.attrs) })
}

pub(crate) fn prompt_arguments(input: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(input)?;
    let fields = fields(&input, "a prompt's arguments are", "prompt", &["title", "rename"])?;
    let name = &input.ident;
    let arguments = fields.iter().map(|Named { r#type, name, title, description, .. }| {
        let (title, description) = (attribute::option(title.as_ref()), attribute::option(description.as_ref()));
        quote_spanned! {r#type.span()=> ::dacapo_guest::prompt::Argument {
            name: #name,
            title: #title,
            description: #description,
            required: <#r#type as ::dacapo_guest::textual::TextualField>::REQUIRED,
            choices: <#r#type as ::dacapo_guest::textual::TextualField>::CHOICES,
        }}
    });
    let reads = fields.iter().map(|Named { ident, r#type, name, .. }| {
        quote_spanned!(r#type.span()=>
            #ident: <#r#type as ::dacapo_guest::textual::TextualField>::read(arguments, #name)?)
    });
    Ok(quote! {
        #[automatically_derived]
        impl ::dacapo_guest::prompt::PromptArguments for #name {
            const ARGUMENTS: &'static [::dacapo_guest::prompt::Argument] = &[#(#arguments),*];

            #[allow(unused_variables, reason = "there may be no fields")]
            fn read(
                arguments: &[(::std::string::String, ::std::string::String)],
            ) -> ::core::result::Result<Self, ::dacapo_guest::textual::TextError> {
                ::core::result::Result::Ok(Self { #(#reads),* })
            }
        }
    })
}

pub(crate) fn template_variables(input: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(input)?;
    let fields = fields(&input, "a template's variables are", "template", &["rename"])?;
    let name = &input.ident;
    let variables = fields.iter().map(|Named { r#type, name, .. }| {
        quote_spanned! {r#type.span()=> ::dacapo_guest::resource_template::Variable {
            name: #name,
            choices: <#r#type as ::dacapo_guest::textual::Textual>::CHOICES,
        }}
    });
    let reads = fields.iter().map(|Named { ident, r#type, name, .. }| {
        quote_spanned!(r#type.span()=>
            #ident: <#r#type as ::dacapo_guest::textual::TextualField>::read(values, #name)?)
    });
    Ok(quote! {
        #[automatically_derived]
        impl ::dacapo_guest::resource_template::TemplateVariables for #name {
            const VARIABLES: &'static [::dacapo_guest::resource_template::Variable] = &[#(#variables),*];

            #[allow(unused_variables, reason = "there may be no fields")]
            fn read(
                values: &[(::std::string::String, ::std::string::String)],
            ) -> ::core::result::Result<Self, ::dacapo_guest::textual::TextError> {
                ::core::result::Result::Ok(Self { #(#reads),* })
            }
        }
    })
}
