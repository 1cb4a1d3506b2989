//! What is uploaded, as far as it is looked at before it is compiled.

use dacapo::sandbox::capacity::Capacity;
use dacapo::sandbox::examine::{Terms, examine};

/// What a component must keep to here: little, so that small ones go over it.
const TERMS: Terms = Terms {
    max_functions: 20,
    capacity: Capacity { memory: 1 << 20, table_elements: 100, memories: 2, tables: 2, core_instances: 4 },
};

/// Takes `data` for an upload.
///
/// # Panics
///
/// When what is found does not hang on the file alone, goes over the terms without a refusal, or a refusal has no name.
pub fn check(data: &[u8]) {
    let examined = match examine(data, &TERMS) {
        Ok(examined) => examined,
        Err(refusal) => {
            named(refusal.code(), &refusal.to_string());
            assert_eq!(examine(data, &TERMS).err(), Some(refusal));
            return;
        }
    };
    let census = &examined.census;
    let over = census.functions > TERMS.max_functions || !TERMS.capacity.exceeded_by(&census.needs).is_empty();
    assert!(!over || !examined.refusals.is_empty(), "{census:?}");
    assert!(census.exports.iter().any(|name| name.contains("@0.1.0")) || !examined.refusals.is_empty(), "{census:?}");
    for refusal in &examined.refusals {
        named(refusal.code(), &refusal.to_string());
    }
}

/// Checks that a program and a person can make something of a refusal.
fn named(code: &str, message: &str) {
    assert!(!code.is_empty() && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{code:?}");
    assert!(!message.is_empty());
}
