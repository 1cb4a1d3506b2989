//! The contract's Rust types, made from its WIT. Authors don't need them; the macros do.
#![allow(missing_docs, unreachable_pub, unsafe_code, clippy::pedantic, reason = "generated code")]

wit_bindgen::generate!({
    path: "../wit",
    world: "tool-handler",
    additional_derives: [PartialEq],
    runtime_path: "dacapo_guest::wit_bindgen::rt",
    pub_export_macro: true,
    export_macro_name: "export_tools",
    default_bindings_module: "dacapo_guest::bindings",
});
