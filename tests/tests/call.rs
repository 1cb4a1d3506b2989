//! `dacapo call`, with a user at the terminal and without, against this host and against another server.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use dacapo_tests::command::dacapo;
use dacapo_tests::terminal::{Terminal, key};
use dacapo_tests::{Host, target};
use serde_json::{Value, json};

async fn host(guest: &str) -> Host {
    let host = Host::start().await;
    host.upload_guest(guest).await;
    host
}

fn answers(json: &Value) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
    std::fs::write(file.path(), json.to_string()).expect("writable");
    file
}

fn path(file: &tempfile::NamedTempFile) -> &str {
    file.path().to_str().expect("UTF-8")
}

#[tokio::test]
async fn a_form_with_a_field_of_each_kind_is_filled_in_and_checked_while_it_is() {
    let host = host("fields").await;
    let mut user = Terminal::run(["call", "fill", "--server", host.url()]);
    user.wait_for("Please fill in␛[31m everything");
    assert!(!user.raw().contains("\x1b[31m everything"), "what a server writes does not reach the terminal as it is");
    user.answer("Name", "A");
    user.wait_for("must have at least 2 characters");
    user.answer("Name", "da");
    for (label, wrong, what, right) in [
        ("email", "ada", "must be an email address", "@example.org"),
        ("site", "x", "must be an absolute URI", ":y"),
        ("day", "2026-1", "must be a date", "1-30"),
        ("moment", "2026-11-30", "must be a date and time", "T12:00:00Z"),
    ] {
        user.answer(label, wrong);
        user.wait_for(what);
        user.answer(label, right);
    }
    // The default stands there, to be changed.
    user.wait_for("? cups 3");
    user.answer("cups", "3");
    user.wait_for("must be at most 12");
    user.answer("cups", key::BACK);
    user.answer("share", "0.1");
    user.wait_for("must be at least 0.5");
    user.answer("share", &format!("{}0.75", key::BACK.repeat(3)));
    // Not sure by default: the cursor stands at No.
    user.answer("sure", "");
    user.wait_for("Large, with a lid");
    user.answer("size", key::DOWN);
    user.answer("colour", "blu");
    user.answer("colours", "");
    user.wait_for("must have at least 1 items");
    user.answer("colours", &format!(" {} ", key::DOWN));
    user.answer("note", "");
    user.wait_for("(leave out)");
    user.answer("maybe", "");
    user.answer("Send the answer?", "");
    assert_eq!(user.exit_code(), 0, "{}", user.screen());
    let expected = r#"{"name":"Ada","email":"ada@example.org","site":"x:y","day":"2026-11-30","moment":"2026-11-30T12:00:00Z","cups":3,"share":0.75,"sure":false,"size":"large","colour":"blue","colours":["red","green"],"note":null,"maybe":null}"#;
    let shown: String = user.screen().split_whitespace().collect::<Vec<_>>().join("");
    assert!(shown.contains(expected), "{}", user.screen());
}

#[tokio::test]
async fn a_user_can_decline_cancel_edit_and_interrupt() {
    let host = host("onboard").await;
    let ask = || Terminal::run(["call", "onboard", "--server", host.url()]);

    let mut user = ask();
    user.wait_for("? name");
    user.types(key::ESCAPE);
    user.answer("Leave the form?", key::DOWN);
    assert_eq!(user.exit_code(), 0);
    assert!(user.screen().contains("\"cancelled\": true"), "{}", user.screen());

    let mut user = ask();
    user.answer("name", "Ada");
    user.answer("email", "ada@example.org");
    user.answer("Send the answer?", "Edit");
    // What was typed before stands there.
    user.wait_for("? name Ada");
    user.answer("name", " L");
    user.answer("email", "");
    user.answer("Send the answer?", "Cancel");
    assert_eq!(user.exit_code(), 0);
    assert!(user.screen().contains("\"cancelled\": true"), "{}", user.screen());

    let mut user = ask();
    user.wait_for("? name");
    user.types(key::INTERRUPT);
    assert_eq!(user.exit_code(), 130);
}

