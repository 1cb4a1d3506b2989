//! Which lists a change of the catalogue changes.

use serde::Serialize;

use super::catalogue::Catalogue;
use crate::announce::Announcement;

/// The lists in which two catalogues differ, as clients see them.
pub(super) fn between(before: &Catalogue, after: &Catalogue) -> Vec<Announcement> {
    let changes = [(Announcement::ToolsListChanged, differ(&before.tools(), &after.tools()))];
    changes.into_iter().filter_map(|(change, differs)| differs.then_some(change)).collect()
}

/// Whether two lists are written differently.
fn differ(before: &impl Serialize, after: &impl Serialize) -> bool {
    serde_json::to_vec(before).ok() != serde_json::to_vec(after).ok()
}
