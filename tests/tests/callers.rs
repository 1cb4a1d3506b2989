//! Who may call, and who may upload.

use dacapo_tests::{Answer, Host, guests};
use reqwest::{Method, StatusCode, header};
use serde_json::json;

/// `printf %s ada-token | sha256sum`, and the same for Bob.
const CONFIGURATION: &str = r#"
secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
admin-token = "let-me-in"

[[principals]]
name = "ada"
token-sha256 = "ADA"

[[principals]]
name = "bob"
token-sha256 = "BOB"
"#;

fn sha256(text: &str) -> String {
    use sha2::Digest as _;
    hex::encode(sha2::Sha256::digest(text))
}

/// A host whose callers are told apart, with `onboard`.
async fn host() -> Host {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("dacapo.toml");
    let text = CONFIGURATION.replace("ADA", &sha256("ada-token")).replace("BOB", &sha256("bob-token"));
    std::fs::write(&file, text).expect("writable");
    let host = Host::builder().arg("--config").arg(file).start().await;
    assert_eq!(upload(&host, Some("let-me-in")).await.status, StatusCode::CREATED);
    host
}

async fn upload(host: &Host, token: Option<&str>) -> Answer {
    let mut request = host
        .request(Method::PUT, "/v1/handlers/onboard")
        .header(header::CONTENT_TYPE, "application/wasm")
        .body(guests::bytes("onboard"));
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    Answer::to(request).await
}

#[tokio::test]
async fn a_caller_without_a_good_token_is_asked_for_one() {
    let host = host().await;
    let missing = host.client().call_tool("onboard", json!({})).await;
    assert_eq!(missing.status, StatusCode::UNAUTHORIZED);
    assert_eq!(missing.headers["www-authenticate"], "Bearer realm=\"dacapo\"");
    for token in ["wrong", "", "let-me-in", &sha256("ada-token")] {
        let wrong = host.client().bearer(token).call_tool("onboard", json!({})).await;
        assert_eq!(wrong.status, StatusCode::UNAUTHORIZED, "{token}");
        let challenge = wrong.headers["www-authenticate"].to_str().expect("text");
        assert!(challenge.starts_with("Bearer"), "{challenge}");
    }
    let basic = host.client().header("authorization", "Basic YWRhOmFkYS10b2tlbg==");
    assert_eq!(basic.call_tool("onboard", json!({})).await.status, StatusCode::UNAUTHORIZED);
    let _ = host.client().bearer("ada-token").call_tool("onboard", json!({})).await.input_requests();
    assert!(!host.log().contains("ada-token") && !host.log().contains("let-me-in"), "no credential is logged");
}

#[tokio::test]
async fn a_state_is_good_for_its_own_caller_only_whatever_the_request_says_of_itself() {
    let host = host().await;
    let ada = host.client().bearer("ada-token");
    let asked = ada.call_tool("onboard", json!({})).await;
    let answer = json!({"elicit-1": {"action": "accept", "content": {"name": "Ada", "email": "ada@example.org"}}});
    let bob = host.client().bearer("bob-token").meta("principal", "ada");
    let stolen = bob.retry("onboard", json!({}), asked.request_state(), answer.clone()).await;
    assert_eq!((stolen.status.as_u16(), stolen.error_code()), (400, -32602));
    assert_eq!(stolen.error()["data"]["reason"], "invalid-state", "a thief learns no more than a forger");
    host.wait_for_log("issued to another principal").await;
    ada.retry("onboard", json!({}), asked.request_state(), answer).await.complete();
}

#[tokio::test]
async fn a_state_of_an_open_host_is_not_good_where_callers_are_told_apart() {
    let secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    let open = Host::builder().env("DACAPO_SECRET", secret).start().await;
    open.upload_guest("onboard").await;
    let asked = open.client().call_tool("onboard", json!({})).await;
    let closed = host().await;
    let ada = closed.client().bearer("ada-token");
    let answer = ada.retry("onboard", json!({}), asked.request_state(), json!({})).await;
    assert_eq!(answer.error()["data"]["reason"], "invalid-state");
}

#[tokio::test]
async fn the_upload_api_wants_its_own_token_for_everything() {
    let host = host().await;
    for token in [None, Some("wrong"), Some("ada-token")] {
        let answer = upload(&host, token).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{token:?}");
        assert_eq!(answer.body["error"]["code"], "unauthorized");
        assert!(answer.headers.contains_key("www-authenticate"));
    }
    for (method, path) in [(Method::GET, "/v1/handlers"), (Method::DELETE, "/v1/handlers/onboard")] {
        assert_eq!(Answer::to(host.request(method, path)).await.status, StatusCode::UNAUTHORIZED);
    }
    let listed = Answer::to(host.request(Method::GET, "/v1/handlers").bearer_auth("let-me-in")).await;
    assert_eq!(listed.body["handlers"][0]["name"], "onboard");
}

#[tokio::test]
async fn without_an_admin_token_the_upload_api_serves_no_one_from_elsewhere() {
    let host = Host::builder().args(["--allowed-hosts", "mcp.example.org"]).start().await;
    host.upload_guest("hello").await;
    // A proxy on this machine passes on the name that the world uses.
    let proxied = host.request(Method::DELETE, "/v1/handlers/hello").header("host", "mcp.example.org");
    let answer = Answer::to(proxied).await;
    assert_eq!((answer.status, answer.body["error"]["code"].as_str()), (StatusCode::FORBIDDEN, Some("loopback-only")));
}

#[tokio::test]
async fn a_configuration_that_makes_no_sense_is_told_by_file_and_key() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let serve = |arguments: &[&str]| {
        let output = std::process::Command::new(dacapo_tests::target::host_binary())
            .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
            .arg(directory.path().join("data"))
            .args(arguments)
            .output()
            .expect("the command starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let file = directory.path().join("dacapo.toml");
    let path = file.to_str().expect("UTF-8");
    for (text, word) in [
        ("ttk = \"5m\"", "ttk"),
        ("ttl = \"soon\"", "ttl"),
        ("secret = \"c2hvcnQ=\"", "32 bytes"),
        ("[[principals]]\nname = \"ada\"\ntoken-sha256 = \"xyz\"", "token-sha256"),
    ] {
        std::fs::write(&file, text).expect("writable");
        let (code, err) = serve(&["--config", path]);
        assert_eq!(code, Some(1), "{text}: {err}");
        assert!(err.contains(path) && err.contains(word), "{text}: {err}");
        assert!(!err.contains("c2hvcnQ="), "a secret is not repeated: {err}");
    }
    for option in ["--secret", "--previous-secrets"] {
        let (code, err) = serve(&[option, "c2hvcnQ="]);
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains(option) && err.contains("32 bytes"), "{err}");
        assert!(!err.contains("c2hvcnQ="), "a secret is not repeated: {err}");
    }
    let (code, err) = serve(&["--config", "no-such-file.toml"]);
    assert_eq!(code, Some(1));
    assert!(err.contains("no-such-file.toml"), "{err}");
}
