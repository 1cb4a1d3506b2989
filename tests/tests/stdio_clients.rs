//! Clients that others have written start the host themselves and speak to it over standard input and output.

use dacapo_tests::{Host, Script, target};
use serde_json::json;

/// Lets a client complete the example that asks, which has been uploaded to a host that served it before.
async fn complete(script: Script) {
    let data = tempfile::tempdir().expect("a temporary directory can be made");
    let host = Host::builder().data_dir(data.path()).start().await;
    host.upload_guest("onboard").await;
    drop(host);

    let server = json!({"command": target::host_binary(), "args": ["stdio", "--data-dir", data.path()]});
    let ask = json!({"tool": "onboard", "arguments": {}});
    let outcome = script.converse(&server, &ask, &json!({"name": "Ada", "email": "ada@example.org"})).await;
    assert_eq!(outcome["questions"], json!(["Please enter your details"]));
    assert_eq!(outcome["result"]["structuredContent"]["message"], "Welcome on board, Ada!");
}

#[tokio::test]
async fn the_typescript_client_completes_a_tool_that_asks() {
    complete(Script::TypeScript).await;
}

#[tokio::test]
async fn the_python_client_completes_a_tool_that_asks() {
    complete(Script::Python).await;
}
