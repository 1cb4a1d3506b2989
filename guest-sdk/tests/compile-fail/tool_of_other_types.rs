use dacapo_guest::prelude::*;

#[derive(Deserialize)]
struct Unknown {}

#[derive(Serialize)]
struct Opaque {}

/// A tool.
#[tool]
fn takes(_: Unknown) {}

/// A tool.
#[tool]
fn returns() -> Opaque {
    Opaque {}
}

/// A tool.
#[tool]
fn may_return() -> Result<Opaque> {
    Ok(Opaque {})
}

/// A tool.
#[tool]
fn fails() -> Result<(), u8> {
    Ok(())
}

fn main() {}
