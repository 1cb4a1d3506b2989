//! The upload API from the command line: `dacapo push`, `list`, `show`, `remove` and `rollback`.

use dacapo_tests::command::{Ran, dacapo};
use dacapo_tests::{Host, guests};
use serde_json::json;

async fn host() -> Host {
    Host::builder().env("DACAPO_ADMIN_TOKEN", "let-me-in").start().await
}

/// Runs a command that is to be allowed.
fn allowed(host: &Host, arguments: &[&str]) -> Ran {
    dacapo(&[arguments, &["--server", host.url(), "--admin-token", "let-me-in"]].concat())
}

fn file(guest: &str) -> String {
    guests::path(guest).to_str().expect("UTF-8").to_owned()
}

#[tokio::test]
async fn what_is_pushed_is_listed_shown_and_removed() {
    let host = host().await;
    let empty = allowed(&host, &["list"]);
    assert!(empty.code == 0 && empty.out.contains("no handlers"), "{empty:?}");
    let pushed = allowed(&host, &["push", &file("hello"), "--name", "greeter"]);
    assert_eq!(pushed.code, 0, "{pushed:?}");
    assert!(pushed.out.contains("greeter revision 1 is live") && pushed.out.contains("hello"), "{pushed:?}");
    // Without a name, the file's.
    let pushed = allowed(&host, &["push", &file("onboard"), "--json"]);
    assert_eq!((pushed.code, &pushed.json()["name"]), (0, &json!("onboard")), "{pushed:?}");
    let listed = allowed(&host, &["list"]);
    let names: Vec<_> = listed.out.lines().map(|line| line.split(' ').next().expect("a word")).collect();
    assert_eq!(names, ["NAME", "greeter", "onboard"], "{listed:?}");
    assert_eq!(allowed(&host, &["list", "--json"]).json()["handlers"][1]["tools"][0]["name"], "onboard");
    let shown = allowed(&host, &["show", "onboard"]);
    assert!(shown.code == 0 && shown.out.contains("Onboards a new user"), "{shown:?}");
    let removed = allowed(&host, &["remove", "onboard"]);
    assert_eq!((removed.code, removed.out.as_str()), (0, "onboard is removed\n"), "{removed:?}");
    let again = allowed(&host, &["remove", "onboard"]);
    assert_eq!(again.code, 1, "{again:?}");
    assert!(again.err.contains("not-found") && again.err.contains("there are: greeter"), "{again:?}");
}

#[tokio::test]
async fn a_rollback_serves_an_earlier_component_as_a_new_revision() {
    let host = host().await;
    for guest in ["hello", "onboard"] {
        assert_eq!(allowed(&host, &["push", &file(guest), "--name", "x"]).code, 0);
    }
    let shown = allowed(&host, &["show", "x", "--json"]).json();
    let states: Vec<_> = shown["revisions"].as_array().expect("a list").iter().map(|it| &it["revision"]).collect();
    assert_eq!(states, [&json!(2), &json!(1)], "{shown}");
    assert_eq!(shown["revisions"][0]["state"], "serving");
    let rolled = allowed(&host, &["rollback", "x"]);
    assert!(
        rolled.code == 0 && rolled.out.contains("x revision 3 is live") && rolled.out.contains("hello"),
        "{rolled:?}"
    );
    let rolled = allowed(&host, &["rollback", "x", "--to", "2"]);
    assert!(rolled.code == 0 && rolled.out.contains("onboard"), "{rolled:?}");
    let shown = allowed(&host, &["show", "x"]);
    assert!(shown.out.contains("serving"), "{shown:?}");
    let none = allowed(&host, &["rollback", "x", "--to", "99"]);
    assert!(none.code == 1 && none.err.contains("no-such-revision") && none.err.contains("dacapo show"), "{none:?}");
    assert_eq!(allowed(&host, &["rollback", "x", "--to", "0"]).code, 2);
}

#[tokio::test]
async fn what_goes_wrong_is_said_with_what_to_do_and_an_exit_code() {
    let host = host().await;
    let hello = file("hello");
    let server = ["--server", host.url()];
    let cases: [(&str, Vec<&str>, i32, &[&str]); 8] = [
        ("no token", [&["list"][..], &server].concat(), 1, &["unauthorized", "DACAPO_ADMIN_TOKEN"]),
        (
            "a wrong token",
            [&["push", &hello, "--admin-token", "wrong"][..], &server].concat(),
            1,
            &["unauthorized", "is another", "hello.wasm"],
        ),
        ("no server", vec!["list", "--server", "http://127.0.0.1:9"], 3, &["nothing listens", "dacapo serve"]),
        ("no address", vec!["list", "--server", "127.0.0.1:9 x"], 2, &["127.0.0.1:9 x"]),
        ("no file", [&["push", "no-such-file.wasm"][..], &server].concat(), 1, &["no-such-file.wasm"]),
        ("no name", [&["push", &hello, "--name", "Not A Name"][..], &server].concat(), 2, &["Not A Name", "a-z"]),
        ("no such handler", vec!["show"], 2, &["<NAME>"]),
        (
            "no handler",
            vec!["push", "Cargo.toml", "--name", "x", "--server", host.url(), "--admin-token", "let-me-in"],
            1,
            &["not-wasm", "Cargo.toml"],
        ),
    ];
    for (what, arguments, code, parts) in cases {
        let ran = dacapo(&arguments);
        assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{what}: {ran:?}");
        for part in parts {
            assert!(ran.err.contains(part), "{what}: no {part}: {ran:?}");
        }
    }
    let ran = dacapo(&["list", "--json", "--server", "http://127.0.0.1:9"]);
    let error: serde_json::Value = serde_json::from_str(&ran.err).expect("errors are JSON, too");
    assert_eq!((ran.code, &error["error"]["exitCode"]), (3, &json!(3)));
}

#[tokio::test]
async fn another_service_at_the_address_is_told_from_a_refusal() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let serving = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello";
            let mut request = [0; 4096];
            let _request = tokio::io::AsyncReadExt::read(&mut stream, &mut request).await;
            let _sent = tokio::io::AsyncWriteExt::write_all(&mut stream, answer).await;
        }
    });
    for command in [&["list"][..], &["call", "x"]] {
        let address = address.clone();
        let ran = tokio::task::spawn_blocking(move || dacapo(&[command, &["--server", &address]].concat()));
        let ran = ran.await.expect("it runs");
        assert_eq!(ran.code, 3, "{ran:?}");
        assert!(ran.err.contains("200 OK") && ran.err.contains("--server"), "{ran:?}");
    }
    serving.abort();
}
