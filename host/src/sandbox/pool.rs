//! Memory set aside for instances, so that none has to be asked of the operating system during a call.

use std::fs;
use std::path::Path;

use wasmtime::{Config, Enabled, Engine, PoolingAllocationConfig};

/// Linear memories of one component. Each takes 4 GiB of address space in every place.
pub const MEMORIES: u32 = 4;

/// Tables of one component: the interpreters of Python and JavaScript come with some dozen modules.
pub const TABLES: u32 = 32;

/// Instances of core modules in one component.
pub const CORE_INSTANCES: u32 = 128;

/// What wasmtime itself needs for one component, in bytes.
const METADATA: usize = 4 << 20;

/// How much of a memory stays with its place between two runs, overwritten instead of given back, in bytes. It holds several
/// times what a handler in Rust writes; more would stay behind wherever a greedy one has been.
const RESIDENT: usize = 512 << 10;

/// How many memories that nobody uses wait for another run of the same component, what it wrote last and all.
const WARM: u32 = 100;

/// Places besides those of calls: for asking what uploads offer.
const SPARE: usize = 8;

/// A machine that has not room for so many places is left without a pool.
const FEWEST: usize = 8;

/// What a pool is made for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    /// Runs at once.
    pub(super) places: usize,
    /// Bytes of one memory.
    pub(super) memory: usize,
    /// Elements of one table.
    pub(super) table_elements: usize,
}

/// Makes an engine with a pool of `size`, or of fewer places where the machine has not the address space, or with none. How
/// many runs at once it takes is returned besides.
///
/// # Errors
///
/// When the engine can't be made without a pool either.
pub(super) fn engine(config: impl Fn() -> Config, size: Size) -> wasmtime::Result<(Engine, usize)> {
    let scans = scans();
    let mut places = size.places;
    while places >= FEWEST.min(size.places) {
        let size = Size { places, ..size };
        let pooled = |scan| Engine::new(config().allocation_strategy(pool(size, scan)));
        let made = if scans { pooled(true).or_else(|_no_scan| pooled(false)) } else { pooled(false) };
        match made {
            Ok(engine) => {
                if places < size.places {
                    tracing::warn!(places, wanted = size.places, "the address space has room for fewer runs at once");
                }
                tracing::debug!(places, scans, "instances have their memory set aside");
                return Ok((engine, places));
            }
            Err(error) => tracing::debug!(places, %error, "no address space for so many instances"),
        }
        places /= 2;
    }
    tracing::warn!("the address space has no room for a pool: every run asks for its memory anew, and is slower");
    Ok((Engine::new(&config())?, size.places))
}

fn pool(size: Size, scan: bool) -> PoolingAllocationConfig {
    let places = u32::try_from(size.places.saturating_add(SPARE)).unwrap_or(u32::MAX);
    let mut pool = PoolingAllocationConfig::new();
    pool.max_unused_warm_slots(places.min(WARM))
        .total_component_instances(places)
        .total_stacks(places)
        .total_core_instances(places.saturating_mul(CORE_INSTANCES))
        .total_memories(places.saturating_mul(MEMORIES))
        .total_tables(places.saturating_mul(TABLES))
        .max_core_instances_per_component(CORE_INSTANCES)
        .max_memories_per_component(MEMORIES)
        .max_tables_per_component(TABLES)
        .max_component_instance_size(METADATA)
        .max_core_instance_size(METADATA)
        .max_memory_size(size.memory)
        .table_elements(size.table_elements);
    if scan {
        // Only what a run has written is looked at. Without the scan all of it would be overwritten after every run, which
        // takes longer than giving the memory back.
        pool.pagemap_scan(Enabled::Yes).linear_memory_keep_resident(RESIDENT).table_keep_resident(RESIDENT);
    }
    pool
}

/// Whether pages that a run has written can be found by asking which are in memory. Where they may be swapped out they can't:
/// such a page would be passed over, and the next run would read it.
fn scans() -> bool {
    has_no_swap(&fs::read_to_string("/proc/swaps").unwrap_or_else(|_| "unknown\nunknown".to_owned()))
        || fs::read_to_string("/proc/self/cgroup")
            .is_ok_and(|cgroup| may_not_swap(&cgroup, Path::new("/sys/fs/cgroup")))
}

/// Whether the list of places to swap to, a heading and a line for each, is empty.
fn has_no_swap(swaps: &str) -> bool {
    swaps.lines().skip(1).all(|line| line.trim().is_empty())
}

/// Whether this process's group, or one that it stands in, is allowed no swap (control groups, version 2).
fn may_not_swap(cgroup: &str, root: &Path) -> bool {
    let own = cgroup.lines().find_map(|line| line.strip_prefix("0::/"));
    own.is_some_and(|own| {
        let own = root.join(own);
        let groups = own.ancestors().take_while(|group| group.starts_with(root));
        groups
            .into_iter()
            .any(|group| fs::read_to_string(group.join("memory.swap.max")).is_ok_and(|max| max.trim() == "0"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_scanned_for_only_where_none_can_be_swapped_out() {
        let heading = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n";
        assert!(has_no_swap(heading));
        assert!(!has_no_swap(&format!("{heading}/swapfile file 2097148 0 -2\n")));

        let root = tempfile::tempdir().unwrap();
        let group = root.path().join("a/b");
        fs::create_dir_all(&group).unwrap();
        assert!(!may_not_swap("0::/a/b\n", root.path()));
        fs::write(group.join("memory.swap.max"), "max\n").unwrap();
        assert!(!may_not_swap("0::/a/b\n", root.path()));
        fs::write(root.path().join("a/memory.swap.max"), "0\n").unwrap();
        assert!(may_not_swap("0::/a/b\n", root.path()));
        assert!(!may_not_swap("1:memory:/a/b\n", root.path()));
    }

    #[test]
    fn a_pool_that_is_too_large_for_the_machine_is_made_smaller_or_done_without() {
        let size = Size { places: 1 << 20, memory: 1 << 20, table_elements: 1000 };
        let (_, places) = engine(Config::new, size).unwrap();
        assert!(places < 1 << 20, "an address space of 128 TiB has no room for a million memories of 4 GiB");
    }
}
