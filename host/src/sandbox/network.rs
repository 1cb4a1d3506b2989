//! The network, as handlers find it: closed.
//!
//! Some languages' runtimes import `wasi:sockets` whether or not their programs open one; Python's does. It is linked for
//! them, and every way in answers "access denied". Nothing of the machine's network stands behind it.

use wasmtime::component::types::{Component, ComponentFunc, ComponentItem, Type};
use wasmtime::component::{Linker, Resource, ResourceType, Val};
use wasmtime::{Engine, StoreContextMut};

use super::contract::NETWORK;
use super::guest::Guest;

/// What `wasi:sockets` takes from `wasi:io`, where it is linked.
const FROM_IO: [&str; 4] = ["error", "pollable", "input-stream", "output-stream"];

/// A handle to what isn't there.
struct Closed;

/// Links the interfaces of `wasi:sockets` that a component imports.
pub(super) fn link(linker: &mut Linker<Guest>, component: &Component, engine: &Engine) -> wasmtime::Result<()> {
    for (name, import) in component.imports(engine) {
        let ComponentItem::ComponentInstance(interface) = import.ty else { continue };
        if name.split_once('/').is_none_or(|(package, _)| package != NETWORK) {
            continue;
        }
        let mut instance = linker.instance(name)?;
        for (item, export) in interface.exports(engine) {
            match export.ty {
                ComponentItem::Resource(_) if !FROM_IO.contains(&item) => {
                    instance.resource(item, ResourceType::host::<Closed>(), |_, _| Ok(()))?;
                }
                ComponentItem::ComponentFunc(_) => instance.func_new(item, deny)?,
                _ => {}
            }
        }
    }
    Ok(())
}

/// Answers a call: a result is an error, "access denied"; a handle is one to nothing.
#[expect(clippy::needless_pass_by_value, reason = "as wasmtime calls it")]
fn deny(
    mut store: StoreContextMut<'_, Guest>,
    function: ComponentFunc,
    parameters: &[Val],
    results: &mut [Val],
) -> wasmtime::Result<()> {
    for parameter in parameters {
        if let Val::Resource(lent) = parameter {
            // Given back, as what is lent must be by the end of the call.
            lent.try_into_resource::<Closed>(&mut store)?;
        }
    }
    for (ty, result) in function.results().zip(results) {
        *result = match ty {
            Type::Result(_) => Val::Result(Err(Some(Box::new(Val::Enum("access-denied".to_owned()))))),
            Type::Own(_) => Val::Resource(Resource::<Closed>::new_own(0).try_into_resource_any(&mut store)?),
            _ => wasmtime::bail!("it used the network, which handlers do not have"),
        };
    }
    Ok(())
}
