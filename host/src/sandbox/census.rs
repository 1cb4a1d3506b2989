//! What a file holds, counted without compiling or trusting it.
//!
//! Nothing is validated here: whoever lies in what is counted is found out by the compiler. What is counted grows with the
//! file, and with nothing else.

use std::collections::HashSet;

use serde::Serialize;
use wasmparser::{
    CanonicalFunction, CanonicalOption, ComponentAlias, ComponentExternalKind, ComponentInstance,
    ComponentOuterAliasKind, ComponentTypeRef, Encoding, Instance, MemoryType, Parser, Payload, TableType,
};

use super::capacity::Needs;
use super::refusal::CompileError;

/// The custom sections in which a core module says what component it is meant to be.
const EMBEDDED: &str = "component-type";

/// What a file holds.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Census {
    /// What it is.
    pub kind: Kind,
    /// The functions to compile: those of all modules in it, and those that its components lift and lower.
    pub functions: u64,
    /// What it takes at its start.
    pub needs: Needs,
    /// The greatest size, in bytes, that a memory of its own says it may grow to; none where one may grow for ever.
    pub memory_maximum: Option<u64>,
    /// Whether it has functions that run beside each other (WASI 0.3).
    pub asynchronous: bool,
    /// What it imports, in its own order.
    pub imports: Vec<Import>,
    /// The names of what it exports, in its own order.
    pub exports: Vec<String>,
    /// What it was made with, each tool once.
    pub producers: Vec<Producer>,
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A component.
    Component,
    /// A core module that says what component it is meant to be.
    EmbeddingModule,
    /// A core module that does not.
    Module,
}

/// One import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Import {
    /// Its name.
    pub name: String,
    /// Whether something must be there to satisfy it; a type alone asks for nothing.
    #[serde(skip)]
    pub real: bool,
}

/// A tool that had a hand in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Producer {
    /// Its name.
    pub name: String,
    /// Its version, or empty.
    pub version: String,
}

/// A module or component while it is read.
struct Frame {
    encoding: Encoding,
    needs: Needs,
    /// What an instance of each module takes, by the module's index.
    modules: Vec<Needs>,
    /// What an instance of each component takes, by the component's index.
    components: Vec<Needs>,
}

impl Census {
    /// Counts what is in `wasm`, which begins like WebAssembly.
    ///
    /// # Errors
    ///
    /// Where it ends too early, or can't be read.
    pub fn take(wasm: &[u8]) -> Result<Self, CompileError> {
        let mut census = Self {
            kind: Kind::Component,
            functions: 0,
            needs: Needs::default(),
            memory_maximum: Some(0),
            asynchronous: false,
            imports: Vec::new(),
            exports: Vec::new(),
            producers: Vec::new(),
        };
        census.read(wasm).map_err(|error| {
            // The reader tells the two apart by its words alone.
            if error.message().starts_with("unexpected end") {
                CompileError::CutShort { length: wasm.len(), what: error.to_string() }
            } else {
                CompileError::Invalid(error.to_string())
            }
        })?;
        Ok(census)
    }

    fn read(&mut self, wasm: &[u8]) -> wasmparser::Result<()> {
        let mut frames: Vec<Frame> = Vec::new();
        for payload in Parser::new(0).parse_all(wasm) {
            let payload = payload?;
            if let Payload::Version { encoding, .. } = payload {
                if frames.is_empty() && encoding == Encoding::Module {
                    self.kind = Kind::Module;
                }
                frames.push(Frame { encoding, needs: Needs::default(), modules: Vec::new(), components: Vec::new() });
            } else if let Payload::End(_) = payload {
                let Some(read) = frames.pop() else { continue };
                match (frames.last_mut(), read.encoding) {
                    (Some(outer), Encoding::Module) => outer.modules.push(read.needs),
                    (Some(outer), Encoding::Component) => outer.components.push(read.needs),
                    (None, Encoding::Component) => self.needs = read.needs,
                    (None, Encoding::Module) => self.needs = Needs { core_instances: 1, ..read.needs },
                }
            } else {
                self.section(payload, &mut frames)?;
            }
        }
        Ok(())
    }

