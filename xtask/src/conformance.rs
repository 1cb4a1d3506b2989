//! Runs the conformance suite against the server.

use std::fs;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use crate::checks::{Findings, Status};
use crate::host::Server;
use crate::suite::Suite;
use crate::workspace::Workspace;
use crate::{guests, host};

/// The guest that offers what the suite asks for.
const GUEST: &str = "everything";

/// What can be chosen.
#[derive(Args, Default)]
pub(crate) struct Options {
    /// What the server makes of retries that carry more or less than it asked for [default: one run with each]
    #[arg(long)]
    policy: Option<Policy>,
    /// Runs one scenario only, such as `tools-list`
    #[arg(long, value_name = "SCENARIO")]
    only: Option<String>,
}

/// The server's policy for retries, and with it how strictly the suite's findings are judged.
#[derive(Clone, Copy, ValueEnum)]
enum Policy {
    /// They are refused. No check may fail; some warn of just that
    Strict,
    /// They are put up with. No check may fail and none may warn
    Lenient,
}

/// Builds everything and runs the suite.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    host::build(workspace)?;
    guests::build(workspace)?;
    check(workspace, options)
}

/// Runs the suite, once for each policy, against the server as it has been built. It is an error if a finding is worse
/// than the policy allows.
pub(crate) fn check(workspace: &Workspace, options: &Options) -> Result<()> {
    let suite = Suite::install(workspace)?;
    let policies = options.policy.map_or_else(|| vec![Policy::Strict, Policy::Lenient], |policy| vec![policy]);
    let mut verdicts = Vec::new();
    for policy in policies {
        let findings = findings(workspace, &suite, policy, options.only.as_deref())
            .with_context(|| format!("the run with the policy `{}` failed", policy.name()))?;
        println!("\nconformance, {}{findings}", policy.name());
        verdicts.extend(policy.objections(&findings));
    }
    if !verdicts.is_empty() {
        bail!("the server does not conform: {}", verdicts.join("; "));
    }
    Ok(())
}

fn findings(workspace: &Workspace, suite: &Suite, policy: Policy, only: Option<&str>) -> Result<Findings> {
    let name = policy.name();
    let out = workspace.target().join("conformance").join(format!("out-{name}"));
    if out.exists() {
        fs::remove_dir_all(&out).with_context(|| format!("could not remove {}", out.display()))?;
    }
    let log_path = out.with_file_name(format!("server-{name}.log"));
    let log = fs::File::create(&log_path).with_context(|| format!("could not make {}", log_path.display()))?;
    let data_dir = tempfile::tempdir()?;
    let server = Server::start(workspace, "127.0.0.1:0", data_dir.path(), |command| {
        command.args(policy.arguments()).stderr(log);
    })
    .with_context(|| format!("see {}", log_path.display()))?;
    server.push(workspace, GUEST)?;

    let mut findings = Findings::default();
    for (scenario, report) in suite.run(&format!("{}/mcp", server.url()), only, &out)? {
        findings.add(&scenario, &report)?;
    }
    Ok(findings)
}

impl Policy {
    fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Lenient => "lenient",
        }
    }

    /// What the server is started with. The policy is strict where nothing is said.
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Strict => &[],
            Self::Lenient => &["--retry-policy", "lenient"],
        }
    }

    fn objections(self, findings: &Findings) -> Vec<String> {
        let objectionable: &[_] = match self {
            Self::Strict => &[(Status::Failure, "failed")],
            Self::Lenient => &[(Status::Failure, "failed"), (Status::Warning, "warned")],
        };
        let counted = objectionable.iter().map(|(status, what)| (findings.deciding(*status), what));
        counted
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} checks {what} with the policy `{}`", self.name()))
            .collect()
    }
}
