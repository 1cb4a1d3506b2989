//! The `dacapo` command.

fn main() -> std::process::ExitCode {
    dacapo::cli::run()
}
