//! Hints on how a client may use a resource.

use crate::bindings::dacapo::handler::content as wit;
use crate::content::Role;

/// Hints on how a client may use a resource. Attributes say them by `audience`, `priority` and `last_modified`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Annotations {
    audience: &'static [Role],
    priority: Option<f64>,
    last_modified: Option<&'static str>,
}

impl Annotations {
    /// Nothing is said.
    pub const NONE: Self = Self { audience: &[], priority: None, last_modified: None };

    /// Whom it is meant for.
    #[must_use]
    pub const fn audience(self, audience: &'static [Role]) -> Self {
        Self { audience, ..self }
    }

    /// How important it is, from 0 (optional) to 1 (required).
    ///
    /// # Panics
    ///
    /// When it is something else: at compile time, where it stands in an attribute.
    #[must_use]
    pub const fn priority(self, priority: f64) -> Self {
        assert!(priority >= 0.0 && priority <= 1.0, "a priority is a number from 0 (optional) to 1 (required)");
        Self { priority: Some(priority), ..self }
    }

    /// When it was last modified, as an ISO 8601 date and time.
    #[must_use]
    pub const fn last_modified(self, time: &'static str) -> Self {
        Self { last_modified: Some(time), ..self }
    }
}

impl From<Annotations> for Option<wit::Annotations> {
    fn from(annotations: Annotations) -> Self {
        let Annotations { audience, priority, last_modified } = annotations;
        (annotations != Annotations::NONE).then(|| wit::Annotations {
            audience: audience.iter().map(|&role| role.into()).collect(),
            priority,
            last_modified: last_modified.map(str::to_owned),
        })
    }
}