#[tokio::test]
async fn a_page_is_shown_with_its_host_and_nothing_opens_by_itself() {
    let host = host("everything").await;
    let ask = || Terminal::run(["call", "test_url_elicitation", "--server", host.url()]);
    let mut user = ask();
    user.wait_for("https://example.com/api-key");
    assert!(user.screen().lines().any(|line| line.trim() == "example.com"), "{}", user.screen());
    user.answer("Do you agree to visit it?", "");
    user.answer("Open the page", "");
    assert_eq!(user.exit_code(), 0);
    assert!(user.screen().contains("The user agreed to visit the page."), "{}", user.screen());

    let mut user = ask();
    user.answer("Do you agree to visit it?", "Decline");
    assert_eq!(user.exit_code(), 0);
    assert!(user.screen().contains("The user declined to visit the page."), "{}", user.screen());
}

#[tokio::test]
async fn several_questions_of_one_round_are_asked_one_after_the_other() {
    let host = host("everything").await;
    let mut user = Terminal::run(["call", "test_several_questions", "--server", host.url()]);
    user.wait_for("question 1 of 2");
    user.wait_for("? ");
    let first_is_colour = user.screen().contains("? color");
    let order = if first_is_colour { ["color", "name"] } else { ["name", "color"] };
    for field in order {
        user.answer(field, if field == "name" { "Ada" } else { "green" });
        user.wait_for("Send the answer?");
        user.types(key::ENTER);
    }
    assert_eq!(user.exit_code(), 0);
    assert!(user.screen().contains("Ada likes green."), "{}", user.screen());
}

#[tokio::test]
async fn progress_is_a_bar_on_a_terminal_and_silent_without() {
    let host = host("everything").await;
    let arguments = ["call", "test_tool_with_progress", "--server", host.url()];
    let mut user = Terminal::run(arguments);
    assert_eq!(user.exit_code(), 0);
    assert!(user.raw().contains("50 of 100 · half of it"), "{}", user.raw());
    assert!(!user.screen().contains("half of it"), "the bar is gone at the end: {}", user.screen());
    let ran = dacapo(&arguments);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "Reported 0, 50 and 100 of 100.\n", ""));
}

