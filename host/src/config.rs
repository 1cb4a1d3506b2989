//! What was typed, from three places: flags and environment (clap), and a file. A flag wins over the environment, the
//! environment over the file, the file over the default.
//!
//! # Layout
//!
//! - [`options`]: what was typed
//! - [`limits`]: limits as typed, of the host and of single handlers
//! - [`settings`]: what it means
//! - [`error`]: why a configuration can't be used
//! - `reference`: all of it, for people

pub mod error;
pub mod limits;
pub mod options;
mod reference;
pub mod settings;

pub use error::ConfigError;
pub use options::Options;
pub use reference::reference;
pub use settings::Settings;
