//! Looks for a way into the network. There must be none, and it must be told so.

use std::io;
use std::net::{TcpListener, TcpStream, ToSocketAddrs, UdpSocket};

use dacapo_guest::prelude::*;

/// How each attempt ended.
#[derive(Serialize, JsonSchema)]
struct Attempts {
    /// A connection to an address
    connect: String,
    /// A socket that others connect to
    listen: String,
    /// A socket for datagrams
    datagrams: String,
    /// A name that has an address
    resolve: String,
}

/// Where to.
#[derive(Deserialize, JsonSchema)]
struct Destination {
    /// The port on this machine
    port: u16,
}

/// Tries to connect, to listen, to send datagrams, and to resolve a name.
#[tool]
fn dial(_: &Context, Destination { port }: Destination) -> Result<Attempts> {
    Ok(Attempts {
        connect: ending(TcpStream::connect(("127.0.0.1", port)).map(drop)),
        listen: ending(TcpListener::bind("127.0.0.1:0").map(drop)),
        datagrams: ending(UdpSocket::bind("127.0.0.1:0").map(drop)),
        resolve: ending(("localhost", port).to_socket_addrs().map(drop)),
    })
}

fn ending(attempt: io::Result<()>) -> String {
    attempt.map_or_else(|error| format!("{:?}: {error}", error.kind()), |()| "it worked".to_owned())
}

dacapo_guest::handlers! { tools: [dial] }
