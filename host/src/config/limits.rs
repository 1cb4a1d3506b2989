//! Limits as typed, of the host and of single handlers.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr as _;

use bytesize::ByteSize;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, FromArgMatches};
use dacapo_replay::Amount;
use serde::de::{DeserializeSeed, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::error::ConfigError;
use crate::registry::handler::HandlerName;
use crate::sandbox::limits::{Allotment, Limit, Limits, Scope, Setting};

/// Limits as typed: options of the command line, or a table of the configuration file.
#[derive(Clone, Debug, Default)]
pub struct LimitOptions(BTreeMap<Limit, Setting>);

impl LimitOptions {
    /// Says that these stand in the table `table` of a file.
    pub(super) fn set_by(&mut self, table: &str, path: &Path) {
        for (limit, setting) in &mut self.0 {
            setting.set_by = format!("{table}.{} in {}", limit.name(), path.display()).into();
        }
    }
}

/// Who may use how much: what was typed for the host, the file's behind it, and what the file gives to single handlers.
pub(super) fn allot(
    typed: LimitOptions,
    file: LimitOptions,
    handlers: BTreeMap<String, LimitOptions>,
) -> Result<Allotment, ConfigError> {
    let mut host = Limits::default();
    for (limit, setting) in file.0.into_iter().chain(typed.0) {
        host.set(limit, setting);
    }
    let mut allotment = Allotment { host, handlers: BTreeMap::new() };
    for (name, own) in handlers {
        name.parse::<HandlerName>()?;
        let mut limits = allotment.host.clone();
        for (limit, setting) in own.0 {
            let (ceiling, set_by) = (allotment.host.amount(limit), setting.set_by.to_string());
            if limit.scope() == Scope::Host {
                return Err(ConfigError::HostOnly { limit: limit.name(), set_by });
            }
            if setting.amount.number() > ceiling.number() {
                let ceiling_set_by = allotment.host.set_by(limit.name()).to_owned();
                let wanted = setting.amount;
                return Err(ConfigError::OverCeiling { limit: limit.name(), wanted, set_by, ceiling, ceiling_set_by });
            }
            limits.set(limit, setting);
        }
        allotment.handlers.insert(name, limits);
    }
    Ok(allotment)
}

/// Reads an amount as operators write it.
fn read(limit: Limit, text: &str) -> Result<Amount, String> {
    let count = |number: u64| usize::try_from(number).map_err(|error| error.to_string());
    let amount = match limit.default() {
        Amount::Bytes(_) => Amount::Bytes(count(ByteSize::from_str(text)?.as_u64())?),
        Amount::Count(_) => Amount::Count(text.parse().map_err(|_| format!("\"{text}\" is no whole number"))?),
        Amount::Time(_) => Amount::Time(humantime::parse_duration(text).map_err(|error| error.to_string())?),
    };
    // Nothing would ever run.
    let closed = matches!(limit, Limit::Concurrency | Limit::Attempts | Limit::Deadline | Limit::Stack);
    if closed && amount.number() == 0 { Err("expected more than 0".to_owned()) } else { Ok(amount) }
}

/// What an amount of this kind is called where one is expected.
fn value_name(limit: Limit) -> &'static str {
    match limit.default() {
        Amount::Bytes(_) => "SIZE",
        Amount::Count(_) => "NUMBER",
        Amount::Time(_) => "DURATION",
    }
}

