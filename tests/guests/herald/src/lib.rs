//! Announces what it is told to.

use dacapo_guest::bindings::dacapo::handler::announcements::{ListKind, list_changed, resource_updated};
use dacapo_guest::prelude::*;

/// A resource that is said to have changed.
#[derive(Deserialize, JsonSchema)]
struct Updated {
    /// Its URI
    uri: String,
    /// How often to say so
    times: u32,
}

/// A list that is said to have changed.
#[derive(Deserialize, JsonSchema)]
struct Changed {
    /// Which list
    list: List,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum List {
    Tools,
    Prompts,
    Resources,
}

/// Says that a resource has changed.
#[tool(name = "announce-resource")]
fn announce_resource(_ctx: &Context, Updated { uri, times }: Updated) -> String {
    for _ in 0..times {
        resource_updated(&uri);
    }
    "announced".to_owned()
}

/// Says that a list has changed.
#[tool(name = "announce-list")]
fn announce_list(_ctx: &Context, Changed { list }: Changed) -> String {
    list_changed(match list {
        List::Tools => ListKind::Tools,
        List::Prompts => ListKind::Prompts,
        List::Resources => ListKind::Resources,
    });
    "announced".to_owned()
}

dacapo_guest::handlers! { tools: [announce_resource, announce_list] }
