//! What match results say: Elo differences with intervals, and the sequential probability ratio test.
//!
//! Both work on pairs of games from one opening with sides swapped, whose mean score takes one of five
//! values (hence "pentanomial"); pairs are independent where the two games of a pair are not.

mod scale;

use serde::{Deserialize, Serialize};

pub use scale::{Anchor, Pairing, Rating, rating_among, ratings};

/// The 97.5 % quantile of the normal distribution.
const Z_95: f64 = 1.959_963_985;

/// An Elo difference with a 95 % interval; `None` where the results allow any size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The difference that the score stands for.
    pub difference: Option<f64>,
    /// Lower end of the interval.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
    /// The interval of the score itself, in `[0, 1]`.
    pub score_interval: (f64, f64),
}

/// The Elo difference at which the expected score is `score`; `None` outside `(0, 1)`.
#[must_use]
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10())
}

/// The expected score at an Elo difference.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Mean and variance of pair scores, with half a pair won and half a pair lost added, so that a few equal
/// results do not look certain.
fn moments(pair_scores: &[f64]) -> (f64, f64) {
    let count = pair_scores.len() as f64 + 1.0;
    let mean = (pair_scores.iter().sum::<f64>() + 0.5) / count;
    let squares: f64 = pair_scores.iter().map(|score| (score - mean).powi(2)).sum();
    let added = 0.5 * mean.powi(2) + 0.5 * (1.0 - mean).powi(2);
    (mean, (squares + added) / count)
}

impl Elo {
    /// From the mean scores of pairs, each 0, ¼, ½, ¾ or 1.
    ///
    /// The interval is the normal one around the mean of the pairs with one pair of pseudo-results.
    #[must_use]
    pub fn from_pairs(pair_scores: &[f64]) -> Self {
        if pair_scores.is_empty() {
            return Self { difference: None, low: None, high: None, score_interval: (0.0, 1.0) };
        }
        let count = pair_scores.len() as f64;
        let score = pair_scores.iter().sum::<f64>() / count;
        let (mean, variance) = moments(pair_scores);
        let margin = Z_95 * (variance / (count + 1.0)).sqrt();
        let interval = ((mean - margin).max(0.0).min(score), (mean + margin).min(1.0).max(score));
        Self {
            difference: elo_of_score(score),
            low: elo_of_score(interval.0),
            high: elo_of_score(interval.1),
            score_interval: interval,
        }
    }
}

/// A mean or a share with a 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// What was measured.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// The mean of independent numbers with its normal interval, empty for fewer than two.
    #[must_use]
    pub fn mean(numbers: &[f64]) -> Self {
        let count = numbers.len().max(1) as f64;
        let value = numbers.iter().sum::<f64>() / count;
        let squares: f64 = numbers.iter().map(|number| (number - value).powi(2)).sum();
        let margin = Z_95 * (squares / (count - 1.0).max(1.0) / count).sqrt();
        Self { value, low: value - margin, high: value + margin }
    }

    /// A share of independent trials with Wilson's score interval (1927, equation for the limits of `p`).
    #[must_use]
    pub fn share(successes: u64, trials: u64) -> Self {
        let count = trials.max(1) as f64;
        let value = successes as f64 / count;
        let shrunk = 1.0 + Z_95.powi(2) / count;
        let centre = (value + Z_95.powi(2) / (2.0 * count)) / shrunk;
        let margin =
            Z_95 / shrunk * (value * (1.0 - value) / count + Z_95.powi(2) / (4.0 * count.powi(2))).sqrt();
        Self { value, low: (centre - margin).max(0.0), high: (centre + margin).min(1.0) }
    }
}

/// A sequential probability ratio test of Elo differences, errors of 5 % each way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The hypothesis to be refuted.
    pub elo0: f64,
    /// The hypothesis to be shown; above `elo0`.
    pub elo1: f64,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtVerdict {
    /// The difference is `elo1` or more.
    Passed,
    /// The difference is `elo0` or less.
    Failed,
    /// Too few games to say.
    Undecided,
}

impl SprtVerdict {
    /// The word in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Undecided => "undecided",
        }
    }
}

impl Sprt {
    /// The logarithm of the likelihood ratio, in the normal approximation of the generalised test
    /// (Van den Bergh, "A practical introduction to the GSPRT"): `n (s1 - s0)(2 m - s0 - s1) / (2 v)`.
    #[must_use]
    pub fn log_likelihood_ratio(&self, pair_scores: &[f64]) -> f64 {
        let (s0, s1) = (score_of_elo(self.elo0), score_of_elo(self.elo1));
        let (mean, variance) = moments(pair_scores);
        let count = pair_scores.len() as f64;
        count * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }

    /// The verdict so far (Wald's bounds).
    #[must_use]
    pub fn verdict(&self, pair_scores: &[f64]) -> SprtVerdict {
        const ERROR: f64 = 0.05;
        let bound = ((1.0 - ERROR) / ERROR).ln();
        match self.log_likelihood_ratio(pair_scores) {
            ratio if ratio >= bound => SprtVerdict::Passed,
            ratio if ratio <= -bound => SprtVerdict::Failed,
            _ => SprtVerdict::Undecided,
        }
    }
}

