//! The parts of the host that stand below the sandbox, from the host's own sources. Without WebAssembly they are compiled
//! in a minute, and the fuzzer sees all of their code.
//!
//! # Layout
//!
//! - [`protocol`], [`carrier`], and of [`sandbox`] what looks at uploads: as in the crate `dacapo`
#![allow(dead_code, reason = "what only the rest of the host uses")]

#[path = "../../../host/src"]
mod host {
    pub mod carrier;
    pub mod protocol;
    pub mod sandbox {
        pub mod capacity;
        pub mod census;
        mod contract;
        pub mod examine;
        pub mod refusal;
    }
}

pub use host::{carrier, protocol, sandbox};
