//! What the protocol deprecates, mixed with questions. New handlers have no need of it.

use dacapo_guest::deprecated::{ListRoots, Root, Sampling};
use dacapo_guest::prelude::*;

use crate::questions::{Name, declined};

/// A question for a model.
fn capital() -> Sampling {
    Sampling::new(100).user("What is the capital of France?").key("capital_question")
}

fn listed(roots: &[Root]) -> String {
    roots.iter().map(|root| root.uri.as_str()).collect::<Vec<_>>().join(", ")
}

/// Asks the client's model a question.
#[tool(name = "test_input_required_result_sampling")]
pub(crate) fn sampling(ctx: &Context) -> Result<String> {
    let (said,) = ctx.request_inputs((capital(),));
    Ok(format!("The model said: {}", said?.text()))
}

/// Asks for the client's roots.
#[tool(name = "test_input_required_result_list_roots")]
pub(crate) fn list_roots(ctx: &Context) -> String {
    let (roots,) = ctx.request_inputs((ListRoots::new().key("roots"),));
    format!("The client's roots: {}", listed(&roots))
}

/// Asks the user, the client's model and the client itself, all in one round trip.
#[tool(name = "test_input_required_result_multiple_inputs")]
pub(crate) fn multiple_inputs(ctx: &Context) -> Result<String> {
    let (name, said, roots) = ctx.request_inputs((
        Ask::<Name>::form("What is your name?").key("user_name"),
        capital(),
        ListRoots::new().key("roots"),
    ));
    let Name { name } = name.accepted().ok_or_else(declined)?;
    Ok(format!("{name}'s model said: {}; roots: {}", said?.text(), listed(&roots)))
}

/// Asks the user where the client takes forms, and else the client's model.
#[tool(name = "test_input_required_result_capabilities")]
pub(crate) fn capabilities(ctx: &Context) -> Result<String> {
    if ctx.can_ask_form() {
        let Name { name } = ctx.elicit_as("user_name", "What is your name?").accepted().ok_or_else(declined)?;
        return Ok(format!("The user said: {name}"));
    }
    sampling(ctx)
}