    fn section(&mut self, payload: Payload<'_>, frames: &mut [Frame]) -> wasmparser::Result<()> {
        let outermost = frames.len() == 1;
        let Some((frame, outer)) = frames.split_last_mut() else { return Ok(()) };
        match payload {
            Payload::FunctionSection(functions) => self.functions += u64::from(functions.count()),
            Payload::MemorySection(memories) => {
                for memory in memories {
                    self.memory(memory?, frame);
                }
            }
            Payload::TableSection(tables) => {
                for table in tables {
                    let TableType { initial, .. } = table?.ty;
                    frame.needs = frame.needs.and(Needs { tables: 1, table_elements: initial, ..Needs::default() });
                }
            }
            Payload::ImportSection(imports) if outermost => {
                let mut modules = HashSet::new();
                for import in imports.into_imports() {
                    let name = import?.module;
                    if modules.insert(name) {
                        self.imports.push(Import { name: name.to_owned(), real: true });
                    }
                }
            }
            Payload::InstanceSection(instances) => {
                for instance in instances {
                    if let Instance::Instantiate { module_index, .. } = instance? {
                        let needs = at(&frame.modules, module_index);
                        frame.needs = frame.needs.and(needs).and(Needs { core_instances: 1, ..Needs::default() });
                    }
                }
            }
            Payload::ComponentInstanceSection(instances) => {
                for instance in instances {
                    if let ComponentInstance::Instantiate { component_index, .. } = instance? {
                        frame.needs = frame.needs.and(at(&frame.components, component_index));
                    }
                }
            }
            Payload::ComponentAliasSection(aliases) => {
                for alias in aliases {
                    frame.alias(&alias?, outer);
                }
            }
            Payload::ComponentImportSection(imports) => {
                for import in imports {
                    let import = import?;
                    frame.imported(import.ty);
                    if outermost {
                        let real = !matches!(import.ty, ComponentTypeRef::Type(_));
                        self.imports.push(Import { name: import.name.name.to_owned(), real });
                    }
                }
            }
            Payload::ComponentExportSection(exports) => {
                for export in exports {
                    let export = export?;
                    // An export is one more name for what it exports, with an index of its own.
                    match export.kind {
                        ComponentExternalKind::Module => frame.modules.push(at(&frame.modules, export.index)),
                        ComponentExternalKind::Component => frame.components.push(at(&frame.components, export.index)),
                        _ => {}
                    }
                    if outermost {
                        self.exports.push(export.name.name.to_owned());
                    }
                }
            }
            Payload::ComponentCanonicalSection(functions) => {
                self.functions += u64::from(functions.count());
                for function in functions {
                    self.asynchronous |= is_asynchronous(&function?);
                }
            }
            Payload::CustomSection(section) if section.name() == "producers" => {
                if let wasmparser::KnownCustom::Producers(producers) = section.as_known() {
                    // What can't be read says nothing; it is a comment.
                    let _unreadable = self.produced(producers);
                }
            }
            Payload::CustomSection(section)
                if outermost && section.name().starts_with(EMBEDDED) && self.kind == Kind::Module =>
            {
                self.kind = Kind::EmbeddingModule;
            }
            _ => {}
        }
        Ok(())
    }

    fn memory(&mut self, memory: MemoryType, frame: &mut Frame) {
        // A page size beyond the format's is refused by the compiler.
        let page = 1_u64.checked_shl(memory.page_size_log2.unwrap_or(16)).unwrap_or(u64::MAX);
        let bytes = memory.initial.saturating_mul(page);
        frame.needs = frame.needs.and(Needs { memories: 1, memory: bytes, ..Needs::default() });
        let maximum = memory.maximum.map(|pages| pages.saturating_mul(page));
        self.memory_maximum = self.memory_maximum.zip(maximum).map(|(one, other)| one.max(other));
    }

    fn produced(&mut self, fields: wasmparser::ProducersSectionReader<'_>) -> wasmparser::Result<()> {
        for field in fields {
            for value in field?.values {
                let value = value?;
                let producer = Producer { name: value.name.to_owned(), version: value.version.to_owned() };
                if !self.producers.contains(&producer) && self.producers.len() < 100 {
                    self.producers.push(producer);
                }
            }
        }
        Ok(())
    }
}

impl Frame {
    fn alias(&mut self, alias: &ComponentAlias<'_>, outer: &[Frame]) {
        match *alias {
            // What an instance exports, or an import is, can't be known here; the compiler knows it.
            ComponentAlias::InstanceExport { kind: ComponentExternalKind::Module, .. } => {
                self.modules.push(Needs::default());
            }
            ComponentAlias::InstanceExport { kind: ComponentExternalKind::Component, .. } => {
                self.components.push(Needs::default());
            }
            ComponentAlias::Outer { kind, count, index } => {
                let up = usize::try_from(count).unwrap_or(usize::MAX);
                let from = match up {
                    0 => Some(&*self),
                    up => outer.len().checked_sub(up).and_then(|place| outer.get(place)),
                };
                let modules = from.map(|frame| at(&frame.modules, index)).unwrap_or_default();
                let components = from.map(|frame| at(&frame.components, index)).unwrap_or_default();
                match kind {
                    ComponentOuterAliasKind::CoreModule => self.modules.push(modules),
                    ComponentOuterAliasKind::Component => self.components.push(components),
                    ComponentOuterAliasKind::CoreType | ComponentOuterAliasKind::Type => {}
                }
            }
            ComponentAlias::InstanceExport { .. } | ComponentAlias::CoreInstanceExport { .. } => {}
        }
    }

    fn imported(&mut self, import: ComponentTypeRef) {
        match import {
            ComponentTypeRef::Module(_) => self.modules.push(Needs::default()),
            ComponentTypeRef::Component(_) => self.components.push(Needs::default()),
            _ => {}
        }
    }
}

/// What the module or component of an index takes; nothing, where there is none.
fn at(known: &[Needs], index: u32) -> Needs {
    usize::try_from(index).ok().and_then(|index| known.get(index)).copied().unwrap_or_default()
}

fn is_asynchronous(function: &CanonicalFunction) -> bool {
    match function {
        CanonicalFunction::Lift { options, .. } | CanonicalFunction::Lower { options, .. } => {
            options.iter().any(|option| matches!(option, CanonicalOption::Async | CanonicalOption::Callback(_)))
        }
        CanonicalFunction::ResourceNew { .. }
        | CanonicalFunction::ResourceDrop { .. }
        | CanonicalFunction::ResourceRep { .. } => false,
        _ => true,
    }
}
