//! All that a handler can do, as a tour of the SDK. The official conformance suite calls each by its name, so the names and
//! texts are the suite's.
//!
//! # Layout
//!
//! - `content.rs`: what a tool may return, and progress on the way
//! - `schemas.rs`: input schemas beyond what a struct says
//! - `questions.rs`: questions to the user: one, several at once, one after the other, a page to visit
//! - `inputs.rs`: what the protocol deprecates, mixed with questions
//! - `diagnostics.rs`: tools that show what a server does besides answering
//! - `prompts.rs`: prompts, with arguments, pictures and a question; completions
//! - `resources.rs`: resources, one that asks a question, and a template
//! - `samples.rs`: a picture and a sound to send around

mod content;
mod diagnostics;
mod inputs;
mod prompts;
mod questions;
mod resources;
mod samples;
mod schemas;

dacapo_guest::handlers! {
    tools: [
        content::simple_text,
        content::image_content,
        content::audio_content,
        content::embedded_resource,
        content::multiple_content_types,
        content::error_handling,
        content::tool_with_progress,
        schemas::json_schema,
        schemas::custom_header,
        questions::elicitation,
        questions::request_state,
        questions::multi_round,
        questions::tampered_state,
        questions::several_questions,
        questions::url,
        inputs::sampling,
        inputs::list_roots,
        inputs::multiple_inputs,
        inputs::capabilities,
        diagnostics::missing_capability,
        diagnostics::streaming_elicitation,
        diagnostics::logging,
        diagnostics::trigger_tool_change,
        diagnostics::trigger_prompt_change,
    ],
    prompts: [
        prompts::simple,
        prompts::with_arguments,
        prompts::with_embedded_resource,
        prompts::with_image,
        prompts::with_question,
    ],
    resources: [resources::static_text, resources::static_binary, resources::watched, resources::with_question],
    resource_templates: [resources::data],
    completions: [prompts::first_argument],
}
