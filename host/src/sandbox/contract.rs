//! The contract between host and handlers, by its names.

use super::census::{Census, Import};
use super::refusal::CompileError;

/// Its package, as it stands in the names of interfaces.
pub(super) const PACKAGE: &str = "dacapo:handler/";
/// Its version.
pub(super) const VERSION: &str = "0.1.0";

/// The interfaces that make a component a handler.
const EXPORTS: [&str; 4] = ["tools", "prompts", "resources", "completions"];

/// The package of the network, which handlers find closed.
pub(super) const NETWORK: &str = "wasi:sockets";

/// The packages of WASI 0.2 that handlers get.
const WASI: [&str; 6] = ["wasi:io", "wasi:clocks", "wasi:random", "wasi:cli", "wasi:filesystem", NETWORK];

/// What of these packages they do not get: it is not settled yet.
const UNSETTLED: &str = "wasi:clocks/timezone";

/// The name of the contract's interface `interface`, in the host's version.
pub(super) fn interface(interface: &str) -> String {
    format!("{PACKAGE}{interface}@{VERSION}")
}

/// Whether a name is that of the contract's interface `interface`, in the host's version.
pub(super) fn is(name: &str, interface: &str) -> bool {
    name.strip_prefix(PACKAGE).and_then(|name| name.split_once('@')) == Some((interface, VERSION))
}

/// All that is wrong with the names of what a component exports and imports.
pub(super) fn refusals(census: &Census) -> Vec<CompileError> {
    let mut refusals = Vec::new();
    let imports = || census.imports.iter().map(|import| &import.name);
    let others: Vec<String> =
        imports().chain(&census.exports).filter(|name| is_of_another_version(name)).cloned().collect();
    let offers = EXPORTS.into_iter().any(|interface| census.exports.iter().any(|name| is(name, interface)));
    if !others.is_empty() {
        refusals.push(CompileError::OtherContract { names: others });
    } else if !offers {
        refusals.push(CompileError::NoHandler { exports: census.exports.clone() });
    }
    let missing = missing(&census.imports);
    if !missing.is_empty() {
        refusals.push(CompileError::Imports { missing });
    }
    refusals
}

/// The imports that handlers do not get, in alphabetical order. Those of another version of the contract are not among them.
pub(super) fn missing(imports: &[Import]) -> Vec<String> {
    let missing = imports.iter().filter(|import| import.real && !is_given(&import.name));
    let mut names: Vec<String> =
        missing.map(|import| import.name.clone()).filter(|name| !is_of_another_version(name)).collect();
    names.sort_unstable();
    names
}

/// What to do about imports that handlers do not get, where something can be done.
pub(super) fn hint(missing: &[String]) -> &'static str {
    let any = |found: fn(&str) -> bool| missing.iter().any(|name| found(name));
    if any(|name| name.starts_with("wasi:") && name.contains("@0.3")) {
        ". It is built for WASI 0.3; build it for wasm32-wasip2"
    } else if any(|name| name.starts_with("wasi:http/")) {
        ". A handler has no network: leave out what wants it"
    } else if any(|name| name.starts_with("wasi_snapshot_preview1") || name == "env") {
        ". It is not all component: build it for wasm32-wasip2"
    } else {
        ""
    }
}

/// Whether the host has what an import names; that it is of the same type is checked when it is linked.
fn is_given(name: &str) -> bool {
    let (interface, version) = name.split_once('@').unwrap_or((name, ""));
    let package = interface.split_once('/').map_or("", |(package, _)| package);
    if name.starts_with(PACKAGE) {
        version == VERSION
    } else {
        WASI.contains(&package) && interface != UNSETTLED && version.starts_with("0.2.")
    }
}

fn is_of_another_version(name: &str) -> bool {
    name.strip_prefix(PACKAGE).is_some_and(|name| name.split_once('@').is_none_or(|(_, version)| version != VERSION))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handlers_get_the_contract_and_wasi_without_http() {
        for name in ["dacapo:handler/elicitation@0.1.0", "wasi:io/streams@0.2.6", "wasi:clocks/wall-clock@0.2.12"] {
            assert!(is_given(name), "{name}");
        }
        let refused =
            ["wasi:sockets/tcp@0.3.0", "wasi:http/types@0.2.0", "wasi:io/streams@0.3.0", "wasi:io/streams", "env"];
        for name in refused {
            assert!(!is_given(name), "{name}");
        }
    }

    #[test]
    fn another_version_of_the_contract_is_told_from_something_else() {
        for name in ["dacapo:handler/tools@0.2.0", "dacapo:handler/tools@0.1.1", "dacapo:handler/tools"] {
            assert!(is_of_another_version(name), "{name}");
        }
        for name in ["dacapo:handler/tools@0.1.0", "other:handler/tools@0.2.0"] {
            assert!(!is_of_another_version(name), "{name}");
        }
    }
}
