//! Wants the network. The host must refuse it, and say what it wanted.

use std::net::TcpStream;

use dacapo_guest::prelude::*;

/// Calls home.
#[tool]
fn call_home() -> Result<String> {
    let stream = TcpStream::connect("127.0.0.1:80")?;
    Ok(format!("{} is there", stream.peer_addr()?))
}

dacapo_guest::handlers! { tools: [call_home] }
