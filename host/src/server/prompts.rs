//! `prompts/list` and `prompts/get`.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::conversation::Conversation;
use super::lists::List;
use super::{Caller, Server};
use crate::protocol::error::RpcError;
use crate::protocol::meta::RequestMeta;
use crate::protocol::method::Method;
use crate::protocol::params::{CallParams, Params};
use crate::protocol::prompt::Prompt;
use crate::registry::catalogue::Catalogue;
use crate::sandbox::entry::prompt::GetPrompt;

impl Server {
    pub(super) fn list_prompts(&self, params: &Params) -> Result<Box<RawValue>, RpcError> {
        let start = List::Prompts.start(params)?;
        self.page(&start, self.registry.catalogue().prompts(start.after()))
    }

    pub(super) async fn get_prompt(
        &self,
        params: Params,
        meta: &RequestMeta,
        caller: &Caller,
    ) -> Result<Box<RawValue>, RpcError> {
        let params = CallParams::read(params)?;
        let name = params.original.text("name")?;
        let arguments: BTreeMap<String, String> = params.original.member("arguments")?.unwrap_or_default();
        let find = |catalogue: &Catalogue| {
            catalogue.prompt(&name).cloned().ok_or_else(|| {
                RpcError::invalid_params(format!(
                    "there is no prompt \"{name}\"; prompts/list names those that there are"
                ))
            })
        };
        let (conversation, opened) = Conversation::open(self, Method::PromptsGet, &params, &name, caller, meta, find)?;
        if let Some(prompt) = conversation.handler.prompts.iter().find(|prompt| prompt.name == name) {
            check_arguments(prompt, &arguments)?;
        }
        let entry = GetPrompt { name: &name, arguments };
        let outcome = conversation.outcome(conversation.run(opened, entry, meta, caller).await?).await?;
        conversation.write(outcome, |mut result| {
            let meta = result.meta.take();
            (result, meta)
        })
    }
}

fn check_arguments(prompt: &Prompt, arguments: &BTreeMap<String, String>) -> Result<(), RpcError> {
    let missing: Vec<&str> = prompt
        .arguments
        .iter()
        .filter(|argument| argument.required && !arguments.contains_key(&argument.name))
        .map(|argument| argument.name.as_str())
        .collect();
    if missing.is_empty() {
        Ok(())
    } else {
        let missing = missing.join(", ");
        Err(RpcError::invalid_params(format!("prompt \"{}\" needs these arguments too: {missing}", prompt.name)))
    }
}
