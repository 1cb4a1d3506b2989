//! What the conformance suite found, and how it is judged.

use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// What the names of the scenarios for the tasks extension begin with. They are run and reported, and decide nothing:
/// the server does not offer tasks.
const TASKS: &str = "tasks-";

/// What the suite says about one promise.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Status {
    /// The promise is kept.
    Success,
    /// The promise can't be checked.
    Skipped,
    /// Nothing is promised.
    Info,
    /// A recommendation is not followed.
    Warning,
    /// The promise is broken.
    Failure,
}

/// One line of a report.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Check {
    id: String,
    status: Status,
    #[serde(default)]
    error_message: Option<String>,
}

/// All that the suite found in one run.
#[derive(Default)]
pub(crate) struct Findings {
    scenarios: BTreeMap<String, Vec<Check>>,
}

impl Findings {
    /// Adds the report on a scenario: the suite's own JSON.
    pub(crate) fn add(&mut self, scenario: &str, report: &str) -> Result<()> {
        let checks: Vec<Check> =
            serde_json::from_str(report).with_context(|| format!("the report on `{scenario}` is not understood"))?;
        if checks.is_empty() {
            bail!("the suite has checked nothing in `{scenario}`");
        }
        self.scenarios.insert(scenario.to_owned(), checks);
        Ok(())
    }

    /// How many checks of the scenarios that decide came out like this.
    pub(crate) fn deciding(&self, status: Status) -> usize {
        self.count(status, |scenario| !scenario.starts_with(TASKS))
    }

    fn count(&self, status: Status, select: impl Fn(&str) -> bool) -> usize {
        self.named(status).filter(|(scenario, _)| select(scenario)).count()
    }

    /// All checks that came out like this, each with its scenario.
    fn named(&self, status: Status) -> impl Iterator<Item = (&str, &Check)> {
        self.scenarios
            .iter()
            .flat_map(|(scenario, checks)| checks.iter().map(move |check| (scenario.as_str(), check)))
            .filter(move |(_, check)| check.status == status)
    }
}

/// A list for each outcome, the worst last, and how many there are of each.
impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const OUTCOMES: [(Status, &str); 5] = [
            (Status::Success, "passed"),
            (Status::Info, "told"),
            (Status::Skipped, "skipped"),
            (Status::Warning, "warnings"),
            (Status::Failure, "failed"),
        ];
        for (status, heading) in OUTCOMES {
            let mut checks = self.named(status).peekable();
            if checks.peek().is_some() {
                writeln!(f, "\n{heading}:")?;
            }
            for (scenario, check) in checks {
                writeln!(f, "  {scenario}:{}", check.id)?;
                for line in check.error_message.iter().flat_map(|message| message.lines()) {
                    writeln!(f, "      {line}")?;
                }
            }
        }
        writeln!(f)?;
        write!(f, "{:24}", "")?;
        for (_, heading) in OUTCOMES {
            write!(f, "{heading:>10}")?;
        }
        writeln!(f)?;
        for (name, is_tasks) in [("what decides", false), ("tasks, which do not", true)] {
            write!(f, "{name:24}")?;
            for (status, _) in OUTCOMES {
                write!(f, "{:>10}", self.count(status, |scenario| scenario.starts_with(TASKS) == is_tasks))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(reports: &[(&str, &str)]) -> Findings {
        let mut findings = Findings::default();
        for (scenario, report) in reports {
            findings.add(scenario, report).unwrap();
        }
        findings
    }

    #[test]
    fn every_check_is_counted_and_named() {
        let findings = findings(&[(
            "tools-list",
            r#"[{"id": "a", "status": "SUCCESS"}, {"id": "a", "status": "SUCCESS"},
                {"id": "b", "status": "FAILURE", "errorMessage": "because"}, {"id": "c", "status": "WARNING"},
                {"id": "d", "status": "SKIPPED"}, {"id": "e", "status": "INFO"}]"#,
        )]);
        let count = |status| findings.deciding(status);
        assert_eq!([count(Status::Success), count(Status::Failure), count(Status::Warning)], [2, 1, 1]);
        assert_eq!([count(Status::Skipped), count(Status::Info)], [1, 1]);
        let text = findings.to_string();
        for name in ["a", "b", "c", "d", "e"] {
            assert!(text.contains(&format!("  tools-list:{name}\n")), "{text}");
        }
        assert!(text.contains("tools-list:b\n      because\n"), "{text}");
    }

    #[test]
    fn tasks_are_reported_and_decide_nothing() {
        let findings = findings(&[("tasks-lifecycle", r#"[{"id": "a", "status": "FAILURE"}]"#)]);
        assert_eq!(findings.deciding(Status::Failure), 0);
        assert!(findings.to_string().contains("tasks-lifecycle:a"));
    }

    #[test]
    fn a_report_that_is_empty_or_says_something_else_is_an_error() {
        for report in ["[]", "{}", "", r#"[{"id": "a", "status": "MAYBE"}]"#, r#"[{"id": "a"}]"#] {
            assert!(Findings::default().add("tools-list", report).is_err(), "{report}");
        }
    }
}
