//! What the host gives one run of a component, and what a component takes of it before its first instruction.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What the host gives one run of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capacity {
    /// Bytes of all linear memories together.
    pub memory: u64,
    /// Elements of all tables together.
    pub table_elements: u64,
    /// Linear memories.
    pub memories: u64,
    /// Tables.
    pub tables: u64,
    /// Instances of core modules.
    pub core_instances: u64,
}

/// What a component takes when it is instantiated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Needs {
    /// Bytes of all linear memories together.
    pub memory: u64,
    /// Elements of all tables together.
    pub table_elements: u64,
    /// Linear memories.
    pub memories: u64,
    /// Tables.
    pub tables: u64,
    /// Instances of core modules.
    pub core_instances: u64,
}

/// One of the things that a component takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Resource {
    /// Bytes of linear memory.
    Memory,
    /// Elements of tables.
    TableElements,
    /// Linear memories.
    Memories,
    /// Tables.
    Tables,
    /// Instances of core modules.
    CoreInstances,
}

/// One thing of which a component needs more than the host gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excess {
    /// What.
    pub resource: Resource,
    /// How much the component needs.
    pub needs: u64,
    /// How much the host gives.
    pub gives: u64,
}

impl Capacity {
    /// All things of which `needs` is more than this.
    #[must_use]
    pub fn exceeded_by(&self, needs: &Needs) -> Vec<Excess> {
        let compared = [
            (Resource::Memory, needs.memory, self.memory),
            (Resource::TableElements, needs.table_elements, self.table_elements),
            (Resource::Memories, needs.memories, self.memories),
            (Resource::Tables, needs.tables, self.tables),
            (Resource::CoreInstances, needs.core_instances, self.core_instances),
        ];
        let excess = |(resource, needs, gives)| (needs > gives).then_some(Excess { resource, needs, gives });
        compared.into_iter().filter_map(excess).collect()
    }
}

impl Needs {
    /// This and something else.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            memory: self.memory.saturating_add(other.memory),
            table_elements: self.table_elements.saturating_add(other.table_elements),
            memories: self.memories.saturating_add(other.memories),
            tables: self.tables.saturating_add(other.tables),
            core_instances: self.core_instances.saturating_add(other.core_instances),
        }
    }
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { resource, needs, gives } = self;
        let (what, remedy) = match resource {
            Resource::Memory => (
                "bytes of memory at its start",
                "give the component a smaller memory, or raise the limit \"memory\" (--memory)",
            ),
            Resource::TableElements => (
                "table elements at its start",
                "give the component fewer functions to point at, or raise the limit \"table-elements\" (--table-elements)",
            ),
            Resource::Memories => ("memories", "build the component of modules that share one"),
            Resource::Tables => ("tables", "build the component of modules that share one"),
            Resource::CoreInstances => ("instances of core modules", "link its modules into fewer"),
        };
        write!(f, "needs {needs} {what}, and the host gives a run {gives}; {remedy}")
    }
}

#[cfg(test)]
#[allow(clippy::panic, clippy::unwrap_used)]
mod tests {
    use super::*;

    const GIVEN: Capacity =
        Capacity { memory: 1 << 20, table_elements: 100, memories: 1, tables: 2, core_instances: 4 };

    #[test]
    fn what_is_given_in_full_may_be_taken_in_full() {
        let all = Needs { memory: 1 << 20, table_elements: 100, memories: 1, tables: 2, core_instances: 4 };
        assert_eq!(GIVEN.exceeded_by(&all), []);
        assert_eq!(GIVEN.exceeded_by(&Needs::default()), []);
    }

    #[test]
    fn everything_that_is_too_much_is_named_with_both_numbers() {
        let one = Needs { memory: (1 << 20) + 1, table_elements: 101, memories: 2, tables: 3, core_instances: 5 };
        let named: Vec<String> = GIVEN.exceeded_by(&one).iter().map(Excess::to_string).collect();
        assert_eq!(named.len(), 5);
        assert!(named.iter().any(|word| word.contains("needs 2 memories, and the host gives a run 1")), "{named:?}");
        assert!(named.iter().any(|word| word.contains("1048577 bytes") && word.contains("--memory")), "{named:?}");
    }

    #[test]
    fn sums_do_not_wrap() {
        let most = Needs { memory: u64::MAX, core_instances: u64::MAX, ..Needs::default() };
        assert_eq!(most.and(most).core_instances, u64::MAX);
        assert_eq!(most.and(most).memory, u64::MAX);
    }
}