#[cfg(test)]
mod simulated;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, generator};

    /// The share of simulated matches in which the interval holds the true difference.
    #[test]
    fn intervals_cover_the_truth_as_often_as_they_say() {
        for (number, (elo, luck, pairs)) in
            [(0.0, 0.0, 50), (0.0, 0.3, 200), (60.0, 0.2, 100), (-200.0, 0.0, 100), (350.0, 0.1, 200)]
                .into_iter()
                .enumerate()
        {
            let mut rng = generator(11, Purpose::Rating, number as u64);
            let matches = 4_000;
            let covers = |elo: f64, found: Elo| {
                found.low.is_none_or(|low| low <= elo) && found.high.is_none_or(|high| elo <= high)
            };
            let covered = (0..matches)
                .filter(|_| covers(elo, Elo::from_pairs(&simulated::pair_scores(elo, luck, pairs, &mut rng))))
                .count();
            let share = covered as f64 / f64::from(matches);
            assert!((0.93..=0.97).contains(&share), "{share} at {elo} Elo, luck {luck}, {pairs} pairs");
        }
    }

    /// Both kinds of wrong verdicts, with the looks that a match takes, in 1,000 simulated matches each.
    #[test]
    fn the_sequential_test_errs_in_at_most_one_match_in_twenty() {
        for (number, (elo0, elo1)) in [(0.0, 20.0), (0.0, 50.0), (-30.0, 30.0)].into_iter().enumerate() {
            let sprt = Sprt { elo0, elo1 };
            for (truth, wrong) in [(elo0, SprtVerdict::Passed), (elo1, SprtVerdict::Failed)] {
                let mut rng = generator(12, Purpose::Rating, 2 * number as u64 + u64::from(truth == elo1));
                let mut errors = 0;
                for _ in 0..1_000 {
                    let mut scores = Vec::new();
                    let verdict = loop {
                        scores.extend(simulated::pair_scores(truth, 0.1, 8, &mut rng));
                        match sprt.verdict(&scores) {
                            SprtVerdict::Undecided => {}
                            verdict => break verdict,
                        }
                    };
                    errors += usize::from(verdict == wrong);
                }
                assert!(errors <= 50, "{errors} wrong verdicts at {truth} of {elo0} against {elo1}");
            }
        }
    }

    #[test]
    fn scores_and_differences_belong_together() {
        assert!((elo_of_score(0.75).unwrap() - 190.85).abs() < 0.01);
        assert!((score_of_elo(elo_of_score(0.3).unwrap()) - 0.3).abs() < 1e-12);
        assert_eq!(elo_of_score(1.0), None);
    }

    #[test]
    fn an_even_match_has_a_symmetric_interval_around_zero() {
        let elo = Elo::from_pairs(&[0.0, 1.0, 0.5, 0.5, 0.25, 0.75]);
        assert!(elo.difference.unwrap().abs() < 1e-9);
        assert!((elo.low.unwrap() + elo.high.unwrap()).abs() < 1e-9);
        assert!(elo.low.unwrap() < -50.0);
    }

    #[test]
    fn winning_everything_has_no_upper_end_but_a_lower_one() {
        let elo = Elo::from_pairs(&[1.0; 100]);
        assert_eq!((elo.difference, elo.high), (None, None));
        assert!(elo.score_interval.0 > 0.97 && elo.score_interval.0 < 0.99);
    }

    #[test]
    fn means_and_shares_have_their_textbook_intervals() {
        let mean = Estimate::mean(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        // Variance 2.5, standard error sqrt(0.5).
        assert!((mean.value - 3.0).abs() < 1e-12 && (mean.high - 3.0 - Z_95 * 0.5_f64.sqrt()).abs() < 1e-12);
        let share = Estimate::share(0, 10);
        // Wilson's upper limit of none in ten is z² / (n + z²).
        assert!(share.low.abs() < 1e-12 && (share.high - Z_95.powi(2) / (10.0 + Z_95.powi(2))).abs() < 1e-12);
        let half = Estimate::share(50, 100);
        assert!((half.low - 0.4038).abs() < 1e-4 && (half.high - 0.5962).abs() < 1e-4);
    }

    #[test]
    fn the_sequential_test_decides_clear_cases_both_ways() {
        let sprt = Sprt { elo0: 0.0, elo1: 50.0 };
        let good: Vec<f64> = (0..200).map(|i| [0.5, 0.75, 1.0, 0.5][i % 4]).collect();
        let bad: Vec<f64> = good.iter().map(|score| 1.0 - score).collect();
        assert_eq!(sprt.verdict(&good), SprtVerdict::Passed);
        assert_eq!(sprt.verdict(&bad), SprtVerdict::Failed);
        assert_eq!(sprt.verdict(&good[..2]), SprtVerdict::Undecided);
    }
}
