//! One handler's share of the host.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::engine::Sandbox;
use super::limits::Limits;
use super::queue::Gate;

/// One handler's share of the host, whatever its revision.
#[derive(Debug)]
pub struct Tenant {
    /// The handler's name, for the log.
    pub name: Arc<str>,
    /// How much it may use.
    pub limits: Limits,
    pub(super) gate: Gate,
}

/// The shares that someone holds.
pub(super) type Tenants = Mutex<HashMap<Arc<str>, Weak<Tenant>>>;

impl Sandbox {
    /// The share of the handler of this name: the same as long as anyone holds it. To be asked for once, at upload.
    #[must_use]
    pub fn tenant(&self, name: &str) -> Arc<Tenant> {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tenant) = tenants.get(name).and_then(Weak::upgrade) {
            return tenant;
        }
        let limits = self.allotment.of(name).clone();
        let tenant = Arc::new(Tenant { name: name.into(), gate: Gate::new(&limits), limits });
        tenants.retain(|_, tenant| tenant.strong_count() > 0);
        tenants.insert(Arc::clone(&tenant.name), Arc::downgrade(&tenant));
        tenant
    }
}
