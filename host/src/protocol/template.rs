//! URI templates (RFC 6570), as far as it takes to tell which one a URI fits.

use regex::Regex;

/// A template that URIs can be held against.
#[derive(Clone, Debug)]
pub struct Template {
    fits: Regex,
    literals: usize,
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and what was expected.
    pub fn new(template: &str) -> Result<Self, String> {
        let mut pattern = "^".to_owned();
        let mut literals = 0;
        let mut rest = template;
        while let Some((literal, after)) = rest.split_once('{') {
            let (expression, after) =
                after.split_once('}').ok_or_else(|| format!("\"{{{after}\" has no closing brace"))?;
            literals += literal.len();
            pattern.push_str(&regex::escape(literal));
            pattern.push_str(&expression_pattern(expression)?);
            rest = after;
        }
        if rest.contains('}') {
            return Err(format!("\"{rest}\" has a closing brace without an opening one"));
        }
        literals += rest.len();
        pattern.push_str(&regex::escape(rest));
        pattern.push('$');
        let fits = Regex::new(&pattern).map_err(|error| format!("it is too large to match: {error}"))?;
        Ok(Self { fits, literals })
    }

    /// Whether a URI may be an expansion of this template. What its variables then hold, its handler says.
    #[must_use]
    pub fn fits(&self, uri: &str) -> bool {
        self.fits.is_match(uri)
    }

    /// How much of it is literal text: of several templates that fit, the one with more is meant.
    #[must_use]
    pub fn literals(&self) -> usize {
        self.literals
    }
}

/// What the expansion of one expression may look like.
fn expression_pattern(expression: &str) -> Result<String, String> {
    const VALUE: &str = "[A-Za-z0-9._~%,-]*";
    let (operator, variables) = match expression.chars().next() {
        Some(operator @ ('+' | '#' | '.' | '/' | ';' | '?' | '&')) => {
            (Some(operator), expression.get(1..).unwrap_or_default())
        }
        _ => (None, expression),
    };
    for variable in variables.split(',') {
        let name = variable.split(['*', ':']).next().unwrap_or_default();
        let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '%');
        if name.is_empty() || !name.chars().all(legal) {
            return Err(format!("\"{{{expression}}}\" is no expression of RFC 6570: \"{variable}\" is no variable"));
        }
    }
    Ok(match operator {
        None => VALUE.to_owned(),
        Some('+') => ".*".to_owned(),
        Some('#') => "(?:#.*)?".to_owned(),
        Some('.') => format!(r"(?:\.{VALUE})*"),
        Some('/') => format!("(?:/{VALUE})*"),
        Some(';') => format!("(?:;{VALUE}(?:={VALUE})?)*"),
        Some('?') => format!(r"(?:\?{VALUE}=?{VALUE}(?:&{VALUE}=?{VALUE})*)?"),
        Some(_) => format!("(?:&{VALUE}=?{VALUE})*"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_fits_the_templates_that_it_may_come_from_and_no_others() {
        let cases = [
            ("test://template/{id}/data", "test://template/123/data", true),
            ("test://template/{id}/data", "test://template/a%20b/data", true),
            ("test://template/{id}/data", "test://template/1/2/data", false),
            ("test://template/{id}/data", "test://template/1/data/more", false),
            ("test://template/{id}/data", "xtest://template/1/data", false),
            ("a:{+path}", "a:/b/c?d#e", true),
            ("a://h{/path*}", "a://h/b/c", true),
            ("a://h/x{?q,p}", "a://h/x?q=1&p=2", true),
            ("a://h/x{?q,p}", "a://h/x", true),
            ("a://h/x{?q,p}", "a://h/xy", false),
            ("a://h/x.y", "a://h/x_y", false),
            ("a://h/x{.ext}", "a://h/x.json", true),
            ("a://h/x{;v}", "a://h/x;v=1", true),
            ("a://h/x{#f}", "a://h/x#part", true),
            ("a://h/x?a=1{&b}", "a://h/x?a=1&b=2", true),
            ("a:{x:3}", "a:abc", true),
        ];
        for (template, uri, fits) in cases {
            assert_eq!(Template::new(template).unwrap().fits(uri), fits, "{template} {uri}");
        }
    }

    #[test]
    fn what_is_no_template_is_refused_with_a_reason() {
        for bad in ["a:{", "a:}", "a:{}", "a:{b c}", "a:{+}", "a:{b,}", "a:{!b}", "a:{{b}}"] {
            assert!(Template::new(bad).is_err(), "{bad}");
        }
    }
}
