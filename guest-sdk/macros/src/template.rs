//! The parts of a URI template (RFC 6570): levels 1 and 2.

use syn::{Error, LitStr, Result};

use crate::attribute;

/// A part of a template.
pub(crate) enum Part {
    /// Text that stands for itself.
    Literal(String),
    /// A variable.
    Variable {
        name: String,
        /// Whether its value may hold reserved characters: `{+name}` and `{#name}`.
        reserved: bool,
        /// Whether a `#` precedes its value: `{#name}`.
        fragment: bool,
    },
}

/// The parts of `template`, in order.
pub(crate) fn parse(template: &LitStr) -> Result<Vec<Part>> {
    let error = |message: String| Error::new(template.span(), message);
    let text = template.value();
    let mut rest = text.as_str();
    let mut parts = Vec::new();
    let mut seen = Vec::new();
    while let Some((literal, opened)) = rest.split_once('{') {
        check_literal(literal, template)?;
        let Some((expression, after)) = opened.split_once('}') else {
            return Err(error(format!("`{{{opened}` has no `}}`")));
        };
        if !literal.is_empty() {
            parts.push(Part::Literal(literal.to_owned()));
        } else if let Some(Part::Variable { name, .. }) = parts.last() {
            let message = format!("nothing parts `{name}` from `{expression}`, so no one can tell where one ends");
            return Err(error(message));
        }
        let variable = variable(expression, template)?;
        if let Part::Variable { name, .. } = &variable {
            attribute::unique(&mut seen, name.clone(), template.span(), "the variable")?;
        }
        parts.push(variable);
        rest = after;
    }
    check_literal(rest, template)?;
    if seen.is_empty() {
        return Err(error("the template has no variable; `#[resource]` is for one URI".to_owned()));
    }
    if !rest.is_empty() {
        parts.push(Part::Literal(rest.to_owned()));
    }
    Ok(parts)
}

fn check_literal(literal: &str, template: &LitStr) -> Result<()> {
    if literal.contains('}') {
        return Err(Error::new(template.span(), "a `}` of the template has no `{`"));
    }
    Ok(())
}

fn variable(expression: &str, template: &LitStr) -> Result<Part> {
    let (name, reserved, fragment) = match (expression.strip_prefix('+'), expression.strip_prefix('#')) {
        (Some(name), _) => (name, true, false),
        (_, Some(name)) => (name, true, true),
        _ => (expression, false, false),
    };
    let good = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == '.';
    if name.is_empty() || !name.chars().all(good) {
        let message = format!(
            "`{{{expression}}}` is not supported; expected one variable, as in `{{name}}`, `{{+name}}` or `{{#name}}`"
        );
        return Err(Error::new(template.span(), message));
    }
    Ok(Part::Variable { name: name.to_owned(), reserved, fragment })
}
