//! `dacapo push`.

use std::path::PathBuf;

use anyhow::{Context as _, bail};

use super::file;

#[derive(Debug, clap::Args)]
pub(super) struct Push {
    /// The component to upload
    file: PathBuf,

    /// The handler's name [default: the file's, without its ending]
    #[arg(long)]
    name: Option<String>,

    /// The server to upload to
    #[arg(long, env = "DACAPO_SERVER", value_name = "URL", default_value = "http://127.0.0.1:8460")]
    server: String,

    /// The server's admin token
    #[arg(long, env = "DACAPO_ADMIN_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    admin_token: Option<String>,
}

/// What the upload API answers, as far as it is shown.
#[derive(serde::Deserialize)]
struct Uploaded {
    name: String,
    revision: i64,
    digest: String,
    tools: Vec<Tool>,
}

#[derive(serde::Deserialize)]
struct Tool {
    name: String,
}

#[derive(serde::Deserialize)]
struct Refused {
    error: Reason,
}

#[derive(serde::Deserialize)]
struct Reason {
    code: String,
    message: String,
}

impl Push {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let wasm = file::read(&self.file)?;
        let name = match &self.name {
            Some(name) => name.as_str(),
            None => file::handler_name(&self.file)
                .with_context(|| format!("{} gives no name; set one with --name", self.file.display()))?,
        };
        let url = format!("{}/v1/handlers/{name}", self.server.trim_end_matches('/'));
        // An error status has a body that says why.
        let agent = ureq::Agent::new_with_config(ureq::config::Config::builder().http_status_as_error(false).build());
        let mut request = agent.put(&url).content_type("application/wasm");
        if let Some(token) = &self.admin_token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let mut response = request.send(&wasm).with_context(|| {
            format!("can't reach {url}; is the server running (`dacapo serve`), and at that address?")
        })?;
        let status = response.status();
        let body = response.body_mut().read_to_string().with_context(|| format!("{url} broke off its answer"))?;
        if !status.is_success() {
            match serde_json::from_str::<Refused>(&body) {
                Ok(Refused { error }) => {
                    bail!("{} was refused ({}): {}", self.file.display(), error.code, error.message)
                }
                Err(_) => bail!("{url} answered {status}, which is no answer of an upload API: {body}"),
            }
        }
        let Uploaded { name, revision, digest, tools } = serde_json::from_str(&body)
            .with_context(|| format!("{url} answered {status} with something else than a handler"))?;
        let tools: Vec<_> = tools.into_iter().map(|tool| tool.name).collect();
        println!("{name} revision {revision} is live ({digest}): {}", tools.join(", "));
        Ok(())
    }
}