impl clap::Args for LimitOptions {
    fn augment_args(command: Command) -> Command {
        command.args(Limit::ALL.iter().map(|limit| {
            let limit = *limit;
            Arg::new(limit.name())
                .long(limit.name())
                .env(limit.variable())
                .value_name(value_name(limit))
                .help(format!("{} [default: {}]", limit.what(), limit.default()))
                .help_heading("Limits")
                .value_parser(move |text: &str| read(limit, text))
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for LimitOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let typed = |limit: &Limit| {
            let amount = *matches.get_one::<Amount>(limit.name())?;
            let set_by = match matches.value_source(limit.name()) {
                Some(ValueSource::EnvVariable) => limit.variable().into(),
                _ => format!("--{}", limit.name()).into(),
            };
            Some((*limit, Setting { amount, set_by }))
        };
        Ok(Self(Limit::ALL.iter().filter_map(typed).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.extend(Self::from_arg_matches(matches)?.0);
        Ok(())
    }
}

impl<'de> Deserialize<'de> for LimitOptions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Table)
    }
}

/// A table of the configuration file.
struct Table;

impl<'de> Visitor<'de> for Table {
    type Value = LimitOptions;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of limits")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<LimitOptions, A::Error> {
        let mut limits = BTreeMap::new();
        while let Some(name) = map.next_key::<String>()? {
            let limit = Limit::named(&name).ok_or_else(|| {
                let known: Vec<&str> = Limit::ALL.iter().map(|limit| limit.name()).collect();
                A::Error::custom(format!("there is no limit `{name}`; expected one of {}", known.join(", ")))
            })?;
            let amount = map.next_value_seed(Value(limit))?;
            limits.insert(limit, Setting { amount, set_by: limit.name().into() });
        }
        Ok(LimitOptions(limits))
    }
}

/// The value of one limit in a file: a text, or a number where it counts bytes or things.
struct Value(Limit);

impl<'de> DeserializeSeed<'de> for Value {
    type Value = Amount;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Amount, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for Value {
    type Value = Amount;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0.default() {
            Amount::Bytes(_) => "a size, such as \"64 KiB\"",
            Amount::Count(_) => "a whole number",
            Amount::Time(_) => "a duration, such as \"30s\"",
        })
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Amount, E> {
        read(self.0, text).map_err(E::custom)
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Amount, E> {
        self.visit_str(&number.to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::Args as _;

    use super::*;
    use crate::config::Options;

    fn typed(arguments: &[&str]) -> Options {
        let command = Options::augment_args(Command::new("t"));
        let matches = command.try_get_matches_from(["t"].iter().chain(arguments)).unwrap();
        Options::from_arg_matches(&matches).unwrap()
    }

    fn file(text: &str) -> Result<Options, ConfigError> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("dacapo.toml");
        std::fs::write(&path, text).unwrap();
        Options::read(&path)
    }

    fn allotted(arguments: &[&str], text: &str) -> Result<Allotment, ConfigError> {
        typed(arguments).settle(file(text)?).map(|settings| settings.allotment)
    }

    #[test]
    fn every_limit_is_an_option_and_a_key_of_the_file() {
        for limit in Limit::ALL {
            let (name, half) = (limit.name(), limit.default().number() / 2);
            let unit = if limit.default().unit() == "ms" { "ms" } else { "" };
            let allotment = allotted(&[], &format!("[limits]\n{name} = \"{half}{unit}\"")).unwrap();
            assert_eq!(allotment.host.number(*limit), half, "{name}");
            assert!(allotment.host.set_by(name).starts_with(&format!("limits.{name} in /")), "{name}");
            let allotment = allotted(&[&format!("--{name}"), &format!("{half}{unit}")], "").unwrap();
            assert_eq!(allotment.host.number(*limit), half, "{name}");
            assert_eq!(allotment.host.set_by(name), format!("--{name}"));
            let own = allotted(&[], &format!("[handlers.h]\n{name} = \"{half}{unit}\""));
            match limit.scope() {
                Scope::Handler => {
                    let own = own.unwrap();
                    assert_eq!(own.of("h").number(*limit), half, "{name}");
                    assert_eq!(own.of("other").amount(*limit), limit.default(), "{name}");
                    assert!(own.of("h").set_by(name).starts_with(&format!("handlers.h.{name} in /")), "{name}");
                }
                Scope::Host => assert!(matches!(own, Err(ConfigError::HostOnly { .. })), "{name}"),
            }
        }
    }

    #[test]
    fn the_command_line_wins_over_the_file() {
        let allotment = allotted(&["--deadline", "2s"], "[limits]\ndeadline = \"1s\"\nmax-questions = 3").unwrap();
        assert_eq!(allotment.host.deadline(), Duration::from_secs(2));
        assert_eq!(allotment.host.number(Limit::Questions), 3);
    }

    #[test]
    fn a_handler_gets_no_more_than_the_host_and_the_error_names_both() {
        let error = allotted(&["--memory", "16 MiB"], "[handlers.big]\nmemory = \"1 GiB\"").unwrap_err().to_string();
        for word in ["handlers.big.memory in /", "1 GiB", "16 MiB", "--memory"] {
            assert!(error.contains(word), "{word}: {error}");
        }
        assert!(allotted(&["--memory", "1 GiB"], "[handlers.big]\nmemory = \"1 GiB\"").is_ok());
    }

    #[test]
    fn what_is_no_limit_no_amount_or_no_handler_is_refused_with_its_place() {
        for (text, word) in [
            ("[limits]\nmemry = 1", "memry"),
            ("[limits]\nmemory = \"much\"", "limits.memory"),
            ("[limits]\ndeadline = 5", "deadline"),
            ("[limits]\nmax-questions = -1", "-1"),
            ("[limits]\nconcurrency = 0", "more than 0"),
            ("[handlers.a]\nmemory = true", "handlers.a.memory"),
            ("[handlers.A]\nmemory = 1", "\"A\" is no handler name"),
        ] {
            let error = allotted(&[], text).unwrap_err().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
