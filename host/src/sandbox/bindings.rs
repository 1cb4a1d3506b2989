//! The contract's types, generated from `wit/`.

#![allow(missing_docs, clippy::pedantic, reason = "generated")]

wasmtime::component::bindgen!({
    path: "../wit",
    world: "handler",
    imports: {
        "dacapo:handler/progress.report": async | trappable,
        default: trappable,
    },
    exports: { default: async },
});
