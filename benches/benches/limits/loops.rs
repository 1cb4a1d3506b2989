//! What the compiled code itself costs more where it loops.

use wasmtime::{Config, Engine, Instance, Module, Store, TypedFunc};

use crate::cost;
use crate::spread::in_turns;

/// Loops of a million rounds: next to nothing, a sum of floats, a walk through memory.
const LOOPS: &str = r#"
(module
  (memory 1)
  (func (export "count") (param $n i32)
    (loop $again
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br_if $again (local.get $n))))
  (func (export "floats") (param $n i32)
    (local $sum f64)
    (loop $again
      (local.set $sum (f64.add (f64.mul (local.get $sum) (f64.const 0.5)) (f64.convert_i32_u (local.get $n))))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br_if $again (local.get $n)))
    (f64.store (i32.const 0) (local.get $sum)))
  (func (export "memory") (param $n i32)
    (local $at i32)
    (loop $again
      (local.set $at (i32.and (i32.mul (local.get $n) (i32.const 68)) (i32.const 0xfffc)))
      (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (local.get $n)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br_if $again (local.get $n)))))
"#;

const ROUNDS: i32 = 1_000_000;

/// A loop, compiled in one way.
struct Loop {
    store: std::cell::RefCell<Store<()>>,
    function: TypedFunc<i32, ()>,
}

/// Measures them, and prints the table.
pub(crate) fn print(turns: usize) {
    println!(
        "Where a guest computes, its code pays for being interruptible and faithful. A million rounds of three loops:\n"
    );
    println!("| | plain | interruptible | NaNs pinned | both |\n|---|---|---|---|---|");
    for name in ["count", "floats", "memory"] {
        let ways = [(false, false), (true, false), (false, true), (true, true)]
            .map(|(epochs, nan)| Loop::new(name, epochs, nan));
        let times = in_turns(turns, 1, &ways, Loop::run);
        let [plain, epochs, nan, both] = times.as_slice() else { panic!("there are four ways") };
        println!("| {name} | {plain} | {} | {} | {} |", cost(epochs, plain), cost(nan, plain), cost(both, plain));
    }
}

impl Loop {
    fn new(name: &str, epochs: bool, nan: bool) -> Self {
        let mut config = Config::new();
        config.epoch_interruption(epochs).cranelift_nan_canonicalization(nan);
        let engine = Engine::new(&config).expect("wasmtime runs here");
        let wasm = wat::parse_str(LOOPS).expect("the text is WebAssembly");
        let module = Module::new(&engine, wasm).expect("the module is valid");
        let mut store = Store::new(&engine, ());
        if epochs {
            store.set_epoch_deadline(1);
        }
        let instance = Instance::new(&mut store, &module, &[]).expect("the module needs nothing");
        let function = instance.get_typed_func(&mut store, name).expect("the module has the loop");
        Self { store: store.into(), function }
    }

    fn run(&self) {
        self.function.call(&mut *self.store.borrow_mut(), ROUNDS).expect("the loop ends");
    }
}
