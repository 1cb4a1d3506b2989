//! A measurement, as often as it was made.

/// A number, measured again and again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples(Vec<f64>);

impl Samples {
    /// Takes one more in.
    pub(crate) fn push(&mut self, sample: f64) {
        self.0.push(sample);
        self.0.sort_by(f64::total_cmp);
    }

    /// The one in the middle; 0 where there is none.
    pub(crate) fn median(&self) -> f64 {
        self.0.get(self.0.len() / 2).copied().unwrap_or_default()
    }

    /// The smallest and the greatest.
    pub(crate) fn range(&self) -> (f64, f64) {
        (self.0.first().copied().unwrap_or_default(), self.0.last().copied().unwrap_or_default())
    }
}

impl FromIterator<f64> for Samples {
    fn from_iter<I: IntoIterator<Item = f64>>(samples: I) -> Self {
        let mut samples: Vec<f64> = samples.into_iter().collect();
        samples.sort_by(f64::total_cmp);
        Self(samples)
    }
}
