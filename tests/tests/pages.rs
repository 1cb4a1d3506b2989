//! Lists page by page, and how long clients may keep what they were given.

use dacapo_tests::{Answer, Client, Host};
use reqwest::Method;
use serde_json::{Value, json};

/// Each list: its method, its member of the result, and what names an item.
const LISTS: [(&str, &str, &str); 4] = [
    ("tools/list", "tools", "name"),
    ("prompts/list", "prompts", "name"),
    ("resources/list", "resources", "uri"),
    ("resources/templates/list", "resourceTemplates", "uriTemplate"),
];

async fn host(arguments: &[&str]) -> Host {
    let host = Host::builder().args(arguments).start().await;
    host.upload_guest("everything").await;
    host
}

/// One page: its items, and the cursor for the next.
async fn page(client: &Client, method: &str, member: &str, cursor: Option<String>) -> (Vec<Value>, Option<String>) {
    let params = cursor.map_or(Value::Null, |cursor| json!({"cursor": cursor}));
    let answer = client.call(method, params).await;
    let result = answer.complete();
    let next = result.get("nextCursor").map(|cursor| cursor.as_str().expect("a cursor is a string").to_owned());
    (result[member].as_array().expect("a list").clone(), next)
}

/// The items of the pages from `cursor` to the last. Each has at most `size`, and none is empty.
async fn pages(client: &Client, (method, member): (&str, &str), size: usize, mut cursor: Option<String>) -> Vec<Value> {
    let mut all = Vec::new();
    loop {
        let (items, next) = page(client, method, member, cursor).await;
        assert!((1..=size).contains(&items.len()), "{method}: a page of {}", items.len());
        assert!(next.is_none() || items.len() == size, "{method}: only the last page may be short");
        all.extend(items);
        cursor = next;
        if cursor.is_none() {
            return all;
        }
    }
}

fn names(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["name"].as_str().expect("a name")).collect()
}

fn is_refused(answer: &Answer) {
    assert_eq!((answer.status.as_u16(), answer.error_code()), (400, -32602), "{}", answer.body);
}

#[tokio::test]
async fn every_item_of_every_list_comes_once_and_in_the_same_order_whatever_the_size_of_a_page() {
    let whole = host(&[]).await;
    let mut expected = Vec::new();
    for (method, member, key) in LISTS {
        let (items, next) = page(&whole.client(), method, member, None).await;
        assert_eq!(next, None, "{method} fits on a page");
        let mut known: Vec<_> = items.iter().map(|item| item[key].as_str().expect("a name")).collect();
        known.dedup();
        assert!(!known.is_empty() && known.len() == items.len(), "{method}: {known:?}");
        expected.push(items);
    }
    for size in [1, 2, 5, 22] {
        let paged = host(&["--page-size", &size.to_string()]).await;
        for ((method, member, _), expected) in LISTS.iter().zip(&expected) {
            assert_eq!(&pages(&paged.client(), (method, member), size, None).await, expected, "{method} by {size}");
        }
    }
}

#[tokio::test]
async fn a_cursor_is_good_for_its_own_list_only_and_others_are_refused() {
    let host = host(&["--page-size", "2"]).await;
    let client = host.client();
    for (method, member, key) in &LISTS[..3] {
        let (items, cursor) = page(&client, method, member, None).await;
        let cursor = cursor.expect("there is more than a page");
        let last = items[1][key].as_str().expect("a name");
        assert!(!cursor.contains(last) && !cursor.contains(member), "{cursor} tells what it is");
        for (other, ..) in LISTS.iter().filter(|(other, ..)| other != method) {
            is_refused(&client.call(other, json!({"cursor": cursor})).await);
        }
        // The same cursor twice gives the same page.
        let next = page(&client, method, member, Some(cursor.clone())).await;
        assert_eq!(page(&client, method, member, Some(cursor.clone())).await, next);
        for changed in ["", "2", "made-up", "AAAA", last, &format!("{cursor}="), &cursor[1..], &cursor.to_lowercase()] {
            is_refused(&client.call(method, json!({"cursor": changed})).await);
        }
    }
    is_refused(&client.unchecked().call("tools/list", json!({"cursor": 2})).await);
}

