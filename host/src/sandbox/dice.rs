//! The conversation's randomness, as WASI draws it.

use std::convert::Infallible;
use std::sync::Arc;

use dacapo_replay::Draws;
use dacapo_replay::draws::Stream;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _, TryRng};

/// One stream of a conversation's randomness. Where it stands is kept beside it, for a run may pass over what an earlier one
/// has drawn.
pub(super) struct Dice {
    random: ChaCha20Rng,
    draws: Arc<Draws>,
    stream: Stream,
}

impl Dice {
    pub(super) fn new(seed: [u8; 32], draws: &Arc<Draws>, stream: Stream) -> Self {
        Self { random: seeded(seed, number(stream)), draws: Arc::clone(draws), stream }
    }

    fn draw<T>(&mut self, draw: impl FnOnce(&mut ChaCha20Rng) -> T) -> T {
        let at = u128::from(self.draws.get(self.stream));
        if self.random.get_word_pos() != at {
            self.random.set_word_pos(at);
        }
        let drawn = draw(&mut self.random);
        self.draws.set(self.stream, u64::try_from(self.random.get_word_pos()).unwrap_or(u64::MAX));
        drawn
    }
}

/// The seed of a conversation's hash tables.
pub(super) fn hash_seed(seed: [u8; 32]) -> u128 {
    let mut bytes = [0; 16];
    seeded(seed, HASH_SEED).fill_bytes(&mut bytes);
    u128::from_le_bytes(bytes)
}

/// The numbers of the streams that are made of one seed, so that none repeats another.
fn number(stream: Stream) -> u64 {
    match stream {
        Stream::Secure => 0,
        Stream::Insecure => 1,
    }
}

const HASH_SEED: u64 = 2;

fn seeded(seed: [u8; 32], stream: u64) -> ChaCha20Rng {
    let mut random = ChaCha20Rng::from_seed(seed);
    random.set_stream(stream);
    random
}

impl TryRng for Dice {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.draw(ChaCha20Rng::next_u32))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.draw(ChaCha20Rng::next_u64))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.draw(|random| random.fill_bytes(bytes));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_passes_over_what_another_has_drawn_draws_the_same_from_there() {
        for words in [1, 3, 16, 63, 64, 65, 1000] {
            let (one, other) = (Arc::new(Draws::default()), Arc::new(Draws::default()));
            let mut first = Dice::new([7; 32], &one, Stream::Secure);
            let mut passed = vec![0; words * 4 - 1];
            first.fill_bytes(&mut passed);
            let mut second = Dice::new([7; 32], &other, Stream::Secure);
            other.skip_to(Stream::Secure, one.get(Stream::Secure));
            assert_eq!((first.next_u64(), first.next_u32()), (second.next_u64(), second.next_u32()), "{words}");
            assert_eq!(one.get(Stream::Secure), other.get(Stream::Secure));
        }
    }

    #[test]
    fn no_stream_repeats_another() {
        let draws = Arc::new(Draws::default());
        let [mut secure, mut insecure] =
            [Stream::Secure, Stream::Insecure].map(|stream| Dice::new([7; 32], &draws, stream));
        let drawn =
            [secure.next_u64(), insecure.next_u64(), u64::try_from(hash_seed([7; 32]) & u128::from(u64::MAX)).unwrap()];
        assert!(drawn[0] != drawn[1] && drawn[1] != drawn[2] && drawn[0] != drawn[2], "{drawn:?}");
    }
}
