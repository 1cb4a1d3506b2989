//! What is measured.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};
use clap::ValueEnum;
use serde_json::{Value, json};

use super::message::Message;
use super::programs::Programs;

/// A server with something to ask of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Subject {
    /// The host, and a tool that greets
    Hello,
    /// The host, and a tool that returns a structure with a schema
    Add,
    /// The host, and conversations of three round trips
    Conversation,
    /// What the host could do at best: the same without a handler
    Ceiling,
    /// The ceiling with an attempt of the host's for each answer, and nothing else of it
    Sandbox,
    /// The ceiling with a component at wasmtime's defaults
    Floor,
    /// The Rust SDK
    Rmcp,
    /// The TypeScript SDK
    Typescript,
    /// The Python SDK
    Python,
}

/// How a subject is called.
pub(crate) enum Way {
    /// One request again and again.
    Call,
    /// Conversations, with the content of each round's answers.
    Converse(Value),
}

impl Subject {
    pub(crate) const ALL: [Self; 9] = [
        Self::Hello,
        Self::Add,
        Self::Conversation,
        Self::Ceiling,
        Self::Sandbox,
        Self::Floor,
        Self::Rmcp,
        Self::Typescript,
        Self::Python,
    ];
    pub(crate) const QUICK: [Self; 5] = [Self::Hello, Self::Ceiling, Self::Rmcp, Self::Typescript, Self::Python];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Hello => "**Dacapo**, `hello`",
            Self::Add => "**Dacapo**, structured `add`",
            Self::Conversation => "**Dacapo**, conversations (`upgrade-plan`, three round trips each)",
            Self::Ceiling => "ceiling: JSON alone, no handler",
            Self::Sandbox => "sandbox: the ceiling with an attempt of `hello` in it",
            Self::Floor => "floor: a component at wasmtime's defaults",
            Self::Rmcp => "rmcp (Rust)",
            Self::Typescript => "@modelcontextprotocol/server (TypeScript)",
            Self::Python => "mcp (Python)",
        }
    }

    /// The guests that the host is given for it; none where it is no host.
    pub(crate) fn guests(self) -> &'static [&'static str] {
        match self {
            Self::Hello => &["hello"],
            Self::Add => &["adder"],
            Self::Conversation => &["upgrade-plan"],
            _ => &[],
        }
    }

    /// The first or only request.
    pub(crate) fn message(self) -> Message {
        match self {
            Self::Add => Message::call("add", &json!({"a": 2, "b": 3})),
            Self::Conversation => Message::call("upgrade-plan", &json!({"user": "ada"})),
            _ => Message::call("hello", &json!({"name": "Ada"})),
        }
    }

    /// How it is called.
    pub(crate) fn way(self) -> Way {
        match self {
            Self::Conversation => Way::Converse(json!([{"plan": "pro"}, {"confirmed": true}])),
            _ => Way::Call,
        }
    }

    /// Whether this is what must come back.
    pub(crate) fn check(self, result: &Value) -> Result<()> {
        let (pointer, expected) = match self {
            Self::Add => ("/structuredContent", json!({"sum": 5})),
            Self::Conversation => ("/resultType", json!("input_required")),
            _ => ("/content", json!([{"type": "text", "text": "Hello, Ada!"}])),
        };
        let found = result.pointer(pointer);
        ensure!(found == Some(&expected), "expected {expected} at {pointer}, got {result}");
        Ok(())
    }

    /// What starts its server on a port; `data` is a directory for it alone.
    pub(crate) fn command(self, programs: &Programs, port: u16, data: &Path) -> Command {
        let port = port.to_string();
        let mut command = match self {
            Self::Hello | Self::Add | Self::Conversation => return programs.host(&port, data),
            Self::Ceiling => Command::new(&programs.ceiling),
            Self::Sandbox => {
                let mut sandbox = Command::new(&programs.sandbox);
                sandbox.arg(port).arg(programs.guest("hello"));
                return sandbox;
            }
            Self::Floor => Command::new(&programs.floor),
            Self::Rmcp => Command::new(&programs.rmcp),
            Self::Typescript => {
                let mut node = Command::new("node");
                node.arg(programs.typescript.join("server.mjs")).env("NODE_ENV", "production");
                node
            }
            Self::Python => {
                let mut uvicorn = Command::new(programs.python.join("bin/uvicorn"));
                let workers = std::thread::available_parallelism().map_or(1, usize::from);
                uvicorn.args(["server:app", "--host", "127.0.0.1", "--workers", &workers.to_string()]);
                uvicorn.args(["--log-level", "warning", "--no-access-log", "--app-dir"]).arg(&programs.python);
                uvicorn.arg("--port");
                uvicorn
            }
        };
        command.arg(port);
        command
    }
}
