//! A tool that asks two questions and then charges, once.
//!
//! It shows a choice, a second question that depends on the first answer, and where an effect belongs: after the last
//! question. The tool runs three times in a conversation of three round trips; only the third run gets as far as the charge.

use dacapo_guest::prelude::*;

/// Whose plan to change.
#[derive(Deserialize, JsonSchema)]
struct Account {
    /// The user's name
    user: String,
}

/// The plans on offer.
#[derive(Choice, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Plan {
    /// Pro: 10 € a month
    Pro,
    /// Team: 25 € a month
    Team,
}

/// Which plan?
#[derive(Form)]
struct Pick {
    /// The plan to upgrade to
    plan: Plan,
}

/// Sure?
#[derive(Form)]
struct Confirmation {
    /// Yes, upgrade and charge me
    #[form(title = "Upgrade", default = false)]
    confirmed: bool,
}

/// What came of it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// The plan was changed and charged
    Upgraded,
    /// The user did not want it; nothing was charged
    Cancelled,
}

/// The outcome of an upgrade.
#[derive(Serialize, JsonSchema)]
struct Outcome {
    /// Whether the upgrade took place
    status: Status,
    /// The user whose plan it is
    user: String,
    /// The new plan; missing if there is none
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<Plan>,
}

/// Upgrades a user's plan. The user picks the plan and confirms the charge.
#[tool(name = "upgrade-plan", title = "Upgrade a plan", destructive = false, idempotent = false)]
fn upgrade_plan(ctx: &Context, Account { user }: Account) -> Result<Outcome> {
    match pick(ctx) {
        Some(plan) => {
            charge(&user, plan);
            Ok(Outcome { status: Status::Upgraded, user, plan: Some(plan) })
        }
        None => Ok(Outcome { status: Status::Cancelled, user, plan: None }),
    }
}

/// The plan that the user picked and confirmed.
fn pick(ctx: &Context) -> Option<Plan> {
    let Pick { plan } = ctx.elicit("Pick a plan").accepted()?;
    let Confirmation { confirmed } = ctx.elicit(format!("Confirm upgrade to {}?", plan.value())).accepted()?;
    confirmed.then_some(plan)
}

/// Stands for a call to a payment service. The host puts what a handler prints in its log.
fn charge(user: &str, plan: Plan) {
    println!("charged {user} for {}", plan.value());
}

dacapo_guest::handlers! { tools: [upgrade_plan] }

#[cfg(test)]
mod tests {
    use dacapo_guest::testing::{self, Value, accept, decline, json};

    use super::*;

    #[test]
    fn a_plan_is_charged_once_it_is_confirmed() {
        let run = testing::call::<upgrade_plan>()
            .with(json!({"user": "ada"}))
            .answer("elicit-1", accept(json!({"plan": "team"})))
            .answer("elicit-2", accept(json!({"confirmed": true})))
            .assert_faithful();
        assert_eq!(run.questions()[1].message(), "Confirm upgrade to team?");
        assert_eq!(run.structured::<Value>(), json!({"status": "upgraded", "user": "ada", "plan": "team"}));
    }

    #[test]
    fn who_declines_is_asked_no_more() {
        let run = testing::call::<upgrade_plan>().with(json!({"user": "ada"})).answer("elicit-1", decline()).run();
        assert_eq!(run.structured::<Value>(), json!({"status": "cancelled", "user": "ada"}));
        assert_eq!(run.questions().len(), 1);
    }
}
