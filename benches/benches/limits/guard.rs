//! The limits and settings that can be off.

/// One of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guard {
    /// Code that looks, wherever it loops, whether it is to let others run.
    Epochs,
    /// Code that leaves the machine no choice of bits.
    Nan,
    /// The count of memory and tables.
    Limiter,
    /// The bound on what one call between guest and host carries.
    Transfer,
    /// Randomness from the conversation's seed, where the operating system's would do.
    Randomness,
    /// The conversation's clock.
    Clock,
    /// The deadline.
    Deadline,
    /// An own stack, so that a guest can be left waiting.
    Fibre,
    /// WASI, all of it.
    Wasi,
}

impl Guard {
    pub(crate) const ALL: [Self; 9] = [
        Self::Epochs,
        Self::Nan,
        Self::Limiter,
        Self::Transfer,
        Self::Randomness,
        Self::Clock,
        Self::Deadline,
        Self::Fibre,
        Self::Wasi,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Epochs => "interruption by epochs",
            Self::Nan => "NaNs and relaxed SIMD pinned",
            Self::Limiter => "the limits of memory and tables",
            Self::Transfer => "the limit of bytes between guest and host",
            Self::Randomness => "randomness from the conversation's seed (three streams of ChaCha20)",
            Self::Clock => "the conversation's clock",
            Self::Deadline => "the deadline",
            Self::Fibre => "a stack of its own (calls are synchronous then)",
            Self::Wasi => "WASI, clock, randomness and output included",
        }
    }
}

/// Those that are on.
#[derive(Clone, Copy)]
pub(crate) struct Guards([bool; Guard::ALL.len()]);

impl Guards {
    pub(crate) fn all() -> Self {
        Self([true; Guard::ALL.len()])
    }

    pub(crate) fn none() -> Self {
        Self([false; Guard::ALL.len()])
    }

    /// All but one, and what can't be without it.
    pub(crate) fn all_but(guard: Guard) -> Self {
        Self(Guard::ALL.map(|other| {
            let needs = match other {
                // Nothing can be left waiting on the caller's stack.
                Guard::Epochs | Guard::Deadline => guard == Guard::Fibre,
                Guard::Randomness | Guard::Clock => guard == Guard::Wasi,
                _ => false,
            };
            other != guard && !needs
        }))
    }

    pub(crate) fn has(self, guard: Guard) -> bool {
        self.0[guard as usize]
    }
}
