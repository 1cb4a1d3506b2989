//! Which lists a change of the catalogue changes.

use serde::Serialize;

use super::catalogue::Catalogue;
use crate::announce::Announcement;

/// The lists in which two catalogues differ, as clients see them.
pub(super) fn between(before: &Catalogue, after: &Catalogue) -> Vec<Announcement> {
    let resources = differ(before.resources(None), after.resources(None));
    let templates = differ(before.templates(None), after.templates(None));
    let changes = [
        (Announcement::ToolsListChanged, differ(before.tools(None), after.tools(None))),
        (Announcement::PromptsListChanged, differ(before.prompts(None), after.prompts(None))),
        (Announcement::ResourcesListChanged, resources || templates),
    ];
    changes.into_iter().filter_map(|(change, differs)| differs.then_some(change)).collect()
}

/// Whether two lists are written differently.
fn differ<'a, T: Serialize + 'a>(
    before: impl Iterator<Item = (&'a str, &'a T)>,
    after: impl Iterator<Item = (&'a str, &'a T)>,
) -> bool {
    let written = |list: Vec<_>| serde_json::to_vec(&list).ok();
    written(before.collect()) != written(after.collect())
}
