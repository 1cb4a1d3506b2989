//! What a handler imports from its host: in a component the contract's functions, in a test those of
//! [`testing`](crate::testing).

#[cfg(target_family = "wasm")]
mod contract {
    use crate::bindings::dacapo::handler as wit;

    pub(crate) use wit::announcements::{list_changed, resource_updated};
    pub(crate) use wit::context::{askable, principal, protocol_version, target};
    pub(crate) use wit::elicitation::{elicit, elicit_all};
    pub(crate) use wit::inputs::request_inputs;
    pub(crate) use wit::once::{recall, remember};
    pub(crate) use wit::progress::report;
}

#[cfg(target_family = "wasm")]
pub(crate) use contract::*;

#[cfg(not(target_family = "wasm"))]
pub(crate) use crate::testing::session::{
    askable, elicit, elicit_all, list_changed, principal, protocol_version, recall, remember, report, request_inputs,
    resource_updated, target,
};
