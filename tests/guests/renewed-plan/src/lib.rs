//! The next revision of the example that upgrades a plan: the same tool, which asks for the consent first, under other keys.

use dacapo_guest::prelude::*;

/// Whose plan to change.
#[derive(Deserialize, JsonSchema)]
struct Account {
    /// The user's name
    user: String,
}

/// The user's word.
#[derive(Form)]
struct Terms {
    /// Yes, I agree
    agreed: bool,
}

/// Which plan?
#[derive(Form)]
struct Pick {
    /// The plan to upgrade to
    plan: String,
}

/// Upgrades a user's plan. The user agrees to the terms and picks the plan.
#[tool(name = "upgrade-plan")]
fn upgrade_plan(ctx: &Context, Account { user }: Account) -> Result<String> {
    let agreed = ctx.elicit_as::<Terms>("terms", "Do you agree?").accepted().is_some_and(|terms| terms.agreed);
    if !agreed {
        return Ok(format!("{user} did not agree"));
    }
    match ctx.elicit_as::<Pick>("renewed-plan", "Pick a plan").accepted() {
        Some(Pick { plan }) => {
            println!("charged {user} for {plan}");
            Ok(format!("{user} has {plan}, by the renewed revision"))
        }
        None => Ok(format!("{user} picked none")),
    }
}

dacapo_guest::handlers! { tools: [upgrade_plan] }
