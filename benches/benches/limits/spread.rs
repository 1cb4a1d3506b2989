//! A measurement, as often as it was made.

use std::fmt;
use std::time::Instant;

/// What each batch took for one call, in nanoseconds, sorted.
pub(crate) struct Spread(Vec<f64>);

impl Spread {
    pub(crate) fn median(&self) -> f64 {
        self.quantile(1, 2)
    }

    fn quantile(&self, part: usize, of: usize) -> f64 {
        self.0[(self.0.len() - 1) * part / of]
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [median, low, high] = [(1, 2), (1, 4), (3, 4)].map(|(part, of)| self.quantile(part, of) / 1000.0);
        write!(f, "{median:.2} µs ({low:.2} to {high:.2})")
    }
}

/// Makes `batch` calls of each of the ways, in turns. The first turn warms up and does not count.
pub(crate) fn in_turns<W>(turns: usize, batch: u32, ways: &[W], call: impl Fn(&W)) -> Vec<Spread> {
    let mut spreads: Vec<Spread> = ways.iter().map(|_| Spread(Vec::with_capacity(turns))).collect();
    for turn in 0..=turns {
        for (way, Spread(times)) in ways.iter().zip(&mut spreads) {
            let start = Instant::now();
            (0..batch).for_each(|_| call(way));
            let time = start.elapsed().as_secs_f64() * 1e9 / f64::from(batch);
            if turn > 0 {
                times.push(time);
            }
        }
    }
    for Spread(times) in &mut spreads {
        times.sort_by(f64::total_cmp);
    }
    spreads
}
