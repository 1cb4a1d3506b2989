//! Doc comments as texts.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The doc comment among `attributes`; `None` if there is none, or nothing in it.
pub(crate) fn text(attributes: &[Attribute]) -> Option<String> {
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
        if let Meta::NameValue(meta) = &attribute.meta
            && let Expr::Lit(ExprLit { lit: Lit::Str(doc), .. }) = &meta.value
        {
            lines.extend(
                doc.value().split('\n').map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()),
            );
        }
    }
    let text = lines.join("\n").trim_matches('\n').to_owned();
    (!text.is_empty()).then_some(text)
}
