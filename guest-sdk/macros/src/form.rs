//! `#[derive(Form)]`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Expr, ExprLit, Field, Fields, Ident, Lit, Result};

use crate::attribute::Setting;
use crate::{attribute, docs};

const KEYS: &[&str] = &[
    "title",
    "description",
    "default",
    "min_length",
    "max_length",
    "format",
    "min",
    "max",
    "min_items",
    "max_items",
    "rename",
];

/// How a field is asked for and read.
struct Code {
    ask: TokenStream,
    read: TokenStream,
}

pub(crate) fn expand(input: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(input)?;
    let named = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => Some(&fields.named),
            _ => None,
        },
        _ => None,
    };
    let Some(fields) = named else {
        return Err(Error::new(input.ident.span(), "a form is a struct with named fields"));
    };
    if !input.generics.params.is_empty() {
        return Err(Error::new(input.generics.span(), "a form can't be generic"));
    }
    attribute::settings(&input.attrs, "form", &[])?;

    let mut seen = Vec::new();
    let mut codes = Vec::new();
    for field in fields {
        codes.push(code(field, &mut seen)?);
    }

    let name = &input.ident;
    let asks = codes.iter().map(|code| &code.ask);
    let reads = codes.iter().map(|code| &code.read);
    Ok(quote! {
        #[automatically_derived]
        impl ::dacapo_guest::form::Form for #name {
            fn form() -> ::dacapo_guest::form::FormBuilder {
                ::dacapo_guest::form::FormBuilder::new() #(.field(#asks))*
            }

            #[allow(unused_variables, reason = "a form may have no fields")]
            fn read(
                answers: &::dacapo_guest::answers::Answers,
            ) -> ::core::result::Result<Self, ::dacapo_guest::answers::AnswerError> {
                ::core::result::Result::Ok(Self { #(#reads),* })
            }
        }
    })
}

fn code(field: &Field, seen: &mut Vec<String>) -> Result<Code> {
    let Some(ident) = &field.ident else {
        return Err(Error::new(field.span(), "a form's field needs a name"));
    };
    let mut name = ident.unraw().to_string();
    let mut description = docs::text(&field.attrs).map(|text| quote!(#text));
    let mut steps = Vec::new();
    for setting in attribute::settings(&field.attrs, "form", KEYS)? {
        let value = &setting.value;
        if setting.key == "rename" {
            name = setting.string()?.value();
        } else if setting.key == "description" {
            description = Some(quote!(#value));
        } else {
            steps.push(step(&setting, field)?);
        }
    }
    attribute::unique(seen, name.clone(), ident.span(), "a field of the name")?;

    let r#type = &field.ty;
    let description = description.map(|text| quote!(.description(#text)));
    // Where a type does not fit, the compiler's error belongs at that type.
    let span = r#type.span();
    Ok(Code {
        ask: quote_spanned!(span=> {
            let field = <#r#type as ::dacapo_guest::value::FormField>::field(#name) #description;
            #(#steps)*
            field
        }),
        read: quote_spanned!(span=> #ident: <#r#type as ::dacapo_guest::value::FormField>::read(answers, #name)?),
    })
}

/// What a setting does to the field. The field's own type decides whether it fits, so that an alias is as good as a name.
fn step(setting: &Setting, field: &Field) -> Result<TokenStream> {
    let Setting { key, value } = setting;
    let r#type = &field.ty;
    let span = key.span();
    let (fitting, method, value) = match key.to_string().as_str() {
        "title" => return Ok(quote_spanned!(span=> let field = field.title(#value);)),
        "default" => ("FormValue", "preset", owned(value)),
        "format" => ("TextValue", "format", format(setting)?),
        "min_length" => ("TextValue", "min_length", quote!(#value)),
        "max_length" => ("TextValue", "max_length", quote!(#value)),
        "min_items" => ("ListValue", "min_items", quote!(#value)),
        "max_items" => ("ListValue", "max_items", quote!(#value)),
        "min" => ("NumberValue", "min", quote!(#value)),
        _ => ("NumberValue", "max", quote!(#value)),
    };
    let (fitting, method) = (Ident::new(fitting, span), Ident::new(method, span));
    let inner = quote_spanned!(span=> <#r#type as ::dacapo_guest::value::FormField>::Value);
    Ok(quote_spanned!(span=> let field = <#inner as ::dacapo_guest::value::#fitting>::#method(field, #value);))
}

/// A default as a value of its own: a literal text as a `String`, an array as a `Vec`.
fn owned(value: &Expr) -> TokenStream {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
            quote_spanned!(text.span()=> ::std::string::String::from(#text))
        }
        Expr::Array(array) => quote_spanned!(array.span()=> ::std::vec::Vec::from(#array)),
        other => quote!(#other),
    }
}

/// The variant of `Format` that is meant.
fn format(setting: &Setting) -> Result<TokenStream> {
    let string = setting.string()?;
    let variant = match string.value().as_str() {
        "email" => "Email",
        "uri" => "Uri",
        "date" => "Date",
        "date-time" => "DateTime",
        _ => {
            return Err(Error::new(string.span(), "unknown format; expected one of email, uri, date, date-time"));
        }
    };
    let variant = Ident::new(variant, string.span());
    Ok(quote!(::dacapo_guest::field::Format::#variant))
}
