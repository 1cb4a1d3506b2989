//! A standard library for `wasm32-wasip2`, built with Debian's own compiler.
//!
//! For machines where rustup's server is out of reach: Debian packages a compiler that knows the target, the sources of
//! the standard library that match it, and the C library under it. It is built once for a machine and compiler, outside of
//! any checkout, and moved into place as a whole.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::shell;
use crate::toolchain::TARGET;

/// What installs the packages, for people.
pub(crate) const INSTALL: &str = "apt-get install --no-install-recommends rustc-web cargo-web rust-web-src wasi-libc";

const PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "wasi-libc"];
const RUSTC: &str = "/usr/bin/rustc";
const CARGO: &str = "/usr/bin/cargo";
const C_LIBRARY: &str = "/usr/lib/wasm32-wasi";
const C_OBJECTS: [&str; 4] = ["libc.a", "crt1.o", "crt1-command.o", "crt1-reactor.o"];

/// A directory that the compiler takes as its sysroot. It holds a standard library for [`TARGET`].
pub(crate) struct Sysroot {
    path: PathBuf,
}

impl Sysroot {
    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A cargo that uses it, with `linkers` before everything else on the PATH.
    pub(crate) fn cargo(&self, linkers: &[PathBuf]) -> Result<Command> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(linkers.iter().cloned().chain(std::env::split_paths(&path)))?;
        let mut flags = OsString::from("--sysroot\x1f");
        flags.push(&self.path);
        let mut cargo = debian_cargo();
        cargo
            .env("PATH", path)
            .env("CARGO_ENCODED_RUSTFLAGS", flags)
            .env("CARGO_TARGET_WASM32_WASIP2_LINKER", "wasm-component-ld");
        Ok(cargo)
    }
}

/// The sysroot for the installed compiler, where it has been built.
pub(crate) fn built() -> Result<Option<Sysroot>> {
    if !are_packages_installed() {
        return Ok(None);
    }
    let path = sysroot_path()?;
    Ok(path.is_dir().then_some(Sysroot { path }))
}

/// Builds the sysroot, after installing what it needs.
pub(crate) fn build() -> Result<Sysroot> {
    install_packages()?;
    let path = sysroot_path()?;
    let parent = path.parent().context("the cache has no directory")?;
    fs::create_dir_all(parent).with_context(|| format!("could not make the directory {}", parent.display()))?;
    let work = tempfile::Builder::new().prefix(".wasip2-").tempdir_in(parent)?;

    let libraries = build_std(work.path())?;
    let staged = work.path().join("sysroot");
    let to = staged.join("lib/rustlib").join(TARGET).join("lib");
    copy_all(&libraries, &to)?;
    let c_library = Path::new(C_LIBRARY);
    copy_all(&C_OBJECTS.map(|object| c_library.join(object)), &to.join("self-contained"))?;

    // Another build may have been faster; what it put there is as good.
    if let Err(error) = fs::rename(&staged, &path)
        && !path.is_dir()
    {
        return Err(error).with_context(|| format!("could not move the standard library to {}", path.display()));
    }
    eprintln!("{TARGET}: the standard library is at {}", path.display());
    Ok(Sysroot { path })
}

/// Builds the standard library as a dependency of an empty crate in `work`. Returns its parts.
fn build_std(work: &Path) -> Result<Vec<PathBuf>> {
    let source = work.join("empty");
    fs::create_dir_all(source.join("src"))?;
    fs::write(source.join("src/lib.rs"), "#![no_std]\n")?;
    fs::write(source.join("Cargo.toml"), "[package]\nname = \"empty\"\nedition = \"2024\"\n\n[workspace]\n")?;
    let target = work.join("target");
    shell::run_aside(
        debian_cargo()
            .args(["build", "--release", "--target", TARGET, "-Zbuild-std=std,panic_abort,proc_macro", "--target-dir"])
            .arg(&target)
            .current_dir(&source)
            .env("RUSTC_BOOTSTRAP", "1")
            // Guests are optimised as a whole at link time, which needs the libraries' bitcode; cargo leaves it out.
            .env("CARGO_ENCODED_RUSTFLAGS", "-Cembed-bitcode=yes"),
    )?;
    let mut libraries = Vec::new();
    for entry in fs::read_dir(target.join(TARGET).join("release/deps"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".rlib") && !name.starts_with("libempty-") {
            libraries.push(path);
        }
    }
    if libraries.is_empty() {
        bail!("the build of the standard library left no .rlib files");
    }
    Ok(libraries)
}

fn install_packages() -> Result<()> {
    if are_packages_installed() {
        return Ok(());
    }
    if !shell::succeeds(Command::new("apt-get").arg("--version")) {
        bail!("this is no Debian: there is no `apt-get`");
    }
    if shell::output(Command::new("id").arg("--user"))? != "0" {
        bail!("{} must be installed, which only root can do", PACKAGES.join(", "));
    }
    eprintln!("{TARGET}: installing {}", PACKAGES.join(", "));
    shell::run_aside(Command::new("apt-get").args(["--quiet", "--quiet", "update"]))?;
    shell::run_aside(
        Command::new("apt-get")
            .args(["--quiet", "--quiet", "--yes", "install", "--no-install-recommends"])
            .args(PACKAGES)
            .env("DEBIAN_FRONTEND", "noninteractive"),
    )
}

fn are_packages_installed() -> bool {
    // The command fails if one of them is unknown; one that is known but not installed has no version.
    let query = shell::output(
        Command::new("dpkg-query").args(["--show", "--showformat=${db:Status-Status}\\n"]).args(PACKAGES),
    );
    query.is_ok_and(|states| states.lines().all(|state| state == "installed"))
}

fn debian_cargo() -> Command {
    let mut cargo = Command::new(CARGO);
    // What rustup and the cargo that runs this program have set belongs to another toolchain.
    cargo
        .env("RUSTC", RUSTC)
        .env_remove("CARGO")
        .env_remove("RUSTDOC")
        .env_remove("RUSTFLAGS")
        .env_remove("RUSTUP_TOOLCHAIN");
    cargo
}

fn sysroot_path() -> Result<PathBuf> {
    let version = shell::output(Command::new(RUSTC).arg("--version"))?;
    let release = version.split(' ').nth(1).with_context(|| format!("`{RUSTC} --version` says `{version}`"))?;
    let cache = match std::env::var_os("XDG_CACHE_HOME") {
        Some(cache) if !cache.is_empty() => PathBuf::from(cache),
        _ => std::env::home_dir().context("neither XDG_CACHE_HOME nor HOME is set; set one of them")?.join(".cache"),
    };
    Ok(cache.join("dacapo").join(format!("wasip2-{release}")))
}

fn copy_all(files: &[PathBuf], to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("could not make the directory {}", to.display()))?;
    for file in files {
        let name = file.file_name().unwrap_or_default();
        fs::copy(file, to.join(name))
            .with_context(|| format!("could not copy {} to {}", file.display(), to.display()))?;
    }
    Ok(())
}
