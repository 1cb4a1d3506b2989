//! The sandbox: each greeting is made by an attempt of the guest `hello`, as the host makes it, with all of its limits; what
//! the host does around it is left out, and its own way to the endpoint too, which is shorter than axum's.

use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use dacapo::sandbox::capacity::Capacity;
use dacapo::sandbox::examine::{MAX_FUNCTIONS, Terms};
use dacapo::sandbox::{Allotment, Call, Program, Sandbox, Tenant};
use dacapo_baselines::Greet;
use dacapo_replay::{Askable, Ending, Ledger, Opening, Walk};
use serde_json::{Value, json};

fn main() -> anyhow::Result<()> {
    let path = std::env::args().nth(2).context("name the component of `hello` after the port")?;
    let sandbox = Sandbox::new(Allotment::default()).map_err(|error| anyhow!("{error:#}"))?;
    let tenant = sandbox.tenant("hello");
    let terms = Terms { max_functions: MAX_FUNCTIONS, capacity: Capacity::of(&tenant.limits) };
    let program = sandbox.compile(&std::fs::read(path)?, &terms)?;
    let stage = Stage { sandbox: Arc::new(sandbox), tenant, program };
    dacapo_baselines::serve(stage)
}

#[derive(Clone)]
struct Stage {
    sandbox: Arc<Sandbox>,
    tenant: Arc<Tenant>,
    program: Program,
}

impl Greet for Stage {
    async fn greet(&self, name: &str) -> anyhow::Result<String> {
        let opening = Opening {
            started: 0,
            seed: [7; 32],
            protocol_version: "2026-07-28".to_owned(),
            askable: Askable::default(),
        };
        let walk = Walk::start(Ledger::open(opening), Askable::default(), self.tenant.limits.conversation());
        let call = Call {
            tenant: Arc::clone(&self.tenant),
            target: "hello".to_owned(),
            principal: None,
            progress: None,
            announcements: None,
        };
        let arguments = json!({"name": name}).to_string();
        let made = self.sandbox.call_tool(&self.program, call, "hello", &arguments, walk).await?;
        let Ending::Completed(Ok(result)) = made.ending else { return Err(anyhow!("it ended: {:?}", made.ending)) };
        let content = serde_json::to_value(result.content)?;
        let text = content.pointer("/0/text").and_then(Value::as_str);
        text.map(str::to_owned).context("it greeted without a text")
    }
}
