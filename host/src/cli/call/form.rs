//! Questions on a terminal: a form field by field, a page to visit. All of it on standard error.

use dacapo_replay::question::Choice;
use dacapo_replay::{ElicitResult, Field, FieldKind, Question};
use fluent_uri::Uri;
use inquire::error::InquireResult;
use inquire::list_option::ListOption;
use inquire::validator::Validation;
use inquire::{InquireError, MultiSelect, Select, Text};
use serde_json::{Map, Value};

use super::super::output::{Interrupted, clean, clean_line};
use super::question::{check, wanted};

/// What is shown for a field that is left out.
const LEFT_OUT: &str = "(leave out)";

/// What the user did with a field.
enum Step {
    /// Filled it in, or left it out.
    Filled(Option<Value>),
    /// Wanted out of it.
    Escaped,
}

/// Puts a question to the user.
///
/// # Errors
///
/// [`Interrupted`] on Ctrl-C, and others when the terminal fails.
pub(super) fn ask(question: &Question) -> anyhow::Result<ElicitResult> {
    let answer = match question {
        Question::Form { message, fields } => form(message, fields),
        Question::Url { message, url } => page(message, url),
    };
    answer.map_err(|error| match error {
        InquireError::OperationInterrupted => Interrupted.into(),
        error => anyhow::Error::new(error).context("the terminal can't be used for questions; try --answers FILE"),
    })
}

fn form(message: &str, fields: &[Field]) -> InquireResult<ElicitResult> {
    eprintln!("\n{}\n", clean(message));
    let mut content: Map<String, Value> = Map::new();
    'fill: loop {
        for field in fields {
            loop {
                match fill(field, content.get(&field.name))? {
                    Step::Filled(Some(value)) => content.insert(field.name.clone(), value),
                    Step::Filled(None) => content.remove(&field.name),
                    Step::Escaped => match one_of("Leave the form?", &["Go back to it", "Decline", "Cancel"])? {
                        Some(1) => return Ok(ElicitResult::Decline),
                        Some(2) => return Ok(ElicitResult::Cancel),
                        _ => continue,
                    },
                };
                break;
            }
        }
        // A form without fields has nothing to edit.
        let actions: &[&str] =
            if fields.is_empty() { &["Send", "Decline", "Cancel"] } else { &["Send", "Decline", "Cancel", "Edit"] };
        loop {
            match one_of("Send the answer?", actions)? {
                Some(0) => return Ok(ElicitResult::Accept { content }),
                Some(1) => return Ok(ElicitResult::Decline),
                Some(2) => return Ok(ElicitResult::Cancel),
                Some(_) => continue 'fill,
                None => {}
            }
        }
    }
}

fn page(message: &str, url: &str) -> InquireResult<ElicitResult> {
    let host = Uri::parse(url).ok().and_then(|uri| {
        let web = ["http", "https"].iter().any(|scheme| uri.scheme().as_str().eq_ignore_ascii_case(scheme));
        uri.authority().filter(|_| web).map(|authority| authority.host().to_owned())
    });
    eprintln!("\n{}\n", clean(message));
    let Some(host) = host.filter(|host| !host.is_empty()) else {
        eprintln!("The server names \"{}\", which is no page of the web. Don't visit it.", clean_line(url));
        return leave("What to answer?");
    };
    eprintln!("The server wants you to visit a page of the host\n\n    {}\n", clean_line(&host));
    eprintln!("at this address. Nothing opens by itself.\n\n    {}\n", clean_line(url));
    match one_of("Do you agree to visit it?", &["Yes, I shall open it myself", "Decline", "Cancel"])? {
        Some(0) => {}
        Some(1) => return Ok(ElicitResult::Decline),
        _ => return Ok(ElicitResult::Cancel),
    }
    match one_of("Open the page in your browser, and say when you are done.", &["Done", "Decline", "Cancel"])? {
        Some(0) => Ok(ElicitResult::Accept { content: Map::new() }),
        Some(1) => Ok(ElicitResult::Decline),
        _ => Ok(ElicitResult::Cancel),
    }
}

