//! The reference of the configuration, from the options themselves.

use std::fmt::Write as _;

use clap::{Arg, Args as _, Command};

use super::options::Options;
use crate::sandbox::limits::{Limit, Scope};

const HEAD: &str = "\
# Configuration

<!-- Written by `dacapo reference`; a test holds it against the options. -->

`dacapo serve` and `dacapo stdio` take what is set from three places: a flag wins over the environment, the environment over
the configuration file (`--config FILE`, TOML), the file over the default. Sizes are written as `64 KiB` or `1MB`, durations
as `90s`, `5m` or `2h`.

## The server

| Flag | Environment | Key in the file | What it is |
|---|---|---|---|
";

const CALLERS: &str = "
Who may call stands in the file alone, one `[[principals]]` each: `name`, and `token-sha256`, the SHA-256 of the bearer token
in hexadecimal. Without any, everyone may.

## Limits

What they limit and what happens at each stands in [limits.md](limits.md). In the file they stand in the table `[limits]`.
Those marked so can be set for single handlers too, in tables `[handlers.NAME]` with the same keys, up to what holds for the
host:

```toml
[limits]
memory = \"64 MiB\"
deadline = \"10s\"

[handlers.thumbnails]
memory = \"16 MiB\"
concurrency = 4
```

| Flag | Environment | Key in `[limits]` | For single handlers | What it limits |
|---|---|---|---|---|
";

/// All that can be configured, in Markdown.
#[must_use]
pub fn reference() -> String {
    let command = Options::augment_args(Command::new("dacapo"));
    let limit = |arg: &Arg| Limit::named(arg.get_id().as_str());
    let (limits, others): (Vec<&Arg>, Vec<&Arg>) = command.get_arguments().partition(|arg| limit(arg).is_some());
    let mut text = HEAD.to_owned();
    for arg in others {
        let row = Row::of(arg);
        // Writing to a text does not fail.
        let _written = writeln!(text, "| `--{0}` | `{1}` | `{0}` | {2} |", row.name, row.variable, row.help);
    }
    text.push_str(CALLERS);
    for arg in limits {
        let row = Row::of(arg);
        let single = if limit(arg).is_some_and(|limit| limit.scope() == Scope::Handler) { "yes" } else { "no" };
        let _written = writeln!(text, "| `--{0}` | `{1}` | `{0}` | {single} | {2} |", row.name, row.variable, row.help);
    }
    text
}

struct Row {
    name: String,
    variable: String,
    help: String,
}

impl Row {
    fn of(arg: &Arg) -> Self {
        Self {
            name: arg.get_long().unwrap_or_default().to_owned(),
            variable: arg.get_env().unwrap_or_default().to_string_lossy().into_owned(),
            help: arg.get_help().map(ToString::to_string).unwrap_or_default().replace('|', "\\|"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/configuration.md");
        let written = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            written == reference(),
            "docs/configuration.md is out of date: `dacapo reference > docs/configuration.md`"
        );
    }
}
