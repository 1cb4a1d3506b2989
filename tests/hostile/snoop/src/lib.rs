//! Looks for an environment, arguments, files and input. There is nothing.

use std::fs;
use std::io::Read;

use dacapo_guest::prelude::*;

/// What was found.
#[derive(Serialize, JsonSchema)]
struct Found {
    /// Variables of the environment
    variables: Vec<String>,
    /// Arguments of the program
    arguments: Vec<String>,
    /// Files and directories that could be opened, listed or made
    files: Vec<String>,
    /// What could be read from standard input
    input: String,
}

/// Looks for all that an ordinary program finds.
#[tool]
fn look_around() -> Found {
    let paths = ["/", ".", "..", "/etc/passwd", "/proc/self/environ", "/dev/urandom", "/tmp", "handlers.sqlite"];
    let mut files = Vec::new();
    for path in paths {
        let attempts: [(&str, bool); 5] = [
            ("read", fs::read(path).is_ok()),
            ("listed", fs::read_dir(path).is_ok()),
            ("seen", fs::metadata(path).is_ok()),
            ("written", fs::write(format!("{path}/dacapo"), "x").is_ok()),
            ("removed", fs::remove_file(path).is_ok()),
        ];
        files.extend(attempts.iter().filter(|(_, done)| *done).map(|(what, _)| format!("{what} {path}")));
    }
    let mut input = String::new();
    if let Err(error) = std::io::stdin().read_to_string(&mut input) {
        input.push_str(&error.to_string());
    }
    Found {
        variables: std::env::vars().map(|(name, value)| format!("{name}={value}")).collect(),
        arguments: std::env::args().collect(),
        files,
        input,
    }
}

dacapo_guest::handlers! { tools: [look_around] }
