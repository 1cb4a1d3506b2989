//! The compiler in a process of its own, so that whatever an upload does to it costs that upload alone.
//!
//! The process is this very program, started anew with a hidden command. It gets the upload on its standard input and
//! answers on its standard output: one byte that says what follows, then compiled code or a refusal as JSON. It has no
//! environment, no file but these pipes, a limit of memory and of processor time, and gives way to whoever serves calls.
//!
//! # Layout
//!
//! - [`Compiler`]: the host's side
//! - [`Task`]: the process's side

use std::io::{self, Read as _, Write as _};
use std::os::fd::{OwnedFd, RawFd};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::str::FromStr;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, Signal, getrlimit, nice, setrlimit};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::pipe;
use tokio::sync::Mutex;

use super::capacity::Capacity;
use super::compile::compile;
use super::engine;
use super::examine::Terms;
use super::refusal::CompileError;

/// This program, also when its file has been replaced since it was started.
const OWN: &str = "/proc/self/exe";

/// How much the process gives way.
const NICE: i32 = 5;

/// How many times its processor time a process may take on the clock: it gives way to others, and a busy machine must not
/// make a refusal of it.
const PATIENCE: u32 = 10;

/// How much of what the process says in its distress is kept, in bytes.
const LAST_WORDS: usize = 4 << 10;

/// How often it is seen whether a process that has said all has ended, too.
const REAPING: Duration = Duration::from_millis(1);

/// The first byte of an answer.
mod answer {
    pub(super) const COMPILED: u8 = 0;
    pub(super) const REFUSED: u8 = 1;
}

/// How much compiling one component may take.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Bounds {
    /// Processor time, of all cores together. On the clock it may take ten times that.
    pub timeout: Duration,
    /// Bytes of memory.
    pub memory: u64,
}

impl Default for Bounds {
    /// Two minutes, and 2 GiB: several times what JavaScript's and Python's interpreters take.
    fn default() -> Self {
        Self { timeout: Duration::from_mins(2), memory: 2 << 30 }
    }
}

/// Compiles uploads, one at a time.
#[derive(Debug)]
pub struct Compiler {
    max_functions: u64,
    bounds: Bounds,
    one: Mutex<()>,
}

/// Why nothing was compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompilerError {
    /// The upload is to blame.
    #[error(transparent)]
    Refused(#[from] CompileError),
    /// The process could not be started or waited for.
    #[error("the process that compiles could not be run: {0}")]
    Process(#[from] io::Error),
}

impl Compiler {
    /// A compiler that takes components of up to `max_functions`, and spends no more than `bounds` on one.
    #[must_use]
    pub fn new(max_functions: u64, bounds: Bounds) -> Self {
        Self { max_functions, bounds, one: Mutex::new(()) }
    }

    /// Checks and compiles what was uploaded, for runs that have `capacity`. Dropping the future ends the process.
    ///
    /// # Errors
    ///
    /// When it is refused, or took too much; and when no process can be had.
    pub async fn compile(&self, wasm: &[u8], capacity: Capacity) -> Result<Vec<u8>, CompilerError> {
        let _one = self.one.lock().await;
        let task = Task { terms: Terms { max_functions: self.max_functions, capacity }, bounds: self.bounds };
        let mut process = Process::start(&task)?;
        let limit = self.bounds.timeout;
        let patience = limit.saturating_mul(PATIENCE);
        let Ok(ended) = tokio::time::timeout(patience, process.converse(wasm, self.bounds.memory)).await else {
            return Err(CompileError::Timeout { limit }.into());
        };
        let Ended { status, answer, last_words } = ended?;
        if !status.success() {
            return Err(task.blame(status, &last_words).into());
        }
        let unreadable = || io::Error::new(io::ErrorKind::InvalidData, "its answer can't be read");
        match answer.split_first().ok_or_else(unreadable)? {
            (&answer::COMPILED, _) => {
                let mut compiled = answer;
                compiled.drain(..1);
                Ok(compiled)
            }
            (&answer::REFUSED, refusal) => {
                Err(serde_json::from_slice::<CompileError>(refusal).map_err(|_| unreadable())?.into())
            }
            _ => Err(unreadable().into()),
        }
    }
}

/// A process that compiles. Dropping it kills it.
struct Process {
    child: Option<Child>,
    upload: Option<pipe::Sender>,
    answer: pipe::Receiver,
    last_words: pipe::Receiver,
}

/// What a process came to.
struct Ended {
    status: ExitStatus,
    answer: Vec<u8>,
    last_words: Vec<u8>,
}

impl Process {
    fn start(task: &Task) -> io::Result<Self> {
        let mut command = Command::new(OWN);
        command.arg0("dacapo").args(["compile", &serde_json::to_string(task)?]);
        command.env_clear().current_dir("/");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        let upload: OwnedFd = child.stdin.take().ok_or_else(gone)?.into();
        let answer: OwnedFd = child.stdout.take().ok_or_else(gone)?.into();
        let last_words: OwnedFd = child.stderr.take().ok_or_else(gone)?.into();
        Ok(Self {
            child: Some(child),
            upload: Some(pipe::Sender::from_owned_fd(upload)?),
            answer: pipe::Receiver::from_owned_fd(answer)?,
            last_words: pipe::Receiver::from_owned_fd(last_words)?,
        })
    }

    /// Hands the upload over, and waits for the answer and the end.
    async fn converse(&mut self, wasm: &[u8], most: u64) -> io::Result<Ended> {
        let upload = self.upload.take();
        let handing_over = async {
            if let Some(mut upload) = upload {
                // A process that knows enough does not read on.
                let _refused = upload.write_all(wasm).await;
            }
        };
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let ((), answer, last_words) =
            tokio::join!(handing_over, drain(&mut self.answer, most), drain(&mut self.last_words, LAST_WORDS));
        let status = loop {
            let Some(child) = &mut self.child else { return Err(io::ErrorKind::NotFound.into()) };
            if let Some(status) = child.try_wait()? {
                self.child = None;
                break status;
            }
            tokio::time::sleep(REAPING).await;
        };
        Ok(Ended { status, answer: answer?, last_words: last_words? })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ended = child.kill();
            // A process with much memory takes a moment to be gone.
            let reaping = std::thread::Builder::new().name("reaper".into()).spawn(move || child.wait());
            if let Err(error) = reaping {
                tracing::warn!(%error, "a process that was killed stays a zombie until this host ends");
            }
        }
    }
}

