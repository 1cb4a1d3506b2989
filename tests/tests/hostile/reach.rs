//! Those that look for what is outside.

use dacapo_tests::{Host, guests};
use serde_json::{Value, json};

#[tokio::test]
async fn there_is_no_environment_no_argument_no_file_and_no_input() {
    let host = Host::builder().env("DACAPO_ADMIN_TOKEN", "let-me-in").env("SECRET_OF_THE_HOST", "x").start().await;
    let request = host
        .request(reqwest::Method::PUT, "/v1/handlers/snoop")
        .bearer_auth("let-me-in")
        .header("content-type", "application/wasm")
        .body(guests::bytes("snoop"));
    assert_eq!(request.send().await.expect("the host answers").status().as_u16(), 201);
    let answer = host.client().call_tool("look_around", Value::Null).await;
    let nothing = json!({"variables": [], "arguments": [], "files": [], "input": ""});
    assert_eq!(answer.complete()["structuredContent"], nothing);
}
