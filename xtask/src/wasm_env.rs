//! What a shell needs to compile for `wasm32-wasip2`.

use anyhow::Result;

use crate::toolchain;
use crate::workspace::Workspace;

/// Prints the variables that a plain `cargo build --target wasm32-wasip2` needs, for a shell to evaluate: nothing where the
/// target is installed. What is done to get there goes to stderr.
pub(crate) fn print(workspace: &Workspace) -> Result<()> {
    let cargo = toolchain::find(workspace)?.cargo()?;
    for (name, value) in cargo.get_envs() {
        if let (name, Some(value)) = (name.to_string_lossy(), value) {
            println!("export {name}='{}'", value.to_string_lossy().replace('\'', r"'\''"));
        }
    }
    Ok(())
}
