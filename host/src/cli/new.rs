//! `dacapo new`.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde::Serialize;

use super::output::{Output, Usage};

/// What is written, by its path in the crate. `{{name}}` and `{{sdk}}` are filled in.
const FILES: [(&str, &str); 5] = [
    ("Cargo.toml", include_str!("../../templates/new/Cargo.toml.in")),
    (".cargo/config.toml", include_str!("../../templates/new/cargo-config.toml")),
    ("src/lib.rs", include_str!("../../templates/new/lib.rs.in")),
    (".gitignore", include_str!("../../templates/new/gitignore")),
    ("answers.json", include_str!("../../templates/new/answers.json")),
];

/// The target that components are compiled for.
pub(super) const TARGET: &str = "wasm32-wasip2";

/// Names that cargo or the compiler keep for themselves, or that the crate's own dependencies have.
const TAKEN: [&str; 15] = [
    "alloc",
    "build",
    "core",
    "dacapo-guest",
    "deps",
    "examples",
    "incremental",
    "main",
    "proc-macro",
    "schemars",
    "self",
    "serde",
    "std",
    "super",
    "test",
];

/// Words of the language, which can't name a library.
const KEYWORDS: [&str; 45] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type",
    "typeof", "unsafe", "use", "where",
];

#[derive(Debug, clap::Args)]
pub(super) struct New {
    /// Where to make it; the last part is its name, of the crate and of the handler
    path: PathBuf,

    /// The SDK to build against: `guest-sdk` in a checkout of Dacapo [default: that of the checkout that this program was
    /// built from]
    #[arg(long, env = "DACAPO_SDK", value_name = "DIR")]
    sdk: Option<PathBuf>,
}

/// What was made.
#[derive(Serialize)]
struct Made<'a> {
    name: &'a str,
    path: &'a Path,
    sdk: &'a Path,
}

impl New {
    pub(super) fn run(self, output: Output) -> anyhow::Result<()> {
        let name = self.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        check(name)?;
        let sdk = match &self.sdk {
            Some(path) => given_sdk(path)?,
            None => own_sdk()?,
        };
        write(&self.path, name, &sdk)?;
        let path = &self.path;
        output.show(&Made { name, path, sdk: &sdk }, |page| {
            let heading =
                page.bold(format_args!("{} is a handler with a tool, `order`, and tests of it.", path.display()));
            page.line(heading);
            page.line(format_args!(
                "It builds against the SDK in {}, for no published crate of it exists.",
                sdk.display()
            ));
            page.line("\nNext:");
            page.line(format_args!("  cd {}", path.display()));
            page.line("  cargo test     # plays the tool with the answers that its tests have");
            page.line("  dacapo dev     # builds it, serves it, and does so again on each save");
        })
    }
}

/// A name that is one for a crate and for a handler.
fn check(name: &str) -> Result<(), Usage> {
    let shaped = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.len() <= 64
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'));
    if !shaped {
        return Err(Usage(format!(
            "\"{name}\" can't name a handler's crate: expected 1 to 64 characters of a-z, 0-9, \"-\" and \"_\", the first a \
             letter, as in my-handler"
        )));
    }
    if TAKEN.contains(&name) || KEYWORDS.contains(&name) {
        return Err(Usage(format!("\"{name}\" means something to cargo or to Rust; choose another name")));
    }
    Ok(())
}

/// The SDK that was named, by its full path, so that the crate may be moved.
fn given_sdk(path: &Path) -> anyhow::Result<PathBuf> {
    let found = fs::canonicalize(path).with_context(|| format!("can't find the SDK at {}", path.display()))?;
    if !is_sdk(&found) {
        bail!(
            "{} is no SDK: expected a directory with the crate dacapo-guest, which is `guest-sdk` in a checkout of Dacapo",
            found.display()
        );
    }
    Ok(found)
}

/// The SDK of the checkout that this program was built from.
fn own_sdk() -> anyhow::Result<PathBuf> {
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned);
    let executable = std::env::current_exe().unwrap_or_default();
    let above = executable.ancestors().skip(1).map(Path::to_owned);
    let found = built.into_iter().chain(above).map(|checkout| checkout.join("guest-sdk")).find(|path| is_sdk(path));
    found.context(
        "the SDK is not where this program was built; name `guest-sdk` of a checkout of Dacapo with --sdk (there is no \
         published crate)",
    )
}

fn is_sdk(path: &Path) -> bool {
    fs::read_to_string(path.join("Cargo.toml")).is_ok_and(|manifest| manifest.contains("name = \"dacapo-guest\""))
}

/// Writes the crate. What is there already is left as it is.
fn write(path: &Path, name: &str, sdk: &Path) -> anyhow::Result<()> {
    let sdk = sdk.to_str().with_context(|| format!("{} is no UTF-8, which Cargo.toml needs", sdk.display()))?;
    // As a TOML string.
    let sdk = toml::Value::from(sdk).to_string();
    if let Some(above) = path.parent() {
        fs::create_dir_all(above).with_context(|| format!("can't make {}", above.display()))?;
    }
    match fs::create_dir(path) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{} is there already; choose another name, or remove it", path.display())
        }
        Err(error) => return Err(anyhow::Error::new(error).context(format!("can't make {}", path.display()))),
    }
    for directory in ["src", ".cargo"].map(|directory| path.join(directory)) {
        fs::create_dir(&directory).with_context(|| format!("can't make {}", directory.display()))?;
    }
    for (file, template) in FILES {
        let path = path.join(file);
        let text = template.replace("{{name}}", name).replace("{{sdk}}", &sdk);
        fs::write(&path, text).with_context(|| format!("can't write {}", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_a_crate_and_of_a_handler() {
        for good in ["a", "my-handler", "my_handler2"] {
            assert!(check(good).is_ok(), "{good}");
        }
        for bad in ["", "My", "1st", "-a", "a.b", "über", "a b", "test", "fn", "serde", &"a".repeat(65)] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }
}
