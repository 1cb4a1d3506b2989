//! Icons that a client may show beside a descriptor.

use crate::bindings::dacapo::handler::content::Icon;

/// The contract's list of an icon or none.
pub(crate) fn list(icon: Option<&str>) -> Vec<Icon> {
    icon.map(|src| Icon { src: src.to_owned(), mime_type: None, sizes: Vec::new(), theme: None }).into_iter().collect()
}
