//! Prompts: descriptors and results.

use super::{Malformed, content, meta, result_meta};
use crate::protocol::prompt::{GetPromptResult, Prompt, PromptArgument, PromptMessage};
use crate::sandbox::bindings::exports::dacapo::handler::prompts;

pub(in crate::sandbox) fn prompt(prompt: prompts::Prompt) -> Result<Prompt, Malformed> {
    let argument = |argument: prompts::PromptArgument| PromptArgument {
        name: argument.name,
        title: argument.title,
        description: argument.description,
        required: argument.required,
    };
    Ok(Prompt {
        name: prompt.name,
        title: prompt.title,
        description: prompt.description,
        arguments: prompt.arguments.into_iter().map(argument).collect(),
        icons: prompt.icons.into_iter().map(content::icon).collect(),
        meta: meta(prompt.meta)?,
    })
}

pub(in crate::sandbox) fn prompt_result(result: prompts::PromptResult) -> Result<GetPromptResult, Malformed> {
    let message = |message: prompts::PromptMessage| {
        Ok(PromptMessage { role: content::role(message.role), content: content::block(message.content)? })
    };
    Ok(GetPromptResult {
        description: result.description,
        messages: result.messages.into_iter().map(message).collect::<Result<_, Malformed>>()?,
        meta: result_meta(result.meta)?,
    })
}
