//! How much a handler may use. One table: from it come the options, the keys of the configuration file, the errors and the
//! log.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use dacapo_replay::{Amount, Exceeded, Fault, walk};
use wasmtime::ResourceLimiter;

use super::capacity::Capacity;
use super::pool;

/// Whom a limit can be set for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// For each handler, up to what is set for the host.
    Handler,
    /// For the host as a whole.
    Host,
}

macro_rules! limits {
    ($(#[doc = $what:literal] $limit:ident $name:literal $variable:literal $scope:ident $unit:ident($default:expr);)*) => {
        /// One limit.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Limit {
            $(#[doc = $what] $limit,)*
        }

        impl Limit {
            /// Every limit, in the order of the enum.
            pub const ALL: &[Self] = &[$(Self::$limit),*];

            /// Its name: the option without its dashes, and the key in the configuration file.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$limit => $name),* }
            }

            /// The variable of the environment that sets it.
            #[must_use]
            pub const fn variable(self) -> &'static str {
                match self { $(Self::$limit => $variable),* }
            }

            /// Whom it can be set for.
            #[must_use]
            pub const fn scope(self) -> Scope {
                match self { $(Self::$limit => Scope::$scope),* }
            }

            /// What holds where nothing is set.
            #[must_use]
            pub const fn default(self) -> Amount {
                match self { $(Self::$limit => Amount::$unit($default)),* }
            }

            /// What it limits, in a few words.
            #[must_use]
            pub fn what(self) -> &'static str {
                let what = match self { $(Self::$limit => $what),* };
                what.trim()
            }
        }
    };
}

limits! {
    /// The linear memory of one run of a handler
    Memory "memory" "DACAPO_MEMORY" Handler Bytes(128 << 20);
    /// The elements of all tables of one run
    TableElements "table-elements" "DACAPO_TABLE_ELEMENTS" Handler Count(100_000);
    /// The stack of one run
    Stack "stack" "DACAPO_STACK" Host Bytes(512 << 10);
    /// The time of one run, and of waiting for its turn
    Deadline "deadline" "DACAPO_DEADLINE" Handler Time(Duration::from_secs(30));
    /// Runs of all handlers at once
    Attempts "max-attempts" "DACAPO_MAX_ATTEMPTS" Host Count(1000);
    /// Runs of one handler at once
    Concurrency "concurrency" "DACAPO_CONCURRENCY" Handler Count(64);
    /// Calls of one handler that wait for their turn
    Queue "queue" "DACAPO_QUEUE" Handler Count(1024);
    /// The parameters of one call
    Arguments "max-arguments" "DACAPO_MAX_ARGUMENTS" Handler Bytes(1 << 20);
    /// The result of one call, as JSON
    Result "max-result" "DACAPO_MAX_RESULT" Handler Bytes(8 << 20);
    /// What a handler hands to the host at once: a result, or what it calls an import with
    Transfer "max-transfer" "DACAPO_MAX_TRANSFER" Handler Bytes(16 << 20);
    /// The message of one progress report
    ProgressMessage "max-progress-message" "DACAPO_MAX_PROGRESS_MESSAGE" Handler Bytes(1 << 10);
    /// The output of one run that goes to the log
    Log "max-log" "DACAPO_MAX_LOG" Handler Bytes(16 << 10);
    /// The lines of output of one run that go to the log
    LogLines "max-log-lines" "DACAPO_MAX_LOG_LINES" Handler Count(256);
    /// The questions of one conversation
    Questions "max-questions" "DACAPO_MAX_QUESTIONS" Handler Count(64);
    /// The values that `once` keeps in one conversation
    OnceValues "max-once-values" "DACAPO_MAX_ONCE_VALUES" Handler Count(64);
    /// All values that `once` keeps in one conversation, with their names
    OnceBytes "max-once-bytes" "DACAPO_MAX_ONCE_BYTES" Handler Bytes(16 << 10);
    /// The sealed conversation that a client holds
    Token "max-token" "DACAPO_MAX_TOKEN" Handler Bytes(64 << 10);
}

impl Limit {
    /// The limit of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|limit| limit.name() == name)
    }
}

/// How much of one thing is allowed, and what says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// How much.
    pub amount: Amount,
    /// What sets it: an option, a variable, or a key in a file.
    pub set_by: Cow<'static, str>,
}

/// Everything that one handler may use.
#[derive(Clone, Debug)]
pub struct Limits(Vec<Setting>);

impl Default for Limits {
    /// See [`Limit`].
    fn default() -> Self {
        let by_default = |limit: &Limit| Setting {
            amount: limit.default(),
            set_by: format!("the default of --{}", limit.name()).into(),
        };
        Self(Limit::ALL.iter().map(by_default).collect())
    }
}

impl Limits {
    /// Sets one.
    pub fn set(&mut self, limit: Limit, setting: Setting) {
        if let Some(place) = self.0.get_mut(limit as usize) {
            *place = setting;
        }
    }

    /// How much is allowed.
    #[must_use]
    pub fn amount(&self, limit: Limit) -> Amount {
        self.0.get(limit as usize).map_or(limit.default(), |setting| setting.amount)
    }

