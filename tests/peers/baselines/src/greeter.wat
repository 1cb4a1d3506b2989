;; Greets. As much memory as a small guest in Rust has, and as little code as will do.
(component
  (core module $greeter
    (memory (export "memory") 17)
    (data (i32.const 1024) "Hello, ")
    (global $free (mut i32) (i32.const 65536))
    (func $take (param $size i32) (result i32)
      (global.get $free)
      (global.set $free (i32.add (global.get $free) (local.get $size))))
    (func (export "realloc") (param i32 i32 i32) (param $size i32) (result i32)
      (call $take (local.get $size)))
    (func (export "greet") (param $name i32) (param $length i32) (result i32)
      (local $text i32)
      (local.set $text (call $take (i32.add (local.get $length) (i32.const 8))))
      (memory.copy (local.get $text) (i32.const 1024) (i32.const 7))
      (memory.copy (i32.add (local.get $text) (i32.const 7)) (local.get $name) (local.get $length))
      (i32.store8 offset=7 (i32.add (local.get $text) (local.get $length)) (i32.const 33))
      ;; The result is where and how long the text is.
      (i32.store (i32.const 0) (local.get $text))
      (i32.store (i32.const 4) (i32.add (local.get $length) (i32.const 8)))
      (i32.const 0)))
  (core instance $instance (instantiate $greeter))
  (func (export "greet") (param "name" string) (result string)
    (canon lift (core func $instance "greet") (memory $instance "memory") (realloc (func $instance "realloc")))))