#[tokio::test]
async fn a_list_that_grows_between_two_pages_still_gives_all_that_was_there_once() {
    let host = host(&["--page-size", "2"]).await;
    let client = host.client();
    let list = ("tools/list", "tools");
    let before = pages(&client, list, 2, None).await;
    for read in 1..4 {
        let (mut seen, mut cursor) = (Vec::new(), None);
        for _ in 0..read {
            let (items, next) = page(&client, list.0, list.1, cursor).await;
            seen.extend(items);
            cursor = next;
        }
        // What comes before and after the place that has been read, by its name.
        for guest in ["clock", "visitor"] {
            host.upload_guest(guest).await;
        }
        let rest = pages(&client, list, 2, cursor).await;
        seen.extend(rest);
        let old: Vec<_> = seen.iter().filter(|tool| before.contains(tool)).cloned().collect();
        assert_eq!(names(&old), names(&before));
        assert!(names(&seen).contains(&"visit"), "what comes later in the list is there already");
        for guest in ["clock", "visitor"] {
            let removed = Answer::to(host.request(Method::DELETE, &format!("/v1/handlers/{guest}"))).await;
            assert_eq!(removed.status, 204);
        }
    }
}

#[tokio::test]
async fn a_cursor_outlives_the_item_that_it_comes_after() {
    let host = host(&["--page-size", "1"]).await;
    let client = host.client();
    let list = ("tools/list", "tools");
    let before = pages(&client, list, 1, None).await;
    host.upload_guest("hello").await;
    let (first, cursor) = page(&client, list.0, list.1, None).await;
    assert_eq!(names(&first), ["hello"]);
    assert_eq!(Answer::to(host.request(Method::DELETE, "/v1/handlers/hello")).await.status, 204);
    assert_eq!(pages(&client, list, 1, cursor).await, before);
}

#[tokio::test]
async fn how_long_and_for_whom_is_said_with_all_that_clients_may_keep() {
    let host = host(&["--list-ttl", "30s", "--read-ttl", "10s", "--cache-scope", "public"]).await;
    let client = host.client();
    let kept = |answer: &Answer| {
        let result = answer.complete();
        (result["ttlMs"].clone(), result["cacheScope"].clone())
    };
    for method in LISTS.map(|(method, ..)| method).into_iter().chain(["server/discover"]) {
        assert_eq!(kept(&client.call(method, Value::Null).await), (json!(30_000), json!("public")), "{method}");
    }
    for uri in ["test://static-text", "test://template/7/data"] {
        let read = client.call("resources/read", json!({"uri": uri})).await;
        assert_eq!(kept(&read), (json!(10_000), json!("public")), "{uri}");
    }
    for (method, params) in [
        ("tools/call", json!({"name": "test_simple_text", "arguments": {}})),
        ("prompts/get", json!({"name": "test_simple_prompt"})),
    ] {
        assert_eq!(kept(&client.call(method, params).await), (Value::Null, Value::Null), "{method} is not kept");
    }
}

#[tokio::test]
async fn a_resource_that_hangs_on_an_answer_is_not_for_keeping() {
    let host = Host::builder().args(["--read-ttl", "10s", "--cache-scope", "public"]).start().await;
    host.upload_guest("visitor").await;
    let client = host.client();
    let mut params = json!({"uri": "visitor://card"});
    let asked = client.call("resources/read", params.clone()).await;
    assert!(asked.input_requests().get("name").is_some());
    assert_eq!((asked.result().get("ttlMs"), asked.result().get("cacheScope")), (None, None));
    params["requestState"] = asked.request_state().into();
    params["inputResponses"] = json!({"name": {"action": "accept", "content": {"name": "Ada"}}});
    let read = client.call("resources/read", params).await;
    assert_eq!(read.complete()["contents"][0]["text"], "This is Ada.");
    assert_eq!((&read.result()["ttlMs"], &read.result()["cacheScope"]), (&json!(0), &json!("private")));
}
