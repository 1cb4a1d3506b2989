//! The real binary, started on a free port.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use reqwest::{Method, RequestBuilder, StatusCode, header};
use tempfile::TempDir;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::answer::Answer;
use crate::client::Client;
use crate::log::Log;
use crate::{guests, target};

/// What the binary writes to its standard output when it is ready, before its address.
const READY: &str = "listening on ";

/// How long the binary may take to be ready. Much, for machines that do other things besides.
const START_LIMIT: Duration = Duration::from_mins(1);

/// How long to wait for a line in the log.
const LOG_LIMIT: Duration = Duration::from_secs(20);

/// A running host. Dropping it kills the process.
pub struct Host {
    options: Options,
    http: reqwest::Client,
    process: Process,
}

/// What a host is started with. Start from [`Host::builder`].
#[derive(Default)]
pub struct Builder {
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    data_dir: Option<PathBuf>,
    binary: Option<PathBuf>,
}

struct Options {
    binary: PathBuf,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    data_dir: PathBuf,
    /// Where the data is, if the test has not chosen a place. Removed at the end.
    _temporary: TempDir,
}

struct Process {
    child: Child,
    url: String,
    log: Log,
}

impl Builder {
    /// Adds an argument to `dacapo serve`.
    #[must_use]
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Adds arguments to `dacapo serve`.
    #[must_use]
    pub fn args(mut self, arguments: impl IntoIterator<Item: AsRef<OsStr>>) -> Self {
        self.arguments.extend(arguments.into_iter().map(|argument| argument.as_ref().to_owned()));
        self
    }

    /// Sets a variable in the host's environment. Variables of the test's own environment that begin with `DACAPO_` are
    /// not passed on.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.environment.push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Keeps the host's data in `path`. By default it is kept in a directory that goes when the host is dropped.
    #[must_use]
    pub fn data_dir(mut self, path: impl AsRef<Path>) -> Self {
        self.data_dir = Some(path.as_ref().to_owned());
        self
    }

    /// Starts another binary than the one that cargo has built.
    #[must_use]
    pub fn binary(mut self, path: impl AsRef<Path>) -> Self {
        self.binary = Some(path.as_ref().to_owned());
        self
    }

    /// Starts the host and waits until it is ready.
    ///
    /// Panics, with the host's log, where it does not get ready.
    pub async fn start(self) -> Host {
        let temporary = tempfile::tempdir().expect("a temporary directory can be made");
        let options = Options {
            binary: self.binary.unwrap_or_else(target::host_binary),
            arguments: self.arguments,
            environment: self.environment,
            data_dir: self.data_dir.unwrap_or_else(|| temporary.path().to_owned()),
            _temporary: temporary,
        };
        let process = Process::start(&options).await;
        let http = reqwest::Client::builder().no_proxy().build().expect("an HTTP client can be made");
        Host { options, http, process }
    }
}

impl Host {
    /// A host with a data directory of its own and no options.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Starts a host with a data directory of its own and no options.
    pub async fn start() -> Self {
        Self::builder().start().await
    }

    /// Kills the host and starts it again with the same options and data directory. It comes back on another port, and
    /// with an empty log.
    pub async fn restart(&mut self) {
        self.process.child.kill().await.expect("a child process can be killed");
        self.process = Process::start(&self.options).await;
    }

    /// The id of the host's process.
    ///
    /// Panics where the host has ended.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.process.child.id().unwrap_or_else(|| panic!("the host has ended; its log:\n{}", self.log()))
    }

    /// Asks the host to stop, as an operator does, and waits until it has.
    ///
    /// Panics, with the log, where it does not stop within `limit`.
    pub async fn stop(&mut self, limit: Duration) -> ExitStatus {
        let asked = std::process::Command::new("kill").arg(self.pid().to_string()).status().expect("kill starts");
        assert!(asked.success());
        let ended = timeout(limit, self.process.child.wait()).await;
        let ended = ended.unwrap_or_else(|_| panic!("the host does not stop; its log:\n{}", self.log()));
        ended.expect("a child process can be waited for")
    }

    /// The host's address, such as `http://127.0.0.1:40123`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.process.url
    }

    /// The address of the MCP endpoint.
    #[must_use]
    pub fn mcp_url(&self) -> String {
        format!("{}/mcp", self.process.url)
    }

    /// The host's data directory.
    #[must_use]
    pub fn data_dir(&self) -> &Path {
        &self.options.data_dir
    }

    /// What the host has written to its standard error since it started.
    #[must_use]
    pub fn log(&self) -> String {
        self.process.log.text()
    }

    /// Waits for a line in the log that contains `text`, and returns it.
    ///
    /// Panics, with the log, where none comes.
    pub async fn wait_for_log(&self, text: &str) -> String {
        let find = |log: &str| log.lines().find(|line| line.contains(text)).map(str::to_owned);
        let line = self.process.log.wait_for(LOG_LIMIT, find).await;
        line.unwrap_or_else(|| panic!("the host did not log `{text}`; its log:\n{}", self.log()))
    }

    /// A request to `path`, such as `/v1/handlers`, to be sent with [`Answer::to`].
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.process.url))
    }

    /// A client of the MCP endpoint. It stays with this port: after a restart, take another.
    #[must_use]
    pub fn client(&self) -> Client {
        Client::new(self.http.clone(), self.mcp_url())
    }

    /// Uploads a component as the handler `name`.
    pub async fn upload(&self, name: &str, component: impl Into<Vec<u8>>) -> Answer {
        let request = self
            .request(Method::PUT, &format!("/v1/handlers/{name}"))
            .header(header::CONTENT_TYPE, "application/wasm")
            .body(component.into());
        Answer::to(request).await
    }

    /// Uploads the guest package `name` as the handler of the same name.
    ///
    /// Panics where the host does not take it.
    pub async fn upload_guest(&self, name: &str) -> Answer {
        let answer = self.upload(name, guests::bytes(name)).await;
        assert!(
            matches!(answer.status, StatusCode::CREATED | StatusCode::OK),
            "the host did not take the guest `{name}`: {} {}\nIts log:\n{}",
            answer.status,
            answer.body,
            self.log()
        );
        answer
    }
}

impl Process {
    async fn start(options: &Options) -> Self {
        let binary = &options.binary;
        let mut command = Command::new(binary);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("DACAPO_") {
                command.env_remove(name);
            }
        }
        let mut child = command
            .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
            .arg(&options.data_dir)
            .args(&options.arguments)
            .envs(options.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("could not start {}: {error}", binary.display()));
        let output = Log::of(child.stdout.take().expect("the output is piped"));
        let log = Log::of(child.stderr.take().expect("the errors are piped"));
        let find = |text: &str| {
            let address = text.lines().find_map(|line| line.strip_prefix(READY))?;
            Some(address.trim().to_owned())
        };
        let Some(url) = output.wait_for(START_LIMIT, find).await else {
            let ending = child.try_wait().expect("a child process can be waited for");
            panic!("the host did not get ready (ended: {ending:?}); its output:\n{}{}", output.text(), log.text());
        };
        Self { child, url, log }
    }
}
