//! Sampling of run times.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// Statistics of repeated runs, in seconds.
#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize, Debug)]
pub struct Times {
    /// Median time.
    pub median: f64,
    /// Best time.
    pub best: f64,
    /// Spread: the interquartile range, relative to the median.
    pub spread: f64,
    /// Number of timed runs.
    pub runs: usize,
}

impl Times {
    /// Computes the statistics of run times; `None` for an empty list.
    pub fn of(mut seconds: Vec<f64>) -> Option<Self> {
        seconds.sort_by(f64::total_cmp);
        let last = seconds.len().checked_sub(1)?;
        // Interpolates linearly between the two nearest ranks.
        let quantile = |share: f64| {
            let place = share * last as f64;
            let low = place as usize;
            let high = (low + 1).min(last);
            seconds[low] + (seconds[high] - seconds[low]) * (place - low as f64)
        };
        let median = quantile(0.5);
        let width = quantile(0.75) - quantile(0.25);
        Some(Times {
            median,
            best: seconds[0],
            spread: if median > 0.0 { width / median } else { 0.0 },
            runs: seconds.len(),
        })
    }
}

/// Runner: performs one run and returns its time.
pub type Runner<'r> = &'r mut dyn FnMut() -> Result<Duration, String>;

/// Limit of the timed runs.
const MOST: usize = 400;

/// Minimal number of timed runs, unless they take several times the budget.
const LEAST: usize = 3;

/// Minimal length of a sample: shorter runs are repeated in a row, so that waiting for the device
/// is a small part of it.
const SAMPLE: Duration = Duration::from_millis(2);

/// Limit of the runs in one sample.
const MOST_IN_A_ROW: f64 = 256.0;

/// Returns the number of runs in a row that make a sample, if one takes `once`.
pub fn runs_of_sample(once: Duration) -> usize {
    let runs = SAMPLE.as_secs_f64() / once.as_secs_f64().max(1e-9);
    runs.ceil().clamp(1.0, MOST_IN_A_ROW) as usize
}

/// Sampling runner: `run` performs a given number of runs in a row, and the sample is their mean.
/// The first call makes one run and determines the number.
pub fn sampled<'r>(
    mut run: impl FnMut(usize) -> Result<Duration, String> + 'r,
) -> impl FnMut() -> Result<Duration, String> + 'r {
    let mut count = None;
    move || match count {
        None => {
            let once = run(1)?;
            count = Some(runs_of_sample(once));
            Ok(once)
        }
        Some(count) => Ok(run(count)?.div_f64(count as f64)),
    }
}

/// Times runners in interleaved rounds, so that other load of the machine affects all alike; each
/// runs once untimed before. Rounds end when `budget` is spent.
///
/// # Errors
/// A run failed.
pub fn interleaved(runners: &mut [Runner<'_>], budget: Duration) -> Result<Vec<Times>, String> {
    let start = Instant::now();
    let mut seconds = vec![Vec::new(); runners.len()];
    for run in runners.iter_mut() {
        run()?;
    }
    for round in 0..MOST {
        let spent = start.elapsed();
        if round > 0 && spent > budget && (round >= LEAST || spent > 3 * budget) {
            break;
        }
        for (run, seconds) in runners.iter_mut().zip(&mut seconds) {
            seconds.push(run()?.as_secs_f64());
        }
    }
    Ok(seconds.into_iter().filter_map(Times::of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_known_times() {
        let times = Times::of(vec![4.0, 1.0, 3.0, 2.0, 5.0]).unwrap();
        // Quartiles 2 and 4 around 3.
        assert_eq!((times.median, times.best, times.runs), (3.0, 1.0, 5));
        assert!((times.spread - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(Times::of(vec![]), None);
        assert_eq!(Times::of(vec![2.0]).unwrap().spread, 0.0);
    }

    #[test]
    fn samples_of_short_runs_are_means_of_several() {
        let counts = std::cell::RefCell::new(Vec::new());
        let mut run = sampled(|count| {
            counts.borrow_mut().push(count);
            Ok(Duration::from_micros(300) * count as u32)
        });
        for _ in 0..3 {
            assert_eq!(run(), Ok(Duration::from_micros(300)));
        }
        drop(run);
        // Seven runs are the first to take two milliseconds.
        assert_eq!(*counts.borrow(), [1, 7, 7]);
        assert_eq!(runs_of_sample(Duration::from_secs(1)), 1);
        assert_eq!(runs_of_sample(Duration::ZERO), 256);
    }

    #[test]
    fn runners_take_turns() {
        let order = std::cell::RefCell::new(String::new());
        let mut a = || {
            order.borrow_mut().push('a');
            Ok(Duration::from_secs(1))
        };
        let mut b = || {
            order.borrow_mut().push('b');
            Ok(Duration::from_secs(2))
        };
        let times = interleaved(&mut [&mut a, &mut b], Duration::ZERO).unwrap();
        assert_eq!((times[0].best, times[1].best), (1.0, 2.0));
        assert!(order.borrow().starts_with("abab"));
    }
}
