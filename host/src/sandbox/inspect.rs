//! What a file offers and needs, whether it would be taken or not.

use wasmtime::component::Component;

use super::attempt::Call;
use super::census::{Census, Kind};
use super::compile;
use super::contract;
use super::describe::{DescribeError, Description};
use super::engine::Sandbox;
use super::examine::{Terms, examine};
use super::refusal::CompileError;

/// What a file offers and needs.
#[derive(Debug)]
pub struct Inspection {
    /// What the file is.
    pub kind: Kind,
    /// What the component holds: the file, or what was made of it.
    pub census: Census,
    /// The component's size in bytes.
    pub component_size: usize,
    /// The size of its compiled code in bytes, if it could be compiled.
    pub compiled_size: Option<usize>,
    /// Of what it imports, what handlers do not get.
    pub missing: Vec<String>,
    /// All reasons not to take it, but for what it says of itself.
    pub refusals: Vec<CompileError>,
    /// What it says of itself, where it could be asked.
    pub description: Option<Result<Description, DescribeError>>,
}

impl Sandbox {
    /// Looks at a file, compiles it in this process, and asks it what it offers. What it imports and does not get is a trap
    /// where it calls it.
    ///
    /// # Errors
    ///
    /// Where it can't even be looked at.
    pub async fn inspect(&self, wasm: &[u8], terms: &Terms, call: Call) -> Result<Inspection, CompileError> {
        let examined = examine(wasm, terms)?;
        let mut inspection = Inspection {
            kind: examined.kind,
            missing: contract::missing(&examined.census.imports),
            census: examined.census,
            component_size: examined.component.len(),
            compiled_size: None,
            refusals: examined.refusals,
            description: None,
        };
        // What can't be compiled or started is not asked.
        let hopeless = |refusal: &CompileError| {
            use CompileError::{Asynchronous, OverCapacity, TooManyFunctions};
            matches!(refusal, TooManyFunctions { .. } | Asynchronous | OverCapacity(_))
        };
        if !inspection.refusals.iter().any(hopeless)
            && let Err(refusal) = self.ask(&examined.component, call, &mut inspection).await
        {
            inspection.refusals.push(refusal);
        }
        Ok(inspection)
    }

    async fn ask(&self, component: &[u8], call: Call, inspection: &mut Inspection) -> Result<(), CompileError> {
        let component = Component::from_binary(&self.engine, component).map_err(compile::invalid)?;
        let code = component.image_range();
        inspection.compiled_size = Some(code.end.addr() - code.start.addr());
        let mut linker = self.linker.clone();
        linker.define_unknown_imports_as_traps(&component).map_err(compile::invalid)?;
        let program = self.link(&linker, &component)?;
        inspection.description = Some(self.describe(&program, call).await);
        Ok(())
    }
}
