//! Runs a guest so guarded.

use std::path::Path;
use std::time::Duration;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use tokio::runtime::{Builder, Runtime};
use wasmtime::component::{Component, ComponentExportIndex, InstancePre, Linker, ResourceTable, Val};
use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Store, StoreLimits,
    StoreLimitsBuilder,
};
use wasmtime_wasi::{HostWallClock, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use crate::guard::{Guard, Guards};

/// A guest that is ready to be called, with some guards.
pub(crate) struct Runner {
    guards: Guards,
    runtime: Runtime,
    engine: Engine,
    instance: InstancePre<State>,
    function: ComponentExportIndex,
}

struct State {
    wasi: Option<WasiCtx>,
    table: ResourceTable,
    limits: StoreLimits,
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: self.wasi.as_mut().expect("WASI is linked"), table: &mut self.table }
    }
}

/// A clock that costs what reading a counter does.
struct Wall;

impl HostWallClock for Wall {
    fn resolution(&self) -> Duration {
        Duration::from_micros(1)
    }

    fn now(&self) -> Duration {
        Duration::from_secs(1_790_000_000)
    }
}

impl Runner {
    pub(crate) fn new(guards: Guards) -> Self {
        let engine = Engine::new(&config(guards)).expect("wasmtime runs here");
        let component = Component::from_binary(&engine, &hello()).expect("the guest is a component");
        let mut linker = Linker::new(&engine);
        if guards.has(Guard::Wasi) && guards.has(Guard::Fibre) {
            wasmtime_wasi::p2::add_to_linker_async(&mut linker).expect("WASI can be linked");
        } else if guards.has(Guard::Wasi) {
            wasmtime_wasi::p2::add_to_linker_sync(&mut linker).expect("WASI can be linked");
        }
        // A greeting needs nothing of the contract, nor of WASI where it is off.
        linker.define_unknown_imports_as_traps(&component).expect("the rest can be linked");
        let tools = component.get_export_index(None, "dacapo:handler/tools@0.1.0").expect("the guest has tools");
        let function = component.get_export_index(Some(&tools), "call-tool").expect("tools can be called");
        let instance = linker.instantiate_pre(&component).expect("all is linked");
        if guards.has(Guard::Epochs) {
            let ticking = engine.weak();
            std::thread::spawn(move || {
                while let Some(engine) = ticking.upgrade() {
                    engine.increment_epoch();
                    drop(engine);
                    std::thread::sleep(Duration::from_millis(10));
                }
            });
        }
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime can be started");
        Self { guards, runtime, engine, instance, function }
    }

    /// Makes one call.
    pub(crate) fn call(&self) {
        let mut store = self.store();
        let arguments = [Val::String("hello".to_owned()), Val::String(r#"{"name":"Ada"}"#.to_owned())];
        let mut results = [Val::Bool(false)];
        if self.guards.has(Guard::Fibre) {
            let called = async {
                let instance = self.instance.instantiate_async(&mut store).await?;
                let function = instance.get_func(&mut store, self.function).expect("the export is a function");
                function.call_async(&mut store, &arguments, &mut results).await
            };
            self.runtime.block_on(async {
                if self.guards.has(Guard::Deadline) {
                    tokio::time::timeout(Duration::from_secs(30), called).await.expect("the guest returns")
                } else {
                    called.await
                }
            })
        } else {
            self.instance.instantiate(&mut store).and_then(|instance| {
                let function = instance.get_func(&mut store, self.function).expect("the export is a function");
                function.call(&mut store, &arguments, &mut results)
            })
        }
        .expect("the guest returns");
        assert!(matches!(&results[0], Val::Result(Ok(_))), "{results:?}");
    }

    fn store(&self) -> Store<State> {
        let has = |guard| self.guards.has(guard);
        let state = State {
            wasi: has(Guard::Wasi).then(|| self.wasi()),
            table: ResourceTable::new(),
            limits: StoreLimitsBuilder::new().memory_size(128 << 20).table_elements(100_000).build(),
        };
        let mut store = Store::new(&self.engine, state);
        if has(Guard::Limiter) {
            store.limiter(|state| &mut state.limits);
        }
        if has(Guard::Transfer) {
            store.set_hostcall_fuel(16 << 20);
        }
        if has(Guard::Epochs) {
            store.set_epoch_deadline(1);
            store.epoch_deadline_async_yield_and_update(1);
        }
        store
    }

    fn wasi(&self) -> WasiCtx {
        let mut wasi = WasiCtxBuilder::new();
        if self.guards.has(Guard::Randomness) {
            let stream = |number| {
                let mut stream = ChaCha20Rng::from_seed([7; 32]);
                stream.set_stream(number);
                stream
            };
            let mut hashes = [0; 16];
            stream(2).fill_bytes(&mut hashes);
            wasi.secure_random(stream(0)).insecure_random(stream(1)).insecure_random_seed(u128::from_le_bytes(hashes));
        }
        if self.guards.has(Guard::Clock) {
            wasi.wall_clock(Wall);
        }
        wasi.build()
    }
}

fn config(guards: Guards) -> Config {
    let mut config = Config::new();
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(8)
        .total_core_instances(32)
        .total_memories(8)
        .total_tables(32)
        .total_stacks(8)
        .max_memory_size(128 << 20)
        .linear_memory_keep_resident(512 << 10)
        .table_keep_resident(64 << 10);
    if PoolingAllocationConfig::is_pagemap_scan_available() {
        pool.pagemap_scan(Enabled::Yes);
    }
    config
        .allocation_strategy(InstanceAllocationStrategy::Pooling(pool))
        .epoch_interruption(guards.has(Guard::Epochs))
        .cranelift_nan_canonicalization(guards.has(Guard::Nan))
        .relaxed_simd_deterministic(guards.has(Guard::Nan))
        .wasm_backtrace_max_frames(None)
        .concurrency_support(false)
        .max_wasm_stack(512 << 10)
        .async_stack_size(1 << 20);
    config
}

fn hello() -> Vec<u8> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the directory has a parent");
    let path = target.join("guests/hello.wasm");
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask guests`", path.display()))
}