#[tokio::test]
async fn answers_in_a_file_need_no_user() {
    let host = host("onboard").await;
    let file =
        answers(&json!({"elicit-1": {"action": "accept", "content": {"name": "Ada", "email": "ada@example.org"}}}));
    let ran = dacapo(&["call", "onboard", "--server", host.url(), "--answers", path(&file), "--json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(ran.json()["structuredContent"]["user"]["name"], "Ada");

    // Without one, the question is shown and how to answer it.
    let ran = dacapo(&["call", "onboard", "--server", host.url()]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:?}");
    for part in ["elicit-1: Please enter your details", "name: text, 1 to 100 characters", "--answers", "\"accept\""] {
        assert!(ran.err.contains(part), "no {part}: {}", ran.err);
    }
    let bad = answers(&json!([]));
    assert_eq!(dacapo(&["call", "onboard", "--server", host.url(), "--answers", path(&bad)]).code, 2);
}

#[tokio::test]
async fn arguments_are_read_as_the_schema_wants_them_and_repeated_in_headers() {
    let host = host("schemas").await;
    let server = ["--server", host.url()];
    let call = |arguments: &[&str]| dacapo(&[&["call"], arguments, &server].concat());
    let sent = call(&["send", "address={\"zip\": \"12345\"}", "items=[{\"count\": 2}]"]);
    assert_eq!((sent.code, sent.out.as_str()), (0, "2 on the way to 12345\n"), "{sent:?}");
    let file = answers(&json!({"address": {"zip": "12345"}, "items": [{"count": 3}]}));
    let sent = call(&["send", "--args", &format!("@{}", path(&file))]);
    assert_eq!((sent.code, sent.out.as_str()), (0, "3 on the way to 12345\n"), "{sent:?}");
    // What the tool calls an error is one.
    let refused = call(&["send", "address={}", "items=[]"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.out.contains("zip"), "{refused:?}");
    // What can't be an argument is not sent.
    let wrong = call(&["send", "items=many"]);
    assert_eq!(wrong.code, 2, "{wrong:?}");
    assert!(wrong.err.contains("array"), "{wrong:?}");

    host.upload_guest("everything").await;
    let echoed = call(&["test_custom_header", "region=größer"]);
    assert_eq!(echoed.code, 0, "{echoed:?}");
}

#[tokio::test]
async fn what_a_server_has_is_listed_and_what_it_lacks_is_said() {
    let host = host("everything").await;
    let call = |arguments: &[&str]| dacapo(&[&["call"], arguments, &["--server", host.url()]].concat());
    let tools = call(&["--list"]);
    assert!(tools.code == 0 && tools.out.contains("test_simple_text"), "{tools:?}");
    assert!(call(&["--list", "--prompt"]).out.contains("test_prompt_with_arguments"));
    assert!(call(&["--list", "--resource", "--json"]).json()["resources"].as_array().is_some_and(|all| all.len() > 2));
    let prompt = call(&["test_prompt_with_arguments", "--prompt", "arg1=1", "arg2=b"]);
    assert!(prompt.out.contains("arg1='1', arg2='b'"), "{prompt:?}");
    let resource = call(&["test://static-text", "--resource"]);
    assert!(resource.out.contains("the content of the static text resource"), "{resource:?}");
    let image = call(&["test_image_content"]);
    assert!(image.out.starts_with("[image: image/png, "), "{image:?}");
    let failed = call(&["test_error_handling"]);
    assert!(failed.code == 1 && failed.out.contains("always fails"), "{failed:?}");
    let lacks = call(&["no_such_tool"]);
    assert!(lacks.code == 1 && lacks.err.contains("test_simple_text"), "{lacks:?}");
}

#[tokio::test]
async fn a_server_that_is_not_there_or_is_another_is_told_apart_from_a_failure() {
    let ran = dacapo(&["call", "x", "--server", "http://127.0.0.1:9"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.err.contains("nothing listens at http://127.0.0.1:9/mcp"), "{ran:?}");
    let host = host("hello").await;
    let ran = dacapo(&["call", "x", "--server", &format!("{}/elsewhere", host.url())]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.err.contains("404"), "{ran:?}");
    assert_eq!(dacapo(&["call", "x", "--server", "localhost"]).code, 2);
}

/// The Python library's server. Ends with the test.
struct Other(Child, String);

impl Other {
    fn start() -> Self {
        let mut child = Command::new(target::client("python/bin/python"))
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/python/serve.py"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("Python starts");
        let mut address = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut address).expect("an address");
        Self(child, address.trim().to_owned())
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ended_already = self.0.kill();
        let _reaped = self.0.wait();
    }
}

#[test]
fn a_server_of_others_is_called_as_well_as_this_one() {
    let Other(_, url) = &Other::start();
    // It listens only a moment after it has said where.
    let listed = (0..100).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        Some(dacapo(&["call", "--list", "--server", url])).filter(|ran| ran.code != 3)
    });
    let listed = listed.expect("it listens in time");
    assert!(listed.out.contains("book"), "{listed:?}");
    let mut user = Terminal::run(["call", "book", "seats=2", "--server", url]);
    user.answer("Name", "Ada");
    user.answer("Age", "36");
    user.answer("Send the answer?", "");
    user.answer("Window", "No");
    user.answer("Send the answer?", "");
    assert_eq!(user.exit_code(), 0, "{}", user.screen());
    for part in ["\"name\": \"Ada\"", "\"age\": 36", "\"window\": false", "\"seats\": 2"] {
        assert!(user.screen().contains(part), "no {part}: {}", user.screen());
    }
}
