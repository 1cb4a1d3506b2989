//! A walk through a schema and all the schemas in it. What merely looks like one, such as a default, is passed by.

use std::ops::ControlFlow;

use serde_json::{Map, Value};

/// A schema on the way.
pub(super) struct Place<'a> {
    /// What it says.
    pub(super) keywords: &'a Map<String, Value>,
    /// Where it stands, as a JSON pointer.
    pub(super) pointer: &'a str,
    /// The names of the properties that lead to it from the root; `None` where something else has led to it.
    pub(super) path: Option<&'a [&'a str]>,
}

impl Place<'_> {
    /// Where one of its keywords stands, as a JSON pointer.
    pub(super) fn keyword(&self, keyword: &str) -> String {
        format!("{}/{keyword}", self.pointer)
    }
}

/// Visits `schema` and every schema in it, until the visitor breaks off. The schema must not be nested deeply.
pub(super) fn walk<B>(schema: &Value, visit: impl FnMut(&Place<'_>) -> ControlFlow<B>) -> Option<B> {
    let mut walk = Walk { pointer: String::new(), visit };
    walk.schema(schema, Some(&[])).break_value()
}

struct Walk<V> {
    pointer: String,
    visit: V,
}

impl<V> Walk<V> {
    fn schema<B>(&mut self, schema: &Value, path: Option<&[&str]>) -> ControlFlow<B>
    where
        V: FnMut(&Place<'_>) -> ControlFlow<B>,
    {
        let Some(keywords) = schema.as_object() else { return ControlFlow::Continue(()) };
        (self.visit)(&Place { keywords, pointer: &self.pointer, path })?;
        for (keyword, value) in keywords {
            let end = self.step(keyword);
            match keyword.as_str() {
                "properties" => {
                    for (name, property) in value.as_object().into_iter().flatten() {
                        let path = path.map(|path| [path, &[name.as_str()]].concat());
                        let end = self.step(name);
                        self.schema(property, path.as_deref())?;
                        self.pointer.truncate(end);
                    }
                }
                // Schemas by name.
                "$defs" | "definitions" | "dependencies" | "dependentSchemas" | "patternProperties" => {
                    for (name, schema) in value.as_object().into_iter().flatten() {
                        let end = self.step(name);
                        self.schema(schema, None)?;
                        self.pointer.truncate(end);
                    }
                }
                // A schema, or a list of them.
                "additionalItems"
                | "additionalProperties"
                | "allOf"
                | "anyOf"
                | "contains"
                | "contentSchema"
                | "else"
                | "if"
                | "items"
                | "not"
                | "oneOf"
                | "prefixItems"
                | "propertyNames"
                | "then"
                | "unevaluatedItems"
                | "unevaluatedProperties" => {
                    self.schema(value, None)?;
                    for (index, schema) in value.as_array().into_iter().flatten().enumerate() {
                        let end = self.step(&index.to_string());
                        self.schema(schema, None)?;
                        self.pointer.truncate(end);
                    }
                }
                _ => {}
            }
            self.pointer.truncate(end);
        }
        ControlFlow::Continue(())
    }

    /// Goes one step down, and says how long the pointer was.
    fn step(&mut self, name: &str) -> usize {
        let end = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
        end
    }
}
