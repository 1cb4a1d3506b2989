//! The ceiling: reads and writes what the host does, and runs nothing. No host with handlers can be faster than this.

fn main() -> anyhow::Result<()> {
    dacapo_baselines::serve(|name: &str| Ok(format!("Hello, {name}!")))
}
