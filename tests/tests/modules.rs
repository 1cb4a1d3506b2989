//! Core modules that embed the contract are handlers, too.

use dacapo_tests::{Host, guests};
use reqwest::StatusCode;
use serde_json::{Value, json};
use sha2::Digest as _;
use wit_component::{DecodedWasm, StringEncoding, embed_component_metadata};

/// The module, with the contract of `hello` embedded.
fn embedding(mut module: Vec<u8>) -> Vec<u8> {
    let DecodedWasm::Component(resolve, world) =
        wit_component::decode(&guests::bytes("hello")).expect("a component's contract")
    else {
        panic!("hello is no component");
    };
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).expect("embedded");
    module
}

/// The module that the component `hello` was made of.
fn hello_module() -> Vec<u8> {
    let component = guests::bytes("hello");
    for payload in wasmparser::Parser::new(0).parse_all(&component) {
        if let wasmparser::Payload::ModuleSection { unchecked_range, .. } = payload.expect("a component") {
            return component[unchecked_range].to_vec();
        }
    }
    panic!("hello has no module");
}

#[tokio::test]
async fn a_core_module_that_embeds_the_contract_is_served_as_a_component_is() {
    let mut host = Host::start().await;
    let module = embedding(hello_module());
    let uploaded = host.upload("hello", module.clone()).await;
    assert_eq!(uploaded.status, StatusCode::CREATED, "{}", uploaded.body);
    let digest = format!("sha256:{}", hex::encode(sha2::Sha256::digest(&module)));
    assert_eq!((&uploaded.body["digest"], &uploaded.body["size"]), (&json!(digest), &json!(module.len())));
    let greeted = host.client().call_tool("hello", json!({"name": "Ada"})).await;
    assert_eq!(greeted.complete()["content"][0]["text"], "Hello, Ada!");

    // What is kept is what was uploaded: it is made a component again where the compiled code is lost.
    std::fs::remove_dir_all(host.data_dir().join("compiled")).expect("removable");
    host.restart().await;
    let greeted = host.client().call_tool("hello", json!({"name": "Ada"})).await;
    assert_eq!(greeted.complete()["content"][0]["text"], "Hello, Ada!");
}

#[tokio::test]
async fn a_core_module_gets_what_it_wants_of_wasi_0_1() {
    let host = Host::start().await;
    // Draws randomness, and lists no tools; traps where there is none.
    let module = wat::parse_str(
        r#"(module
            (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
            (memory (export "memory") 16)
            (global $free (mut i32) (i32.const 65536))
            (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
                (global.set $free (i32.and (i32.add (global.get $free) (i32.const 15)) (i32.const -16)))
                global.get $free
                (global.set $free (i32.add (global.get $free) (local.get 3))))
            (func (export "dacapo:handler/tools@0.1.0#list-tools") (result i32)
                (if (call $random (i32.const 512) (i32.const 16)) (then unreachable))
                (if (i64.eqz (i64.load (i32.const 512))) (then unreachable))
                i32.const 0)
            (func (export "dacapo:handler/tools@0.1.0#call-tool") (param i32 i32 i32 i32) (result i32) unreachable))"#,
    );
    let uploaded = host.upload("random", embedding(module.expect("WebAssembly"))).await;
    assert_eq!(uploaded.status, StatusCode::CREATED, "{}", uploaded.body);
    assert_eq!(uploaded.body["tools"], json!([]));
}

#[tokio::test]
async fn a_core_module_that_can_not_be_a_handler_is_told_what_to_do() {
    let host = Host::start().await;
    // It lacks what it says that it exports.
    let hollow = embedding(wat::parse_str(r#"(module (memory (export "memory") 1))"#).expect("WebAssembly"));
    let broken = embedding(b"\0asm\x01\0\0\0".to_vec());
    for (what, module, code, word) in [
        ("without a contract", hello_module(), "core-module", "wasm-tools component"),
        ("without the contract's functions", hollow, "not-componentized", "list-tools"),
        ("without anything", broken, "not-componentized", "wasm32-wasip2"),
    ] {
        let answer = host.upload("x", module).await;
        let error: &Value = &answer.body["error"];
        assert_eq!((answer.status.as_u16(), &error["code"]), (422, &json!(code)), "{what}: {error}");
        assert!(error["message"].as_str().is_some_and(|message| message.contains(word)), "{what}: {error}");
    }
}
