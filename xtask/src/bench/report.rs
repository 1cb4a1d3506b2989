//! What was found, as Markdown.

use std::fmt::{self, Write};

use super::machine::Machine;
use super::memory::Memory;
use super::pieces::Piece;
use super::restart::{self, Restart};
use super::runs::{Found, Plan, SHARE, STEADY, Series};
use super::subject::Subject;

/// How the servers were set up.
const SETUP: &str = include_str!("setup.md");

/// Writes the report.
pub(crate) fn write(
    machine: &Machine,
    plan: &Plan,
    found: &[Found],
    pieces: &[Piece],
    memory: Option<&Memory>,
    restart: Option<&Restart>,
) -> String {
    let mut report = String::new();
    // Writing to a string does not fail.
    let _ = head(&mut report, machine, plan);
    let _ = throughput(&mut report, plan, found);
    let _ = ratios(&mut report, plan, found);
    let _ = latency(&mut report, plan, found);
    let _ = steady(&mut report, found);
    let _ = conversations(&mut report, plan, found, pieces);
    let _ = inside(&mut report, pieces);
    if let Some(memory) = memory {
        let _ = resident(&mut report, memory);
    }
    if let Some(restart) = restart {
        let _ = restarted(&mut report, restart);
    }
    report
}

fn head(report: &mut String, machine: &Machine, plan: &Plan) -> fmt::Result {
    let command = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    writeln!(report, "# Benchmarks\n\nMade by `cargo xtask {command}`, in one run, on one machine:\n")?;
    writeln!(report, "| | |\n|---|---|")?;
    for (name, fact) in machine.facts() {
        writeln!(report, "| {name} | {fact} |")?;
    }
    writeln!(
        report,
        "\n{} runs of {} seconds each. In every run each server was started anew, in turn, checked for the right answer, and warmed up.\n",
        plan.runs,
        plan.time.as_secs()
    )?;
    writeln!(report, "{SETUP}")
}

/// A table's head: one column for each number of connections.
fn columns(report: &mut String, title: &str, plan: &Plan) -> fmt::Result {
    write!(report, "| {title} |")?;
    for connections in &plan.connections {
        write!(report, " {} |", grouped(approximate(*connections)))?;
    }
    write!(report, "\n|---|")?;
    plan.connections.iter().try_for_each(|_| write!(report, "---:|"))?;
    writeln!(report)
}

/// A table's row: what `cell` makes of each number of connections.
fn row(report: &mut String, name: &str, plan: &Plan, found: &Found, cell: impl Fn(&Series) -> String) -> fmt::Result {
    write!(report, "| {name} |")?;
    for connections in &plan.connections {
        let cell = found.most.get(connections).map(&cell).unwrap_or_default();
        write!(report, " {cell} |")?;
    }
    writeln!(report)
}

fn throughput(report: &mut String, plan: &Plan, found: &[Found]) -> fmt::Result {
    writeln!(
        report,
        "## Throughput\n\nA second, by connections: the median, and in brackets the least and the most.\n"
    )?;
    columns(report, "calls a second", plan)?;
    for found in found {
        row(report, found.subject.name(), plan, found, |series| {
            let (least, most) = series.per_second.range();
            let failed = if series.errors > 0 { format!(", **{} failed**", series.errors) } else { String::new() };
            format!("{} ({} to {}){failed}", grouped(series.per_second.median()), grouped(least), grouped(most))
        })?;
    }
    writeln!(report)
}

fn ratios(report: &mut String, plan: &Plan, all: &[Found]) -> fmt::Result {
    let Some(hello) = all.iter().find(|found| found.subject == Subject::Hello) else { return Ok(()) };
    writeln!(report, "Dacapo's `hello`, a fresh instance for every call, against the others:\n")?;
    columns(report, "times as many calls as", plan)?;
    for other in all {
        if matches!(other.subject, Subject::Hello | Subject::Add | Subject::Conversation) {
            continue;
        }
        write!(report, "| {} |", other.subject.name())?;
        for connections in &plan.connections {
            let median = |found: &Found| found.most.get(connections).map(|series| series.per_second.median());
            match median(hello).zip(median(other)) {
                Some((hello, other)) if other > 0.0 => write!(report, " {:.2} |", hello / other)?,
                _ => write!(report, " – |")?,
            }
        }
        writeln!(report)?;
    }
    writeln!(report)
}

