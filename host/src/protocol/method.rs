//! The methods that this host serves.

/// A method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// `server/discover`
    Discover,
    /// `subscriptions/listen`
    Listen,
    /// `tools/list`
    ToolsList,
    /// `tools/call`
    ToolsCall,
}

impl Method {
    /// The method of this name, if the host serves it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "server/discover" => Self::Discover,
            "subscriptions/listen" => Self::Listen,
            "tools/list" => Self::ToolsList,
            "tools/call" => Self::ToolsCall,
            _ => return None,
        })
    }

    /// The parameter that says what the method is about; the `Mcp-Name` header repeats it.
    #[must_use]
    pub fn target(self) -> Option<&'static str> {
        match self {
            Self::ToolsCall => Some("name"),
            Self::Discover | Self::Listen | Self::ToolsList => None,
        }
    }
}