/// Reads a pipe to its end, and keeps the first `most` bytes.
async fn drain(pipe: &mut (impl AsyncRead + Unpin), most: usize) -> io::Result<Vec<u8>> {
    let mut kept = Vec::new();
    pipe.take(u64::try_from(most).unwrap_or(u64::MAX)).read_to_end(&mut kept).await?;
    tokio::io::copy(pipe, &mut tokio::io::sink()).await?;
    Ok(kept)
}

/// What a process is to do.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Task {
    terms: Terms,
    bounds: Bounds,
}

impl FromStr for Task {
    type Err = serde_json::Error;

    fn from_str(json: &str) -> Result<Self, Self::Err> {
        serde_json::from_str(json)
    }
}

impl Task {
    /// What a process that did not end well says of the upload.
    fn blame(&self, status: ExitStatus, last_words: &[u8]) -> CompileError {
        let last_words = String::from_utf8_lossy(last_words);
        tracing::warn!(%status, "the compiler ended in the middle of an upload: {}", last_words.trim().escape_debug());
        if status.signal() == Some(Signal::XCPU.as_raw()) {
            CompileError::Timeout { limit: self.bounds.timeout }
        } else if last_words.contains("memory allocation of ") {
            // What Rust says before it aborts; there is no better sign.
            CompileError::Memory { limit: self.bounds.memory }
        } else {
            CompileError::Crashed { how: status.to_string() }
        }
    }

    /// Does it, in a process that is there for nothing else: takes the upload from standard input, and answers on standard
    /// output.
    ///
    /// # Errors
    ///
    /// When this process can't be confined, its pipes are broken, or wasmtime does not work here. A refusal of the upload is
    /// an answer.
    pub fn run(self) -> io::Result<()> {
        self.confine()?;
        let engine = engine::compiling().map_err(|error| io::Error::other(format!("wasmtime: {error:#}")))?;
        let mut wasm = Vec::new();
        let compiled = match io::stdin().lock().read_to_end(&mut wasm) {
            Ok(_) => compile(&engine, &wasm, &self.terms),
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => {
                Err(CompileError::Memory { limit: self.bounds.memory })
            }
            Err(error) => return Err(error),
        };
        let mut stdout = io::stdout().lock();
        match compiled {
            Ok(compiled) => {
                stdout.write_all(&[answer::COMPILED])?;
                stdout.write_all(&compiled)?;
            }
            Err(refusal) => {
                stdout.write_all(&[answer::REFUSED])?;
                serde_json::to_writer(&mut stdout, &refusal)?;
            }
        }
        stdout.flush()
    }

    /// Takes from this process all that compiling does not need.
    fn confine(self) -> io::Result<()> {
        close_inherited()?;
        // The operating system counts in whole seconds.
        let seconds = self.bounds.timeout.as_secs().max(1);
        let limits = [
            // Memory that is really written to. The address space would be no measure: allocators reserve more, the more
            // cores there are.
            (Resource::Data, self.bounds.memory),
            (Resource::Cpu, seconds),
            (Resource::Core, 0),
            (Resource::Fsize, 0),
        ];
        for (resource, limit) in limits {
            let maximum = getrlimit(resource).maximum;
            let most = maximum.map_or(limit, |maximum| maximum.min(limit));
            // At the hard limit of processor time stands a bare kill; at the soft one, a signal that says why.
            let hard = if resource == Resource::Cpu { most.saturating_add(1) } else { most };
            let hard = maximum.map_or(hard, |maximum| maximum.min(hard));
            setrlimit(resource, Rlimit { current: Some(most), maximum: Some(hard) })?;
        }
        nice(NICE)?;
        Ok(())
    }
}

/// Closes what whoever started the host has left open for its children. Of the host's own files none is.
fn close_inherited() -> io::Result<()> {
    let open: Result<Vec<PathBuf>, _> =
        std::fs::read_dir("/proc/self/fd")?.map(|open| open.map(|open| open.path())).collect();
    // The directory itself was among them, and is closed by now.
    for open in open?.into_iter().filter(|open| open.is_symlink()) {
        let number: Option<RawFd> = open.file_name().and_then(|name| name.to_str()?.parse().ok());
        if let Some(number) = number.filter(|number| *number > 2) {
            // SAFETY: this process has just begun, and has opened nothing itself.
            #[expect(unsafe_code, reason = "see above")]
            unsafe {
                rustix::io::close(number);
            }
        }
    }
    Ok(())
}
