//! `prompts/list` and `prompts/get`.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::conversation::Conversation;
use super::lists::List;
use super::{Caller, Server};
use crate::protocol::error::RpcError;
use crate::protocol::meta::RequestMeta;
use crate::protocol::method::Method;
use crate::protocol::params::CallParams;
use crate::protocol::prompt::Prompt;
use crate::sandbox::entry::prompt::GetPrompt;

impl Server {
    pub(super) fn list_prompts(&self, params: Option<&RawValue>) -> Result<Box<RawValue>, RpcError> {
        let start = List::Prompts.start(params)?;
        self.page(&start, self.registry.catalogue().prompts(start.after()))
    }

    pub(super) async fn get_prompt(
        &self,
        params: Option<&RawValue>,
        meta: &RequestMeta,
        caller: &Caller,
    ) -> Result<Box<RawValue>, RpcError> {
        let params = CallParams::read(params)?;
        let name = params.original.text("name")?;
        let arguments: BTreeMap<String, String> = params.original.member("arguments")?.unwrap_or_default();
        let conversation = Conversation::new(self, Method::PromptsGet, &params, &name, caller);
        let opened = conversation.open(&params, meta, |catalogue| {
            catalogue.prompt(&name).cloned().ok_or_else(|| {
                RpcError::invalid_params(format!(
                    "there is no prompt \"{name}\"; prompts/list names those that there are"
                ))
            })
        })?;
        if let Some(prompt) = opened.handler.prompts.iter().find(|prompt| prompt.name == name) {
            check_arguments(prompt, &arguments)?;
        }
        let entry = GetPrompt { name: &name, arguments };
        let outcome = conversation.run(opened, entry, std::convert::identity, meta, caller).await?;
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