fn leave(what: &str) -> InquireResult<ElicitResult> {
    Ok(if one_of(what, &["Decline", "Cancel"])? == Some(0) { ElicitResult::Decline } else { ElicitResult::Cancel })
}

/// Lets the user choose; nothing on Esc.
fn one_of(prompt: &str, options: &[&str]) -> InquireResult<Option<usize>> {
    let chosen = Select::new(prompt, options.to_vec())
        .with_help_message("↑↓ to move, enter to choose")
        .raw_prompt_skippable()?;
    Ok(chosen.map(|chosen| chosen.index))
}

/// Lets the user fill in one field; `before` is what it held before.
fn fill(field: &Field, before: Option<&Value>) -> InquireResult<Step> {
    let label = clean_line(field.title.as_deref().unwrap_or(&field.name));
    let about = field.description.as_deref().map(|text| format!("{} · ", clean_line(text))).unwrap_or_default();
    let optional = if field.required { "" } else { " · optional" };
    let hint = |what: &str| format!("{about}{what}{optional} · esc to decline or cancel");
    match &field.kind {
        FieldKind::Text { .. } | FieldKind::Integer { .. } | FieldKind::Number { .. } => {
            let hint = hint(&clean_line(&wanted(field)));
            let initial = before.map(written).or_else(|| default_text(&field.kind)).unwrap_or_default();
            let checked = field.clone();
            let typed = Text::new(&label)
                .with_help_message(&hint)
                .with_initial_value(&initial)
                .with_validator(move |typed: &str| {
                    Ok(match read(&checked, typed) {
                        Ok(_) => Validation::Valid,
                        Err(what) => Validation::Invalid(what.into()),
                    })
                })
                .prompt_skippable()?;
            // What was read above can be read again.
            Ok(typed.map_or(Step::Escaped, |typed| Step::Filled(read(field, &typed).unwrap_or_default())))
        }
        FieldKind::Boolean { default } => {
            let before = before.and_then(Value::as_bool).or(*default);
            let start = before.map(|yes| usize::from(!yes));
            let options = vec!["Yes".to_owned(), "No".to_owned()];
            let step = choose(&label, &hint("yes or no"), options, start, field.required)?;
            Ok(step.map_or(Step::Escaped, |index| Step::Filled(index.map(|index| Value::Bool(index == 0)))))
        }
        FieldKind::SingleChoice { choices, default } => {
            let before = before.and_then(Value::as_str).or(default.as_deref());
            let start = choices.iter().position(|choice| Some(choice.value.as_str()) == before);
            let options = choices.iter().map(shown).collect();
            let step = choose(&label, &hint("type to filter, enter to choose"), options, start, field.required)?;
            let value = |index: usize| choices.get(index).map(|choice| choice.value.clone().into());
            Ok(step.map_or(Step::Escaped, |index| Step::Filled(index.and_then(value))))
        }
        FieldKind::MultipleChoice { choices, default, .. } => {
            let before: Option<Vec<String>> =
                before.and_then(|before| serde_json::from_value(before.clone()).ok()).or_else(|| default.clone());
            let marked: Vec<usize> = choices
                .iter()
                .enumerate()
                .filter(|(_, choice)| before.iter().flatten().any(|value| *value == choice.value))
                .map(|(index, _)| index)
                .collect();
            let (checked, known) = (field.clone(), choices.clone());
            let hint = hint("space to mark, enter to go on");
            let chosen = MultiSelect::new(&label, choices.iter().map(shown).collect())
                .with_help_message(&hint)
                .with_default(&marked)
                .with_validator(move |chosen: &[ListOption<&String>]| {
                    let value = marks(&known, chosen.iter().map(|option| option.index), checked.required);
                    Ok(match value.map_or(Ok(()), |value| check(&checked, &value)) {
                        Ok(()) => Validation::Valid,
                        Err(what) => Validation::Invalid(what.into()),
                    })
                })
                .raw_prompt_skippable()?;
            Ok(chosen.map_or(Step::Escaped, |chosen| {
                Step::Filled(marks(choices, chosen.iter().map(|option| option.index), field.required))
            }))
        }
    }
}

