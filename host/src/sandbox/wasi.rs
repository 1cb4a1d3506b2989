//! The part of WASI that handlers get: clocks and randomness of the conversation, output that goes to the host's log, and
//! a file system and an environment with nothing in them. (The network is in [`super::network`].)

use wasmtime::component::{HasData, Linker, ResourceTable};
use wasmtime_wasi::cli::{WasiCli, WasiCliView as _};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView as _};
use wasmtime_wasi::filesystem::{WasiFilesystem, WasiFilesystemView as _};
use wasmtime_wasi::p2::bindings::{cli, clocks, filesystem, random};
use wasmtime_wasi::random::{WasiRandom, WasiRandomView as _};
use wasmtime_wasi_io::bindings::wasi::io as wasi_io;

use super::clock::Time;
use super::guest::Guest;

struct Table;

impl HasData for Table {
    type Data<'a> = &'a mut ResourceTable;
}

pub(super) fn link(linker: &mut Linker<Guest>) -> wasmtime::Result<()> {
    wasi_io::error::add_to_linker::<_, Table>(linker, Guest::table)?;
    wasi_io::poll::add_to_linker::<_, Time>(linker, Guest::time)?;
    wasi_io::streams::add_to_linker::<_, Table>(linker, Guest::table)?;
    clocks::wall_clock::add_to_linker::<_, WasiClocks>(linker, Guest::clocks)?;
    clocks::monotonic_clock::add_to_linker::<_, Time>(linker, Guest::time)?;
    random::random::add_to_linker::<_, WasiRandom>(linker, Guest::random)?;
    random::insecure::add_to_linker::<_, WasiRandom>(linker, Guest::random)?;
    random::insecure_seed::add_to_linker::<_, WasiRandom>(linker, Guest::random)?;
    filesystem::types::add_to_linker::<_, WasiFilesystem>(linker, Guest::filesystem)?;
    filesystem::preopens::add_to_linker::<_, WasiFilesystem>(linker, Guest::filesystem)?;
    cli::environment::add_to_linker::<_, WasiCli>(linker, Guest::cli)?;
    cli::exit::add_to_linker::<_, WasiCli>(linker, Guest::cli)?;
    cli::stdin::add_to_linker::<_, WasiCli>(linker, Guest::cli)?;
    cli::stdout::add_to_linker::<_, WasiCli>(linker, Guest::cli)?;
    cli::stderr::add_to_linker::<_, WasiCli>(linker, Guest::cli)?;
    cli::terminal_input::add_to_linker::<_, WasiCli>(linker, Guest::cli)?;
    cli::terminal_output::add_to_linker::<_, WasiCli>(linker, Guest::cli)?;
    cli::terminal_stdin::add_to_linker::<_, WasiCli>(linker, Guest::cli)?;
    cli::terminal_stdout::add_to_linker::<_, WasiCli>(linker, Guest::cli)?;
    cli::terminal_stderr::add_to_linker::<_, WasiCli>(linker, Guest::cli)
}
