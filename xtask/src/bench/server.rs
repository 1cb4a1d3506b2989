//! A server under measurement.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use super::message;
use super::programs::Programs;
use super::subject::Subject;

/// How long a server may take to be there, on a machine that does other things besides.
const START: Duration = Duration::from_mins(1);
/// How long it may take to end.
const END: Duration = Duration::from_secs(5);
/// How long to wait between two looks.
const POLL: Duration = Duration::from_millis(5);

/// A running server, on loopback. Dropping it ends it.
pub(crate) struct Server {
    process: Child,
    address: SocketAddr,
    data: Option<TempDir>,
}

impl Server {
    /// Starts a subject's server, with its handlers, and waits until it answers as it must.
    pub(crate) fn start(programs: &Programs, subject: Subject) -> Result<Self> {
        let data = tempfile::tempdir()?;
        let port = free_port()?;
        let mut server = Self::spawn(subject.command(programs, port, data.path()), port)?;
        server.data = Some(data);
        for guest in subject.guests() {
            server.upload(guest, fs::read(programs.guest(guest))?)?;
        }
        let (agent, message) = (message::agent(), subject.message());
        // A server with several workers listens before all of them are there.
        let deadline = Instant::now() + START;
        loop {
            let answer = message.send(&agent, &server.url()).and_then(|result| subject.check(&result));
            match answer {
                Ok(()) => return Ok(server),
                Err(error) if Instant::now() > deadline => return Err(error).context(subject.name()),
                Err(_) => thread::sleep(POLL * 20),
            }
        }
    }

    /// Starts a host with the data directory, and waits until it listens.
    pub(crate) fn host(programs: &Programs, data: &Path) -> Result<Self> {
        let port = free_port()?;
        Self::spawn(programs.host(&port.to_string(), data), port)
    }

    fn spawn(mut command: Command, port: u16) -> Result<Self> {
        let name = command.get_program().to_string_lossy().into_owned();
        let process = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .with_context(|| format!("could not start {name}"))?;
        let mut server = Self { process, address: SocketAddr::from((Ipv4Addr::LOCALHOST, port)), data: None };
        let deadline = Instant::now() + START;
        while TcpStream::connect(server.address).is_err() {
            if let Some(status) = server.process.try_wait()? {
                bail!("{name} has ended: {status}");
            }
            if Instant::now() > deadline {
                bail!("{name} does not listen on port {port}");
            }
            thread::sleep(POLL);
        }
        Ok(server)
    }

    /// The id of its process.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address, as clients write it.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Uploads a component to the host.
    pub(crate) fn upload(&self, name: &str, component: Vec<u8>) -> Result<()> {
        let url = format!("{}/v1/handlers/{name}", self.url());
        let mut answer = message::agent().put(&url).header("Content-Type", "application/wasm").send(component)?;
        if !answer.status().is_success() {
            bail!("{url}: {} {}", answer.status(), answer.body_mut().read_to_string()?);
        }
        Ok(())
    }

    /// The memory that it holds, in bytes: all that is resident, and what of it is its own (not mapped from files).
    pub(crate) fn resident(&self) -> Result<(u64, u64)> {
        let path = format!("/proc/{}/status", self.id());
        let status = fs::read_to_string(&path).with_context(|| format!("could not read {path}"))?;
        let kib = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|line| line.split_whitespace().next());
            number.and_then(|number| number.parse::<u64>().ok()).with_context(|| format!("{path} has no {name}"))
        };
        Ok((kib("VmRSS:")? * 1024, kib("RssAnon:")? * 1024))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Asked to end first: those with workers end them too.
        let _ = Command::new("kill").arg(self.id().to_string()).status();
        let deadline = Instant::now() + END;
        while matches!(self.process.try_wait(), Ok(None)) && Instant::now() < deadline {
            thread::sleep(POLL);
        }
        // Both fail only where it has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A port that nobody listens on at the moment.
fn free_port() -> Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}
