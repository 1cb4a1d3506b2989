//! Listening over HTTP: what is acknowledged, what is sent and what is not, and how it ends.

use std::time::Duration;

use dacapo_tests::{Client, EventStream, Host};
use reqwest::Method;
use serde_json::{Value, json};

const ID: &str = "io.modelcontextprotocol/subscriptionId";
const QUIET: Duration = Duration::from_millis(500);

/// Opens a stream, and checks that it is acknowledged. Returns the subscription's id besides.
async fn listen(client: &Client, filter: Value) -> (EventStream, Value) {
    let mut stream = client.open("subscriptions/listen", json!({"notifications": filter})).await;
    let first = stream.next().await.expect("an acknowledgement");
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(first["params"]["notifications"], filter);
    let id = first["params"]["_meta"][ID].clone();
    assert!(id.is_i64(), "the acknowledgement carries the request's id: {first}");
    (stream, id)
}

/// The method of the next notification, which must carry the subscription's id.
async fn heard(stream: &mut EventStream, id: &Value) -> String {
    let message = stream.next().await.expect("a notification");
    assert_eq!(&message["params"]["_meta"][ID], id, "{message}");
    message["method"].as_str().expect("a method").to_owned()
}

async fn remove(host: &Host, name: &str) {
    let answer = dacapo_tests::Answer::to(host.request(Method::DELETE, &format!("/v1/handlers/{name}"))).await;
    assert_eq!(answer.status, 204);
}

async fn announce(client: &Client, list: &str) {
    client.call_tool("announce-list", json!({"list": list})).await.complete();
}

async fn announce_resource(client: &Client, uri: &str, times: u32) {
    client.call_tool("announce-resource", json!({"uri": uri, "times": times})).await.complete();
}

#[tokio::test]
async fn uploads_and_removals_are_heard_by_those_who_listen_for_tools_and_by_no_others() {
    let host = Host::start().await;
    let client = host.client();
    let (mut tools, id) = listen(&client, json!({"toolsListChanged": true})).await;
    let others = json!({"promptsListChanged": true, "resourcesListChanged": true, "resourceSubscriptions": ["x:y"]});
    let (mut others, _) = listen(&client, others).await;
    let (mut nothing, _) = listen(&client, json!({})).await;
    assert_eq!(tools.headers["x-accel-buffering"], "no");

    host.upload_guest("hello").await;
    assert_eq!(heard(&mut tools, &id).await, "notifications/tools/list_changed");
    host.upload("hello", dacapo_tests::guests::bytes("onboard")).await;
    assert_eq!(heard(&mut tools, &id).await, "notifications/tools/list_changed");
    remove(&host, "hello").await;
    assert_eq!(heard(&mut tools, &id).await, "notifications/tools/list_changed");
    assert!(tools.is_silent_for(QUIET).await);
    assert!(others.is_silent_for(QUIET).await);
    assert!(nothing.is_silent_for(QUIET).await);
}

#[tokio::test]
async fn an_upload_that_offers_the_same_as_before_is_not_announced() {
    let host = Host::start().await;
    host.upload_guest("hello").await;
    let (mut tools, id) = listen(&host.client(), json!({"toolsListChanged": true})).await;
    // The same component, and another one whose tools are the same: a custom section is added.
    host.upload_guest("hello").await;
    let other = [dacapo_tests::guests::bytes("hello"), vec![0, 2, 1, b'x']].concat();
    assert_eq!(host.upload("hello", other).await.body["revision"], 2);
    assert!(tools.is_silent_for(QUIET).await);
    remove(&host, "hello").await;
    assert_eq!(heard(&mut tools, &id).await, "notifications/tools/list_changed");
}

#[tokio::test]
async fn each_of_several_listeners_hears_what_it_asked_for_under_its_own_id() {
    let host = Host::start().await;
    host.upload_guest("herald").await;
    let client = host.client();
    let (mut one, one_id) = listen(&client, json!({"toolsListChanged": true, "promptsListChanged": true})).await;
    let (mut other, other_id) = listen(&client, json!({"toolsListChanged": true, "resourcesListChanged": true})).await;
    assert_ne!(one_id, other_id);
    for list in ["prompts", "resources", "tools"] {
        announce(&client, list).await;
        let method = format!("notifications/{list}/list_changed");
        if list != "resources" {
            assert_eq!(heard(&mut one, &one_id).await, method);
        }
        if list != "prompts" {
            assert_eq!(heard(&mut other, &other_id).await, method);
        }
    }
    assert!(one.is_silent_for(QUIET).await);
    assert!(other.is_silent_for(QUIET).await);
}

