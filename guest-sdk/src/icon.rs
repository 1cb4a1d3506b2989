//! Icons that a client may show beside a descriptor or a link.

use crate::bindings::dacapo::handler::content as wit;

/// An icon. Where an attribute takes several (`icons = […]`), a text stands for [`Icon::new`] of it.
///
/// ```
/// use dacapo_guest::prelude::*;
///
/// /// Says what time it is.
/// #[tool(icons = [
///     "https://example.com/clock.svg",
///     Icon::new("https://example.com/clock-dark.png").sizes(&["48x48", "96x96"]).theme(Theme::Dark),
/// ])]
/// fn clock() -> String {
///     "High time.".to_owned()
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Icon {
    src: &'static str,
    mime_type: Option<&'static str>,
    sizes: &'static [&'static str],
    theme: Option<Theme>,
}

/// Which background an icon is drawn for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// A light background.
    Light,
    /// A dark background.
    Dark,
}

impl Icon {
    /// The icon at an `https:` or `data:` URI.
    #[must_use]
    pub const fn new(src: &'static str) -> Self {
        Self { src, mime_type: None, sizes: &[], theme: None }
    }

    /// Its media type, where the URI does not tell. None by default.
    #[must_use]
    pub const fn mime_type(self, mime_type: &'static str) -> Self {
        Self { mime_type: Some(mime_type), ..self }
    }

    /// Its sizes, such as `48x48`, or `any` for one that scales. Nothing is said by default.
    #[must_use]
    pub const fn sizes(self, sizes: &'static [&'static str]) -> Self {
        Self { sizes, ..self }
    }

    /// The background that it is drawn for. Nothing is said by default.
    #[must_use]
    pub const fn theme(self, theme: Theme) -> Self {
        Self { theme: Some(theme), ..self }
    }
}

impl From<Icon> for wit::Icon {
    fn from(icon: Icon) -> Self {
        Self {
            src: icon.src.to_owned(),
            mime_type: icon.mime_type.map(str::to_owned),
            sizes: icon.sizes.iter().map(|&size| size.to_owned()).collect(),
            theme: icon.theme.map(|theme| match theme {
                Theme::Light => wit::Theme::Light,
                Theme::Dark => wit::Theme::Dark,
            }),
        }
    }
}

/// The contract's list of icons.
pub(crate) fn list(icons: &[Icon]) -> Vec<wit::Icon> {
    icons.iter().map(|&icon| icon.into()).collect()
}
