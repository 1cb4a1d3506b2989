//! How much of something, as operators write it.

use std::fmt;
use std::time::Duration;

/// How much of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// So many bytes.
    Bytes(usize),
    /// So many things.
    Count(usize),
    /// So long.
    Time(Duration),
}

impl Amount {
    /// The number alone: bytes, things, or milliseconds.
    #[must_use]
    pub fn number(self) -> usize {
        match self {
            Self::Bytes(number) | Self::Count(number) => number,
            Self::Time(time) => usize::try_from(time.as_millis()).unwrap_or(usize::MAX),
        }
    }

    /// What the number counts: `bytes`, `count` or `ms`.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Self::Bytes(_) => "bytes",
            Self::Count(_) => "count",
            Self::Time(_) => "ms",
        }
    }
}

/// `64 KiB`, `1500 bytes`, `100`, `30s`.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(&str, usize); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
        match self {
            Self::Bytes(bytes) => match UNITS.iter().find(|(_, size)| *bytes >= *size && bytes.is_multiple_of(*size)) {
                Some((unit, size)) => write!(f, "{} {unit}", bytes / size),
                None => write!(f, "{bytes} bytes"),
            },
            Self::Count(count) => write!(f, "{count}"),
            Self::Time(time) => write!(f, "{time:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_in_the_greatest_unit_that_is_exact() {
        for (amount, text) in [
            (Amount::Bytes(0), "0 bytes"),
            (Amount::Bytes(1500), "1500 bytes"),
            (Amount::Bytes(64 << 10), "64 KiB"),
            (Amount::Bytes(3 << 30), "3 GiB"),
            (Amount::Count(1024), "1024"),
            (Amount::Time(Duration::from_millis(1500)), "1.5s"),
        ] {
            assert_eq!(amount.to_string(), text);
        }
    }
}
