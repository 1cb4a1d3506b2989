//! `#[derive(Choice)]`.

use heck::ToKebabCase;
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Fields, Ident, Result, Variant};

use crate::{attribute, docs};

struct Choosable {
    variant: Ident,
    value: String,
    title: Option<String>,
}

pub(crate) fn expand(input: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(input)?;
    let Data::Enum(data) = &input.data else {
        return Err(Error::new(
            input.ident.span(),
            "a choice is an enum: its variants are what there is to choose from",
        ));
    };
    if !input.generics.params.is_empty() {
        return Err(Error::new(input.generics.span(), "a choice can't be generic"));
    }
    if data.variants.is_empty() {
        return Err(Error::new(input.ident.span(), "a choice needs at least one variant"));
    }
    attribute::settings(&input.attrs, "choice", &[])?;

    let mut seen = Vec::new();
    let mut choosables = Vec::new();
    for variant in &data.variants {
        let choosable = read(variant)?;
        attribute::unique(&mut seen, choosable.value.clone(), variant.ident.span(), "the value")?;
        choosables.push(choosable);
    }

    let name = &input.ident;
    let variants: Vec<_> = choosables.iter().map(|choosable| &choosable.variant).collect();
    let values: Vec<_> = choosables.iter().map(|choosable| &choosable.value).collect();
    let titles = choosables.iter().map(|choosable| attribute::option(choosable.title.as_ref()));
    Ok(quote! {
        #[automatically_derived]
        impl ::dacapo_guest::choice::Choice for #name {
            const OPTIONS: &'static [::dacapo_guest::choice::Choosable] = &[
                #(::dacapo_guest::choice::Choosable { value: #values, title: #titles }),*
            ];

            fn value(&self) -> &'static str {
                match self {
                    #(Self::#variants => #values),*
                }
            }

            fn from_value(value: &str) -> ::core::option::Option<Self> {
                match value {
                    #(#values => ::core::option::Option::Some(Self::#variants),)*
                    _ => ::core::option::Option::None,
                }
            }
        }

        #[automatically_derived]
        impl ::dacapo_guest::textual::Textual for #name {
            const EXPECTED: &'static str = "one of its choices";
            const CHOICES: &'static [::dacapo_guest::choice::Choosable] =
                <Self as ::dacapo_guest::choice::Choice>::OPTIONS;

            fn from_text(text: &str) -> ::core::option::Option<Self> {
                <Self as ::dacapo_guest::choice::Choice>::from_value(text)
            }
        }

        #[automatically_derived]
        impl ::dacapo_guest::value::FormValue for #name {
            type Kind = ::dacapo_guest::field::SingleChoice;

            fn field(name: &str) -> ::dacapo_guest::field::Field<Self::Kind> {
                ::dacapo_guest::value::single_choice::<Self>(name)
            }

            fn preset(
                field: ::dacapo_guest::field::Field<Self::Kind>,
                value: Self,
            ) -> ::dacapo_guest::field::Field<Self::Kind> {
                field.default(::dacapo_guest::choice::Choice::value(&value))
            }

            fn read(
                answers: &::dacapo_guest::answers::Answers,
                name: &str,
            ) -> ::core::result::Result<::core::option::Option<Self>, ::dacapo_guest::answers::AnswerError> {
                ::dacapo_guest::value::read_single_choice(answers, name)
            }
        }
    })
}

fn read(variant: &Variant) -> Result<Choosable> {
    if !matches!(variant.fields, Fields::Unit) {
        return Err(Error::new(variant.span(), "a variant to choose can't hold fields"));
    }
    let mut value = variant.ident.unraw().to_string().to_kebab_case();
    let mut title = docs::text(&variant.attrs);
    for setting in attribute::settings(&variant.attrs, "choice", &["title", "value"])? {
        let string = setting.string()?.value();
        if setting.key == "title" {
            title = Some(string);
        } else {
            value = string;
        }
    }
    Ok(Choosable { variant: variant.ident.clone(), value, title })
}