/// Lets the user choose one of several, or none of them where the field may be left out.
#[expect(clippy::option_option, reason = "the user left the question, or left the field out, or chose")]
fn choose(
    label: &str,
    hint: &str,
    mut options: Vec<String>,
    start: Option<usize>,
    required: bool,
) -> InquireResult<Option<Option<usize>>> {
    let none = options.len();
    if !required {
        options.push(LEFT_OUT.to_owned());
    }
    // What has no default is left out unless the user says otherwise.
    let start = start.unwrap_or(if required { 0 } else { none });
    let chosen =
        Select::new(label, options).with_help_message(hint).with_starting_cursor(start).raw_prompt_skippable()?;
    Ok(chosen.map(|chosen| Some(chosen.index).filter(|index| *index != none)))
}

/// What the marked choices come to: nothing where none is marked and the field may be left out.
fn marks(choices: &[Choice], marked: impl Iterator<Item = usize>, required: bool) -> Option<Value> {
    let values: Vec<String> = marked.filter_map(|index| Some(choices.get(index)?.value.clone())).collect();
    (required || !values.is_empty()).then(|| values.into())
}

fn shown(choice: &Choice) -> String {
    match &choice.title {
        Some(title) if *title != choice.value => format!("{} ({})", clean_line(title), clean_line(&choice.value)),
        _ => clean_line(&choice.value),
    }
}

/// A value as the user would type it.
fn written(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn default_text(kind: &FieldKind) -> Option<String> {
    match kind {
        FieldKind::Text { default, .. } => default.as_deref().map(clean_line),
        FieldKind::Integer { default, .. } => default.map(|default| default.to_string()),
        FieldKind::Number { default, .. } => default.map(|default| default.to_string()),
        FieldKind::Boolean { .. } | FieldKind::SingleChoice { .. } | FieldKind::MultipleChoice { .. } => None,
    }
}

/// What was typed into a field, as its kind reads it; nothing where it is left out.
fn read(field: &Field, typed: &str) -> Result<Option<Value>, String> {
    if typed.is_empty() && !field.required {
        return Ok(None);
    }
    let value: Value = match field.kind {
        FieldKind::Integer { .. } => typed.trim().parse::<i64>().map_err(|_| "must be a whole number")?.into(),
        FieldKind::Number { .. } => {
            let number = typed.trim().parse::<f64>().ok().filter(|number| number.is_finite());
            number.ok_or("must be a number")?.into()
        }
        _ => typed.into(),
    };
    check(field, &value).map(|()| Some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(kind: FieldKind, required: bool) -> Field {
        Field { name: "f".to_owned(), title: None, description: None, required, kind }
    }

    #[test]
    fn what_is_typed_is_read_as_the_field_wants_it() {
        let integer = field(FieldKind::Integer { minimum: Some(1), maximum: None, default: None }, true);
        assert_eq!(read(&integer, " 3 "), Ok(Some(3.into())));
        for bad in ["", "0", "1.5", "x"] {
            assert!(read(&integer, bad).is_err(), "{bad}");
        }
        let number = field(FieldKind::Number { minimum: None, maximum: None, default: None }, false);
        assert_eq!(read(&number, "1.5"), Ok(Some(1.5.into())));
        assert_eq!(read(&number, ""), Ok(None));
        assert!(read(&number, "inf").is_err());
        let text = FieldKind::Text { min_length: None, max_length: Some(2), format: None, default: None };
        assert_eq!(read(&field(text.clone(), true), ""), Ok(Some("".into())));
        assert_eq!(read(&field(text.clone(), false), ""), Ok(None));
        assert!(read(&field(text, false), "abc").is_err());
    }

    #[test]
    fn marks_that_may_be_left_out_are() {
        let choices = ["a", "b"].map(|value| Choice { value: value.to_owned(), title: None });
        assert_eq!(marks(&choices, [1].into_iter(), true), Some(serde_json::json!(["b"])));
        assert_eq!(marks(&choices, [].into_iter(), true), Some(serde_json::json!([])));
        assert_eq!(marks(&choices, [].into_iter(), false), None);
    }
}
