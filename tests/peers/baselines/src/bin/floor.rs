//! The floor: a component makes each greeting in an instance of its own, with wasmtime's defaults and nothing else: no limits,
//! no deadline, no WASI. What a first attempt at a host comes to.

use wasmtime::component::{Component, Linker};
use wasmtime::{Engine, Store};

/// A component with `greet: func(name: string) -> string`.
const GREETER: &str = include_str!("../greeter.wat");

fn main() -> anyhow::Result<()> {
    let engine = Engine::default();
    let component = Component::new(&engine, wat::parse_str(GREETER)?).map_err(readable)?;
    dacapo_baselines::serve(move |name: &str| greet(&engine, &component, name).map_err(readable))
}

fn greet(engine: &Engine, component: &Component, name: &str) -> wasmtime::Result<String> {
    let mut store = Store::new(engine, ());
    let instance = Linker::new(engine).instantiate(&mut store, component)?;
    let greet = instance.get_typed_func::<(&str,), (String,)>(&mut store, "greet")?;
    Ok(greet.call(&mut store, (name,))?.0)
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in `map_err`")]
fn readable(error: wasmtime::Error) -> anyhow::Error {
    anyhow::anyhow!("{error:#}")
}