fn latency(report: &mut String, plan: &Plan, found: &[Found]) -> fmt::Result {
    writeln!(
        report,
        "## Latency at full load\n\nHalf of the calls, and 99 of 100, took no longer. Medians of the runs, in milliseconds.\n"
    )?;
    columns(report, "p50 / p99", plan)?;
    for found in found {
        row(report, found.subject.name(), plan, found, |series| {
            format!("{} / {}", millis(series.p50_us.median()), millis(series.p99_us.median()))
        })?;
    }
    writeln!(report)
}

fn steady(report: &mut String, found: &[Found]) -> fmt::Result {
    if found.iter().all(|found| found.steady.is_none()) {
        return Ok(());
    }
    writeln!(
        report,
        "## Latency at {:.0}% load\n\nCalls at a steady rate over {STEADY} connections: {:.0}% of what the same generator makes at most. A \
         call counts from when it was due, so that whoever stalls is not spared what piles up.\n",
        SHARE * 100.0,
        SHARE * 100.0
    )?;
    writeln!(report, "| | calls a second | p50, ms | p99, ms | p99 / p50 |\n|---|---:|---:|---:|---:|")?;
    for (found, series) in found.iter().filter_map(|found| Some((found, found.steady.as_ref()?))) {
        let (p50, p99) = (series.p50_us.median(), series.p99_us.median());
        let failed = if series.errors > 0 { format!(" (**{} failed**)", series.errors) } else { String::new() };
        writeln!(
            report,
            "| {} | {}{failed} | {} | {} | {:.1} |",
            found.subject.name(),
            grouped(series.per_second.median()),
            millis(p50),
            millis(p99),
            p99 / p50
        )?;
    }
    writeln!(report)
}

/// How many calls the conversation of [`Subject::Conversation`] is made of.
const ROUNDS: f64 = 3.0;

/// The groups of pieces that conversations are held against each other by.
const CONVERSATION: &str = "conversation";
const PLAIN: &str = "plain-calls";
const CARRYING: &str = "carrying";

fn conversations(report: &mut String, plan: &Plan, all: &[Found], pieces: &[Piece]) -> fmt::Result {
    let of = |subject| all.iter().find(|found| found.subject == subject);
    if let Some((hello, conversation)) = of(Subject::Hello).zip(of(Subject::Conversation)) {
        writeln!(
            report,
            "## Conversations\n\nFrom outside: `upgrade-plan` asks two questions, so that a conversation is three calls.\n"
        )?;
        columns(report, "", plan)?;
        write!(report, "| three calls of `hello` that the same time would do for |")?;
        for connections in &plan.connections {
            let median = |found: &Found| found.most.get(connections).map(|series| series.per_second.median());
            match median(hello).zip(median(conversation)) {
                Some((hello, conversation)) if conversation > 0.0 => {
                    write!(report, " {:.2} |", hello / (ROUNDS * conversation))?;
                }
                _ => write!(report, " – |")?,
            }
        }
        writeln!(report, "\n")?;
    }
    let median = |group: &str, name: u32| {
        let found = pieces.iter().find(|piece| piece.group == group && piece.name == name.to_string());
        found.map(|piece| piece.median_us)
    };
    let questions: Vec<u32> =
        pieces.iter().filter(|piece| piece.group == CONVERSATION).filter_map(|piece| piece.name.parse().ok()).collect();
    if questions.is_empty() {
        return Ok(());
    }
    writeln!(
        report,
        "From inside, without HTTP: a conversation of so many questions, beside one call more of the same tool that asks nothing, in microseconds. \
         What its answers weigh is what it takes to open and to seal the states that the client carries.\n"
    )?;
    writeln!(
        report,
        "| questions | conversation | plain calls | its states | without them, times plain |\n|---:|---:|---:|---:|---:|"
    )?;
    for questions in questions {
        let all = (median(CONVERSATION, questions), median(PLAIN, questions + 1), median(CARRYING, questions));
        let (Some(conversation), Some(plain), Some(carrying)) = all else { continue };
        writeln!(
            report,
            "| {questions} | {conversation:.1} | {plain:.1} | {carrying:.1} | {:.2} |",
            (conversation - carrying) / plain
        )?;
    }
    writeln!(report)
}