    /// How much is allowed, as a number: bytes, things, or milliseconds.
    #[must_use]
    pub fn number(&self, limit: Limit) -> usize {
        self.amount(limit).number()
    }

    /// The time of one run.
    #[must_use]
    pub fn deadline(&self) -> Duration {
        match self.amount(Limit::Deadline) {
            Amount::Time(deadline) => deadline,
            other => Duration::from_millis(u64::try_from(other.number()).unwrap_or(u64::MAX)),
        }
    }

    /// What sets the limit of this name.
    #[must_use]
    pub fn set_by(&self, name: &str) -> &str {
        Limit::named(name).and_then(|limit| self.0.get(limit as usize)).map_or("nothing", |setting| &setting.set_by)
    }

    /// The error of whoever wants more.
    #[must_use]
    pub fn exceeded(&self, limit: Limit) -> Exceeded {
        Exceeded { limit: limit.name(), allowed: self.amount(limit) }
    }

    /// What a conversation may hold.
    #[must_use]
    pub fn conversation(&self) -> walk::Limits {
        walk::Limits {
            questions: self.number(Limit::Questions),
            once_values: self.number(Limit::OnceValues),
            once_bytes: self.number(Limit::OnceBytes),
        }
    }
}

impl Capacity {
    /// What these limits give. Of memories, tables and instances there are enough for what today's toolchains make: the
    /// interpreters of Python and JavaScript come with some dozen modules that share one memory.
    #[must_use]
    pub fn of(limits: &Limits) -> Self {
        let wide = |limit: usize| u64::try_from(limit).unwrap_or(u64::MAX);
        Self {
            memory: wide(limits.number(Limit::Memory)),
            table_elements: wide(limits.number(Limit::TableElements)),
            memories: pool::MEMORIES.into(),
            tables: pool::TABLES.into(),
            core_instances: pool::CORE_INSTANCES.into(),
        }
    }
}

/// Who may use how much.
#[derive(Clone, Debug, Default)]
pub struct Allotment {
    /// What holds for the host, and for handlers that nothing is set for.
    pub host: Limits,
    /// What holds for others, by name.
    pub handlers: BTreeMap<String, Limits>,
}

impl Allotment {
    /// What a handler may use.
    #[must_use]
    pub fn of(&self, handler: &str) -> &Limits {
        self.handlers.get(handler).unwrap_or(&self.host)
    }
}

/// Counts what one run takes, and traps it where it wants more: a failure that a guest could see would steer it.
#[derive(Debug)]
pub(super) struct Meter {
    memory: Count,
    table_elements: Count,
}

#[derive(Debug)]
struct Count {
    used: usize,
    allowed: Exceeded,
}

impl Count {
    fn add(&mut self, current: usize, desired: usize) -> wasmtime::Result<bool> {
        self.used = self.used.saturating_add(desired.saturating_sub(current));
        if self.used <= self.allowed.allowed.number() {
            Ok(true)
        } else {
            Err(wasmtime::Error::from(Fault::from(self.allowed)))
        }
    }
}

impl Meter {
    pub(super) fn new(limits: &Limits) -> Self {
        let count = |limit| Count { used: 0, allowed: limits.exceeded(limit) };
        Self { memory: count(Limit::Memory), table_elements: count(Limit::TableElements) }
    }
}

impl ResourceLimiter for Meter {
    fn memory_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        // Beyond its own maximum no memory grows on any machine: that a guest may see.
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        self.memory.add(current, desired)
    }

    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        Err(error.context("the machine did not let its memory grow"))
    }

    fn table_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        self.table_elements.add(current, desired)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_is_told_of_with_its_default() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/limits.md");
        let told = std::fs::read_to_string(path).unwrap();
        for limit in Limit::ALL {
            let (name, default) = (limit.name(), limit.default());
            let row = told.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
            let row = row.unwrap_or_else(|| panic!("docs/limits.md has no row for `{name}`; write one"));
            assert!(row.contains(&format!("| {default} |")), "docs/limits.md: the default of `{name}` is {default}");
            let scope = if limit.scope() == Scope::Host { "host" } else { "handler" };
            assert!(row.contains(&format!("| {scope} |")), "docs/limits.md: `{name}` is set for the {scope}");
        }
        let rows = told.lines().filter(|line| line.starts_with("| `")).count();
        assert_eq!(rows, Limit::ALL.len(), "docs/limits.md has a row for what is no limit");
    }

    #[test]
    fn every_limit_has_a_name_a_variable_and_an_error_of_its_own() {
        let limits = Limits::default();
        for limit in Limit::ALL {
            assert_eq!(Limit::named(limit.name()), Some(*limit));
            assert_eq!(limit.variable(), format!("DACAPO_{}", limit.name().to_uppercase().replace('-', "_")));
            let error = limits.exceeded(*limit).to_string();
            assert!(error.contains(limit.name()) && error.contains(&limit.default().to_string()), "{error}");
            assert!(limits.set_by(limit.name()).contains(limit.name()));
        }
    }
}
