//! The client's roots.

use super::{Input, broken};
use crate::bindings::dacapo::handler::inputs as wit;

/// Asks for the client's roots. **Deprecated** (see [`deprecated`](crate::deprecated)).
#[derive(Debug, Clone, Default)]
pub struct ListRoots {
    key: Option<String>,
}

/// A folder or file that the client works on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// A `file:` URI.
    pub uri: String,
    /// Its name, for people.
    pub name: Option<String>,
}

impl ListRoots {
    /// The request.
    #[must_use]
    pub const fn new() -> Self {
        Self { key: None }
    }

    /// The key under which the client sees the request, unique in the conversation. By default `elicit-<N>`, as for questions.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }
}

impl Input for ListRoots {
    type Response = Vec<Root>;

    fn request(&self) -> wit::KeyedRequest {
        wit::KeyedRequest { key: self.key.clone(), request: wit::InputRequest::ListRoots }
    }

    fn response(self, response: Option<wit::InputResponse>) -> Vec<Root> {
        match response {
            Some(wit::InputResponse::Roots(roots)) => {
                roots.into_iter().map(|root| Root { uri: root.uri, name: root.name }).collect()
            }
            _ => broken("a request for roots"),
        }
    }
}
