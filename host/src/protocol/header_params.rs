//! The arguments that a tool wants repeated in headers.

use serde_json::Value;

/// An argument that whoever calls the tool over HTTP repeats in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderParam {
    /// The name that its author gave it; the header is `Mcp-Param-` and this.
    pub name: String,
    /// The names of the properties that lead to it from the arguments.
    pub path: Vec<String>,
}

impl HeaderParam {
    /// What the arguments hold for it: `None` where there is nothing, or null.
    #[must_use]
    pub fn value<'a>(&self, arguments: &'a Value) -> Option<&'a Value> {
        self.path.iter().try_fold(arguments, |value, name| value.get(name)).filter(|value| !value.is_null())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_looked_up_along_the_path() {
        let param = HeaderParam { name: "A".to_owned(), path: vec!["o".to_owned(), "a".to_owned()] };
        assert_eq!(param.value(&json!({"o": {"a": 1}})), Some(&json!(1)));
        for nothing in [json!({}), json!({"o": {}}), json!({"o": {"a": null}}), json!({"o": [1]}), json!({"a": 1})] {
            assert_eq!(param.value(&nothing), None, "{nothing}");
        }
    }
}
