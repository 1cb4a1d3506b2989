//! A picture and a sound to send around.

/// The media type of [`PIXEL`].
pub(crate) const PNG: &str = "image/png";

/// The media type of [`SILENCE`].
pub(crate) const WAV: &str = "audio/wav";

/// A picture of one red pixel.
pub(crate) const PIXEL: &[u8] = include_bytes!("pixel.png");

/// A sound of two silent samples: 8 bits, mono, 8 kHz.
pub(crate) const SILENCE: &[u8] = include_bytes!("silence.wav");