fn inside(report: &mut String, pieces: &[Piece]) -> fmt::Result {
    if pieces.is_empty() {
        return Ok(());
    }
    writeln!(
        report,
        "## Pieces\n\nMeasured from inside (`cargo bench -p dacapo-benches --bench pieces`), in microseconds: the median, and between \
         what it lies with a confidence of 95%. An attempt is a fresh store, an instance, a call, and the end of all three; a call is \
         all that a request comes to but for HTTP. With threads, it is the time for which one call keeps the whole host.\n"
    )?;
    writeln!(report, "| | | median | from | to |\n|---|---|---:|---:|---:|")?;
    for Piece { group, name, median_us, range_us: (least, most) } in pieces {
        if ![CONVERSATION, PLAIN, CARRYING].contains(&group.as_str()) {
            writeln!(report, "| {group} | {name} | {median_us:.2} | {least:.2} | {most:.2} |")?;
        }
    }
    writeln!(report)
}

fn resident(report: &mut String, memory: &Memory) -> fmt::Result {
    writeln!(
        report,
        "## Memory\n\nResident memory of the host, and in brackets what of it is its own and not mapped from files. The handlers are \
         `hello`, each with another name for its tool; the calls wait, each in its own instance.\n"
    )?;
    writeln!(report, "| handlers | after uploading them | after a restart |\n|---:|---:|---:|")?;
    for by in &memory.handlers {
        writeln!(report, "| {} | {} | {} |", grouped(approximate(by.handlers)), mib(by.uploaded), mib(by.restarted))?;
    }
    writeln!(report, "\n| calls at once | while they wait |\n|---:|---:|")?;
    for by in &memory.calls {
        let failed = if by.errors > 0 { format!(", **{} failed**", by.errors) } else { String::new() };
        writeln!(report, "| {} | {}{failed} |", grouped(approximate(by.calls)), mib(by.held))?;
    }
    writeln!(report)
}

fn restarted(report: &mut String, restart: &Restart) -> fmt::Result {
    writeln!(
        report,
        "## Start\n\nWith {} handlers uploaded before, the host listens {:.0} ms after its start, and has answered its first call \
         after {:.0} ms. Each handler was called twice, one call at a time:\n",
        restart::HANDLERS,
        restart.listens.as_secs_f64() * 1e3,
        restart.answers.as_secs_f64() * 1e3
    )?;
    writeln!(report, "| | median, ms | most, ms |\n|---|---:|---:|")?;
    let samples = [
        ("the first call", &restart.first_ms),
        ("the second", &restart.second_ms),
        ("the difference", &restart.more_ms),
    ];
    for (name, samples) in samples {
        writeln!(report, "| {name} | {:.2} | {:.2} |", samples.median(), samples.range().1)?;
    }
    writeln!(report)
}

/// A whole number, its digits in threes.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut grouped = String::with_capacity(digits.len() * 2);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn approximate(count: usize) -> f64 {
    count as f64
}

fn millis(micros: f64) -> String {
    format!("{:.2}", micros / 1000.0)
}

fn mib((all, own): (u64, u64)) -> String {
    #[expect(clippy::cast_precision_loss, reason = "it is rounded to whole mebibytes")]
    let mib = |bytes: u64| grouped(bytes as f64 / f64::from(1 << 20));
    format!("{} MiB ({})", mib(all), mib(own))
}
