//! The contract's Rust types, made from its WIT. Authors don't need them; the macros do.
//!
//! What a handler imports is the same for all. Each interface that it may export is a world of its own, so that a handler
//! exports those that it uses and no other; the types that they share are made once.
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

pub mod prompts {
    pub use exports::dacapo::handler::prompts::*;

    wit_bindgen::generate!({
        path: "../wit",
        inline: "package dacapo:guest; world prompts { export dacapo:handler/prompts@0.1.0; }",
        world: "dacapo:guest/prompts",
        with: { "dacapo:handler/content@0.1.0": crate::bindings::dacapo::handler::content },
        generate_all,
        additional_derives: [PartialEq],
        runtime_path: "dacapo_guest::wit_bindgen::rt",
        pub_export_macro: true,
        export_macro_name: "export_prompts",
        default_bindings_module: "dacapo_guest::bindings::prompts",
    });
}

pub mod resources {
    pub use exports::dacapo::handler::resources::*;

    wit_bindgen::generate!({
        path: "../wit",
        inline: "package dacapo:guest; world resources { export dacapo:handler/resources@0.1.0; }",
        world: "dacapo:guest/resources",
        with: { "dacapo:handler/content@0.1.0": crate::bindings::dacapo::handler::content },
        generate_all,
        additional_derives: [PartialEq],
        runtime_path: "dacapo_guest::wit_bindgen::rt",
        pub_export_macro: true,
        export_macro_name: "export_resources",
        default_bindings_module: "dacapo_guest::bindings::resources",
    });
}

pub mod completions {
    pub use exports::dacapo::handler::completions::*;

    wit_bindgen::generate!({
        path: "../wit",
        inline: "package dacapo:guest; world completions { export dacapo:handler/completions@0.1.0; }",
        world: "dacapo:guest/completions",
        with: { "dacapo:handler/content@0.1.0": crate::bindings::dacapo::handler::content },
        generate_all,
        additional_derives: [PartialEq],
        runtime_path: "dacapo_guest::wit_bindgen::rt",
        pub_export_macro: true,
        export_macro_name: "export_completions",
        default_bindings_module: "dacapo_guest::bindings::completions",
    });
}