#[tokio::test]
async fn a_resource_that_is_watched_is_heard_of_and_a_flood_is_heard_as_a_trickle() {
    let host = Host::start().await;
    host.upload_guest("herald").await;
    let client = host.client();
    let filter = json!({"toolsListChanged": true, "resourceSubscriptions": ["note://a", "note://b"]});
    let (mut stream, id) = listen(&client, filter).await;
    announce_resource(&client, "note://c", 1).await;
    announce_resource(&client, "note://b", 1).await;
    let message = stream.next().await.expect("a notification");
    assert_eq!(message["method"], "notifications/resources/updated");
    assert_eq!(message["params"], json!({"uri": "note://b", "_meta": {ID: id}}));

    // Nothing that others announce meanwhile is lost.
    let (flood, ()) = tokio::join!(
        async {
            announce_resource(&client, "note://a", 1_000_000).await;
            announce(&client, "tools").await;
        },
        async {
            host.upload_guest("hello").await;
        },
    );
    let () = flood;
    let mut updates = 0;
    loop {
        match heard(&mut stream, &id).await.as_str() {
            "notifications/resources/updated" => updates += 1,
            "notifications/tools/list_changed" if updates > 0 => break,
            "notifications/tools/list_changed" => {}
            other => panic!("{other} was not asked for"),
        }
    }
    assert!(updates < 1000, "{updates} notifications of one resource");
}

#[tokio::test]
async fn what_is_no_filter_is_refused() {
    let host = Host::start().await;
    let client = host.client().unchecked();
    let uris = |count: usize| (0..count).map(|number| format!("note://{number}")).collect::<Vec<_>>();
    let bad = [
        (Value::Null, "notifications"),
        (json!({}), "notifications"),
        (json!({"notifications": null}), "notifications"),
        (json!({"notifications": []}), "notifications"),
        (json!({"notifications": true}), "notifications"),
        (json!({"notifications": {"toolsListChanged": "yes"}}), "notifications"),
        (json!({"notifications": {"resourceSubscriptions": "note://a"}}), "notifications"),
        (json!({"notifications": {"resourceSubscriptions": [1]}}), "notifications"),
        (json!({"notifications": {"resourceSubscriptions": uris(257)}}), "256"),
        (json!({"notifications": {"resourceSubscriptions": ["x".repeat(2049)]}}), "2048"),
    ];
    for (params, word) in bad {
        let answer = client.call("subscriptions/listen", params.clone()).await;
        assert_eq!((answer.status.as_u16(), answer.error_code()), (400, -32602), "{params}");
        let message = answer.error()["message"].as_str().expect("a message");
        assert!(message.contains(word), "{params}: {message}");
    }
    let filter = json!({"resourceSubscriptions": uris(256), "taskIds": ["x"], "promptsListChanged": false});
    let mut stream = client.open("subscriptions/listen", json!({"notifications": filter})).await;
    let acknowledgement = stream.next().await.expect("an acknowledgement");
    let honoured = acknowledgement["params"]["notifications"].as_object().expect("an object");
    assert_eq!(honoured.keys().collect::<Vec<_>>(), ["resourceSubscriptions"]);
    assert_eq!(honoured["resourceSubscriptions"].as_array().map(Vec::len), Some(256));
}

#[tokio::test]
async fn a_stream_that_its_client_closes_makes_room_for_another() {
    let host = Host::start().await;
    let client = host.client();
    // More in all than may be open at once.
    for _ in 0..6 {
        let opening = (0..200).map(|_| listen(&client, json!({"toolsListChanged": true})));
        let open = futures_util::future::join_all(opening).await;
        assert_eq!(open.len(), 200);
        drop(open);
    }
    let (mut stream, id) = listen(&client, json!({"toolsListChanged": true})).await;
    host.upload_guest("hello").await;
    assert_eq!(heard(&mut stream, &id).await, "notifications/tools/list_changed");
}

#[tokio::test]
async fn a_server_that_stops_ends_the_streams_with_a_result_and_does_not_wait_for_them() {
    let mut host = Host::start().await;
    let client = host.client();
    let (mut one, one_id) = listen(&client, json!({"toolsListChanged": true})).await;
    let (mut other, other_id) = listen(&client, json!({"resourceSubscriptions": ["note://a"]})).await;
    let (status, ()) = tokio::join!(host.stop(Duration::from_secs(2)), async {
        for (stream, id) in [(&mut one, one_id), (&mut other, other_id)] {
            let last = stream.next().await.expect("a result");
            assert_eq!(last["id"], id);
            assert_eq!(last["result"]["resultType"], "complete");
            assert_eq!(last["result"]["_meta"][ID], id);
            assert_eq!(stream.next().await, None);
        }
    });
    assert!(status.success(), "{status}");
}
