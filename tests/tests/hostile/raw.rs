//! Components whose core module is written by hand, for what no Rust compiler makes.

use std::fmt::Write as _;
use std::path::Path;

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// A component with one tool, `raw`, that returns the text `done`; its parts can be replaced.
pub(crate) struct Raw {
    /// Fields of the core module besides, in the text format.
    pub(crate) fields: String,
    /// What a call of the tool does before it returns.
    pub(crate) call: String,
    /// What listing the tools does before it returns.
    pub(crate) list: String,
}

impl Raw {
    pub(crate) fn new() -> Self {
        Self { fields: String::new(), call: String::new(), list: String::new() }
    }

    /// So many functions, of which none is called.
    pub(crate) fn functions(mut self, number: usize) -> Self {
        for index in 0..number {
            writeln!(self.fields, "(func (export \"f{index}\") (result i32) (i32.const {index}))").expect("in memory");
        }
        self
    }

    /// The component.
    pub(crate) fn component(&self) -> Vec<u8> {
        let mut module = wat::parse_str(self.text()).expect("the text is a core module");
        let mut resolve = Resolve::default();
        let wit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit");
        let (package, _) = resolve.push_path(wit).expect("the contract can be read");
        let world = resolve.select_world(&[package], Some("tool-handler")).expect("the contract has the world");
        embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8)
            .expect("the world can be embedded");
        let mut encoder =
            ComponentEncoder::default().validate(true).module(&module).expect("the module fits the world");
        encoder.encode().expect("the module can be wrapped")
    }

    /// The core module. In its memory stand, each in the form of the canonical ABI: at 16 the list of tools, at 256 the
    /// result of a call, and at 512 the texts.
    fn text(&self) -> String {
        let Self { fields, call, list } = self;
        format!(
            r#"(module
                (memory (export "memory") 1)
                (global $free (mut i32) (i32.const 1024))
                (data (i32.const 16) "\20\00\00\00\01\00\00\00")
                ;; A tool: its name, no title, no description, its schema; all else is nothing.
                (data (i32.const 32) "\00\02\00\00\03\00\00\00")
                (data (i32.const 64) "\08\02\00\00\11\00\00\00")
                ;; A result: its content is one block; all else is nothing.
                (data (i32.const 256) "\00\00\00\00\40\01\00\00\01\00\00\00")
                ;; The block, a text.
                (data (i32.const 320) "\00\00\00\00\00\00\00\00\20\02\00\00\04\00\00\00")
                (data (i32.const 512) "raw")
                (data (i32.const 520) "{{\"type\":\"object\"}}")
                (data (i32.const 544) "done")
                {fields}
                (func (export "dacapo:handler/tools@0.1.0#list-tools") (result i32)
                    {list}
                    (i32.const 16))
                (func (export "dacapo:handler/tools@0.1.0#call-tool") (param i32 i32 i32 i32) (result i32)
                    {call}
                    (i32.const 256))
                ;; Memory is given out and never taken back.
                (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
                    (global.get $free)
                    (global.set $free
                        (i32.and (i32.add (i32.add (global.get $free) (local.get 3)) (i32.const 15)) (i32.const -16)))))"#
        )
    }
}
