//! What was typed, from three places: flags and environment (clap), and a file. A flag wins over the environment, the
//! environment over the file, the file over the default.
//!
//! # Layout
//!
//! - [`options`]: what was typed
//! - [`settings`]: what it means
//! - [`error`]: why a configuration can't be used

pub mod error;
pub mod options;
pub mod settings;

pub use error::ConfigError;
pub use options::Options;
pub use settings::Settings;
