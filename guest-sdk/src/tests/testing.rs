//! Handlers under test: what a script shows, and what it says where it does not play.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::prelude::*;
use crate::testing::{self, ScriptError, accept, cancel, decline, json};

#[derive(Deserialize, JsonSchema)]
struct Transfer {
    amount: u32,
}

#[derive(Form)]
struct Consent {
    /// Yes, transfer it
    sure: bool,
}

#[derive(Choice, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Speed {
    Slow,
    VeryFast,
}

#[derive(Form)]
#[expect(dead_code, reason = "what counts is how the fields are asked for")]
struct How {
    speed: Speed,
    #[form(min_length = 3)]
    note: String,
    tip: Option<u8>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Receipt {
    amount: u32,
    speed: Speed,
    number: String,
}

/// Transfers money in two questions.
#[tool]
fn transfer(ctx: &Context, Transfer { amount }: Transfer) -> Result<Receipt> {
    let mut progress = ctx.counting_progress(Some(3));
    progress.emit_with("begun")?;
    let number = ctx.once("number", || format!("T-{amount}"))?;
    let Reply::Accept(Consent { sure: true }) = ctx.elicit(format!("Transfer {amount} cents?")) else {
        return Err(ToolError::new("Nothing was transferred."));
    };
    progress.emit()?;
    let Reply::Accept(How { speed, note: _, tip: _ }) = ctx.elicit_as::<How>("how", "How?") else {
        return Err(ToolError::new("Not without knowing how."));
    };
    progress.emit_with("done")?;
    ctx.resource_updated("bank://account");
    Ok(Receipt { amount, speed, number })
}

fn script() -> testing::Script<testing::ToolOutcome> {
    testing::call::<transfer>().with(json!({"amount": 1000}))
}

fn how() -> serde_json::Value {
    accept(json!({"speed": "very-fast", "note": "now"}))
}

#[test]
fn a_script_shows_all_that_the_client_saw() {
    let run = script().answer("elicit-1", accept(json!({"sure": true}))).answer("how", how()).assert_faithful();
    let receipt = Receipt { amount: 1000, speed: Speed::VeryFast, number: "T-1000".to_owned() };
    assert_eq!(run.structured::<Receipt>(), receipt);
    assert_eq!(run.text(), r#"{"amount":1000,"speed":"very-fast","number":"T-1000"}"#);
    assert_eq!(run.rounds(), 3);
    assert_eq!(run.once("number"), Some(json!("T-1000")));
    assert_eq!(run.once("other"), None);
    assert_eq!(run.announced(), ["resource bank://account"]);

    let [first, second] = run.questions() else { panic!("two questions: {:?}", run.questions()) };
    assert_eq!((first.key(), first.message()), ("elicit-1", "Transfer 1000 cents?"));
    let schema = json!({
        "type": "object",
        "properties": { "sure": { "type": "boolean", "description": "Yes, transfer it" } },
        "required": ["sure"],
    });
    assert_eq!(first.schema(), schema);
    assert_eq!((second.key(), second.message()), ("how", "How?"));

    let reports = |reports: &[testing::Report]| {
        reports.iter().map(|report| (report.progress, report.total, report.message.clone())).collect::<Vec<_>>()
    };
    let begun = (1.0, Some(3.0), Some("begun".to_owned()));
    let done = (3.0, Some(3.0), Some("done".to_owned()));
    assert_eq!(reports(run.progress()), [begun.clone(), (2.0, Some(3.0), None), done]);
    let first_round = run.progress_by_round().next().map(reports);
    assert_eq!(first_round, Some(vec![begun]));
}

#[test]
fn refusing_users_are_scripted_too() {
    assert_eq!(script().answer("elicit-1", decline()).assert_faithful().failure(), "Nothing was transferred.");
    let half = script().answer("elicit-1", accept(json!({"sure": true})));
    assert_eq!(half.answer("how", cancel()).assert_faithful().failure(), "Not without knowing how.");
}

#[test]
fn a_missing_answer_is_shown_with_the_line_that_answers_it() {
    let error = script().answer("elicit-1", accept(json!({"sure": true}))).try_run().unwrap_err();
    let ScriptError::Unanswered(questions) = &error else { panic!("{error}") };
    assert_eq!(questions[0].key(), "how");
    let text = error.to_string();
    assert!(text.contains(r#"how: "How?" with the form {"type":"object""#), "{text}");
    assert!(text.contains(r#".answer("how", accept(json!({"speed": "slow", "note": "aaa"})))"#), "{text}");
    // What it says to write is an answer.
    let suggested = accept(json!({"speed": "slow", "note": "aaa"}));
    let run = script().answer("elicit-1", accept(json!({"sure": true}))).answer("how", suggested).run();
    assert_eq!(run.structured::<Receipt>().speed, Speed::Slow);
}

#[test]
#[should_panic(expected = r#".answer("elicit-1", accept(json!({"sure": true})))"#)]
fn a_script_that_does_not_play_fails_the_test() {
    let _ = script().run();
}

#[test]
fn an_answer_that_does_not_fit_is_shown_with_its_question() {
    let error = script().answer("elicit-1", accept(json!({"sure": "yes"}))).try_run().unwrap_err().to_string();
    assert!(error.starts_with(r#"the answer to "elicit-1" does not fit: field "sure""#), "{error}");
    assert!(error.contains("Transfer 1000 cents?"), "{error}");
    let error = script().answer("elicit-1", json!({"action": "agree"})).try_run().unwrap_err().to_string();
    assert!(error.contains("is not a response to elicitation/create"), "{error}");
}

#[test]
fn an_answer_that_nobody_asked_for_is_named() {
    let error = script().answer("elicit-1", decline()).answer("elicit-2", decline()).try_run().unwrap_err().to_string();
    assert!(error.starts_with("the script answers elicit-2, which the handler never asked; it asked"), "{error}");
}

#[test]
fn a_client_that_takes_no_forms_is_refused_as_on_the_host() {
    let run = script().without_forms().run();
    assert_eq!(run.refusal().code(), -32021);
    assert_eq!(run.rounds(), 1);
}

/// Catches what it should not.
#[tool]
fn catcher(ctx: &Context) -> String {
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| ctx.elicit::<Consent>("Sure?")));
    if caught.is_ok() { "answered" } else { "caught" }.to_owned()
}

#[test]
fn a_handler_that_catches_a_question_is_told_not_to() {
    let script = testing::call::<catcher>().answer("elicit-1", accept(json!({"sure": true})));
    let error = script.try_run().unwrap_err();
    assert!(matches!(error, ScriptError::Swallowed), "{error}");
    assert!(error.to_string().contains("catch_unwind"), "{error}");
}

/// Asks something else on each run.
#[tool]
fn fickle(ctx: &Context) -> String {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let _ = ctx.elicit::<Consent>(format!("Run {run}, sure?"));
    "done".to_owned()
}

#[test]
fn a_handler_that_asks_something_else_on_a_replay_has_diverged() {
    let error = testing::call::<fickle>().answer("elicit-1", decline()).try_run().unwrap_err().to_string();
    assert!(error.contains("the handler broke the idempotency contract"), "{error}");
    assert!(error.contains("at position 1, key \"elicit-1\""), "{error}");
}

/// Counts its runs in a static.
#[tool]
fn counting(ctx: &Context) -> String {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    RUNS.fetch_add(1, Ordering::Relaxed);
    let _ = ctx.elicit::<Consent>("Sure?");
    RUNS.load(Ordering::Relaxed).to_string()
}

#[test]
#[should_panic(expected = "the handler is not faithful")]
fn a_handler_that_remembers_in_a_static_is_not_faithful() {
    let _ = testing::call::<counting>().answer("elicit-1", decline()).assert_faithful();
}

/// Keeps a number that is another each time.
#[tool]
fn drawing(ctx: &Context) -> Result<String> {
    static DRAWN: AtomicUsize = AtomicUsize::new(0);
    let drawn = ctx.once("drawn", || DRAWN.fetch_add(1, Ordering::Relaxed))?;
    let _ = ctx.elicit::<Consent>(format!("Is {drawn} good?"));
    Ok(drawn.to_string())
}

#[test]
fn what_once_keeps_may_differ_from_play_to_play() {
    let run = testing::call::<drawing>().answer("elicit-1", decline()).assert_faithful();
    assert_eq!(run.once("drawn"), Some(run.text().parse::<u64>().unwrap().into()));
}

/// Panics.
#[tool]
fn panicking(ctx: &Context) -> String {
    let _ = ctx.elicit::<Consent>("Sure?");
    panic!("the handler's own")
}

#[test]
#[should_panic(expected = "the handler's own")]
fn a_panic_of_the_handler_is_its_own() {
    let _ = testing::call::<panicking>().answer("elicit-1", decline()).run();
}

/// Says who calls, and asks for a page and several things at once.
#[tool(name = "who-calls")]
fn who(ctx: &Context) -> String {
    let who = ctx.principal().unwrap_or_default();
    let (page, consent) = ctx.elicit_all((Ask::url("Pay", "https://pay.example/"), Ask::<Consent>::form("Sure?")));
    let (page, consent) = (page == Reply::Accept(()), consent.accepted().is_some());
    format!(
        "{who} at {} in {}: {page} {consent} {} {}",
        ctx.target(),
        ctx.protocol_version(),
        ctx.can_ask_form(),
        ctx.can_ask_url()
    )
}

#[test]
fn several_questions_in_one_round_are_answered_by_their_keys() {
    let script = testing::call::<who>().principal("ada").answer("elicit-1", accept(json!({})));
    let error = script.clone().try_run().unwrap_err().to_string();
    assert!(error.contains("elicit-2") && !error.contains("elicit-1"), "{error}");
    let run = script.answer("elicit-2", cancel()).assert_faithful();
    assert_eq!(run.text(), "ada at who-calls in 2026-07-28: true false true true");
    assert_eq!(run.rounds(), 2);
    assert_eq!(run.questions()[0].url(), Some("https://pay.example/"));
}

#[derive(PromptArguments)]
struct Subject {
    subject: String,
}

/// Reviews.
#[prompt]
fn review(ctx: &Context, Subject { subject }: Subject) -> Vec<Message> {
    let sure = ctx.elicit::<Consent>(format!("Review {subject}?")).accepted().is_some();
    vec![Message::user(format!("Review {subject}.")), Message::assistant(if sure { "Yes." } else { "No." })]
}

#[test]
fn prompts_are_played_too() {
    let run = testing::get::<review>().with(json!({"subject": "it"})).answer("elicit-1", decline()).assert_faithful();
    assert_eq!(run.text(), "Review it.\nNo.");
    assert_eq!(run.messages()[1].role(), Role::Assistant);
    assert_eq!(testing::get::<review>().run().refusal().code(), -32602);
}

/// A page.
#[resource("docs://page", mime_type = "text/plain")]
fn page(ctx: &Context) -> String {
    format!("sure: {}", ctx.elicit::<Consent>("Sure?").accepted().is_some())
}

#[derive(TemplateVariables)]
struct Numbered {
    number: u8,
}

/// Pages.
#[resource_template("docs://page/{number}")]
fn numbered(Numbered { number }: Numbered) -> Vec<u8> {
    vec![number]
}

#[test]
fn resources_are_played_too() {
    let run = testing::read::<page>().answer("elicit-1", cancel()).assert_faithful();
    assert_eq!(run.text(), "sure: false");
    let expected = ResourceContents::text("sure: false").uri("docs://page").mime_type("text/plain");
    assert_eq!(run.contents(), [expected]);
    let run = testing::read_at::<numbered>("docs://page/7").run();
    assert_eq!(run.contents()[0].as_blob(), Some([7].as_slice()));
    assert_eq!(testing::read_at::<numbered>("docs://page/256").run().refusal().code(), -32602);
}
