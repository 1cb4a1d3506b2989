//! What a tool's schemas ask is kept: by clients before a handler runs, and by handlers before a client hears of it.

use dacapo_tests::{Answer, Host, guests};
use serde_json::{Value, json};

async fn host() -> Host {
    let host = Host::start().await;
    host.upload_guest("schemas").await;
    host
}

fn parcel() -> Value {
    json!({"address": {"zip": "12345"}, "items": [{"count": 2}, {"count": 3}]})
}

fn text(answer: &Answer) -> &str {
    answer.complete()["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {}", answer.body))
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_a_result_that_says_where_and_no_handler_runs() {
    let host = host().await;
    let client = host.client();
    let with = |pointer: &str, value: Value| {
        let mut parcel = parcel();
        *parcel.pointer_mut(pointer).expect("a place in the arguments") = value;
        parcel
    };
    let cases = [
        (Value::Null, "at \"\": \"address\" is a required property"),
        (json!({}), "\"items\" is a required property"),
        (
            with("/address/zip", json!("x".repeat(10_000))),
            "at \"/address/zip\": the value does not match \"^[0-9]{5}$\"",
        ),
        (with("/address/zip", json!(12345)), "at \"/address/zip\": the value is not of type \"string\""),
        (with("/items", json!([])), "at \"/items\": "),
        (with("/items/1/count", json!(10)), "at \"/items/1/count\": the value is greater than the maximum of 9"),
        (with("/items/0", json!({"count": 1.5})), "at \"/items/0/count\": the value is not of type \"integer\""),
        (json!({"address": {"zip": "12345"}, "items": [{"count": 1}], "gift": true}), "'gift' was unexpected"),
    ];
    for (arguments, expected) in cases {
        let answer = client.call_tool("send", arguments.clone()).await;
        assert_eq!(answer.complete()["isError"], true, "{arguments}");
        assert!(text(&answer).contains(expected), "{expected}: {}", text(&answer));
        assert!(text(&answer).len() < 1000, "{}", text(&answer));
    }
    let many = client.call_tool("send", with("/items", json!(vec![json!({"count": 0}); 20]))).await;
    assert_eq!(text(&many).matches("at \"/items/").count(), 8, "{}", text(&many));
    assert!(!host.log().contains("the parcel is sent"), "{}", host.log());

    let sent = client.call_tool("send", parcel()).await;
    assert_eq!((text(&sent), sent.result().get("isError")), ("5 on the way to 12345", None));
    host.wait_for_log("the parcel is sent").await;
}

#[tokio::test]
async fn a_result_that_breaks_its_own_schema_is_the_fault_of_the_handler() {
    let host = host().await;
    let client = host.client();
    let weighed = client.call_tool("weigh", json!({"kilograms": 100})).await;
    assert_eq!(weighed.complete()["structuredContent"], json!({"kilograms": 100}));

    let broken = client.call_tool("weigh", json!({"kilograms": 101})).await;
    assert_eq!((broken.status.as_u16(), broken.error_code()), (200, -32603));
    let message = broken.error()["message"].as_str().expect("a message");
    assert!(message.contains("does not fit its schema") && !message.contains("kilograms"), "{message}");
    let line = host.wait_for_log("outputSchema").await;
    assert!(line.contains("/kilograms") && line.contains("100") && line.contains("weigh"), "{line}");

    let failed = client.call_tool("weigh", json!({"kilograms": 1001})).await;
    assert_eq!(failed.complete()["isError"], true);
    assert!(text(&failed).contains("the scales broke"));
}

#[tokio::test]
async fn a_schema_that_refers_to_the_network_is_refused_and_the_others_keep_serving() {
    let host = host().await;
    let refused = host.upload("bad", guests::bytes("bad-schema")).await;
    assert_eq!((refused.status.as_u16(), &refused.body["error"]["code"]), (422, &json!("bad-schema")));
    let message = refused.body["error"]["message"].as_str().expect("a message");
    for word in ["\"invite\"", "inputSchema", "\"/properties/person/$ref\"", "https://schemas.example.com/person.json"]
    {
        assert!(message.contains(word), "{word}: {message}");
    }
    let listed = host.client().call("tools/list", Value::Null).await;
    assert!(!listed.body.to_string().contains("invite"), "{}", listed.body);
    text(&host.client().call_tool("send", parcel()).await);
}

#[tokio::test]
async fn schemas_are_kept_after_a_restart() {
    let mut host = host().await;
    host.restart().await;
    let refused = host.client().call_tool("send", json!({})).await;
    assert_eq!(refused.complete()["isError"], true);
}
