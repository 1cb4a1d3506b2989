//! What is sent, and what must come back.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use ureq::Agent;

/// A call of a tool, as it goes over HTTP.
pub(crate) struct Message {
    headers: Vec<(&'static str, String)>,
    body: Value,
}

impl Message {
    /// The call of a tool.
    pub(crate) fn call(tool: &str, arguments: &Value) -> Self {
        let headers = vec![
            ("Content-Type", "application/json".to_owned()),
            ("Accept", "application/json, text/event-stream".to_owned()),
            ("MCP-Protocol-Version", "2026-07-28".to_owned()),
            ("Mcp-Method", "tools/call".to_owned()),
            ("Mcp-Name", tool.to_owned()),
        ];
        let body = json!({
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {
                "name": tool,
                "arguments": arguments,
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientInfo": {"name": "dacapo-bench", "version": "1.0.0"},
                    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
                },
            },
        });
        Self { headers, body }
    }

    /// Sends it once, to a handler that refuses it with these words.
    pub(crate) fn reach(&self, agent: &Agent, url: &str, refusal: &str) -> Result<()> {
        let (_, text) = self.post(agent, url)?;
        let answer: Value = serde_json::from_str(&text).with_context(|| format!("this is no message: {text}"))?;
        ensure!(answer.pointer("/error/message") == Some(&json!(refusal)), "expected \"{refusal}\", got {text}");
        Ok(())
    }

    /// Sends it once, and returns the result.
    pub(crate) fn send(&self, agent: &Agent, url: &str) -> Result<Value> {
        let (status, text) = self.post(agent, url)?;
        if status != 200 {
            bail!("{status}: {text}");
        }
        // Where a server streams, the message is an event's data.
        let message = text.lines().find_map(|line| line.strip_prefix("data:")).unwrap_or(&text);
        let mut message: Value =
            serde_json::from_str(message).with_context(|| format!("this is no message: {text}"))?;
        match message.get_mut("result").map(Value::take) {
            Some(result) if result.get("isError") != Some(&Value::Bool(true)) => Ok(result),
            _ => bail!("expected a result, got {text}"),
        }
    }

    /// Sends it once, and returns the answer's status and body.
    fn post(&self, agent: &Agent, url: &str) -> Result<(u16, String)> {
        let mut request = agent.post(format!("{url}/mcp"));
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let mut response = request.send(self.body.to_string())?;
        let status = response.status().as_u16();
        Ok((status, response.body_mut().read_to_string()?))
    }

    /// As `dacapo-drive` reads it.
    pub(crate) fn to_json(&self) -> String {
        let headers: serde_json::Map<String, Value> =
            self.headers.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
        json!({"headers": headers, "body": self.body}).to_string()
    }

    /// As wrk reads it: a script.
    pub(crate) fn to_lua(&self) -> String {
        let mut lua = "wrk.method = \"POST\"\n".to_owned();
        for (name, value) in &self.headers {
            // Writing to a string does not fail.
            let _ = writeln!(lua, "wrk.headers[\"{name}\"] = [==[{value}]==]");
        }
        let _ = writeln!(lua, "wrk.body = [==[{}]==]", self.body);
        lua
    }
}

/// An HTTP client that hands every status on.
pub(crate) fn agent() -> Agent {
    Agent::config_builder().http_status_as_error(false).build().into()
}
