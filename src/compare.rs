//! Whether two runs gave the same.

use gridloom_interp::ScalarKind;

use crate::execution::Outcome;
use crate::program::HostValue;

/// How far floating-point values may be apart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Tolerance {
    /// Not at all: the same bits, so that zeros of different sign differ; but
    /// every NaN equals every other, as no operation promises which it gives.
    Exact,
    /// As contraction and another order of summation can explain: a few
    /// hundred units in the last place of the format, relative to the larger
    /// of the element and the root mean square of its array.
    Relaxed,
}

/// The first difference of two outcomes, in words.
pub fn first_difference(got: &Outcome, want: &Outcome, tolerance: Tolerance) -> Option<String> {
    let named = |list: &[HostValue], what: &str| -> Vec<String> {
        (0..list.len())
            .map(|number| format!("{what} {number}"))
            .collect()
    };
    let names = named(&got.arguments, "argument")
        .into_iter()
        .chain(named(&got.results, "result"));
    let got = got.arguments.iter().chain(&got.results);
    let want = want.arguments.iter().chain(&want.results);
    names.zip(got.zip(want)).find_map(|(name, (got, want))| {
        let (at, count) = difference(got, want, tolerance)?;
        let shown = |value: &HostValue| match value.elements.get(at) {
            Some(&bits) => value.show(bits),
            None => "missing".to_owned(),
        };
        let index = subscript(at, got.shape.as_deref().unwrap_or(&[]));
        Some(format!(
            "{name}{index} is {} and should be {} ({count} of {} elements differ)",
            shown(got),
            shown(want),
            got.elements.len()
        ))
    })
}

/// The first differing element and how many there are.
fn difference(got: &HostValue, want: &HostValue, tolerance: Tolerance) -> Option<(usize, usize)> {
    if got.elements.len() != want.elements.len() {
        return Some((0, got.elements.len().max(want.elements.len())));
    }
    let slack = slack(want, tolerance);
    let differs = |(a, b): (&u64, &u64)| !same(got.kind, *a, *b, slack);
    let pairs = || got.elements.iter().zip(&want.elements);
    let first = pairs().position(differs)?;
    Some((first, pairs().filter(|&pair| differs(pair)).count()))
}

/// Whether two elements are equal, or as near as the slack allows; without
/// slack their bits are compared.
fn same(kind: ScalarKind, a: u64, b: u64, slack: Option<(f64, f64)>) -> bool {
    if a == b {
        return true;
    }
    if matches!(kind, ScalarKind::Int(_)) {
        return false;
    }
    let (a, b) = (kind.to_f64(a), kind.to_f64(b));
    if a.is_nan() || b.is_nan() {
        return a.is_nan() && b.is_nan();
    }
    let Some((relative, scale)) = slack else {
        return false;
    };
    a == b || (a - b).abs() <= relative * a.abs().max(b.abs()).max(scale)
}

/// Relative tolerance, and the magnitude it is relative to at least; none
/// where bits are compared.
fn slack(want: &HostValue, tolerance: Tolerance) -> Option<(f64, f64)> {
    let epsilon = match want.kind {
        ScalarKind::F64 => f64::EPSILON,
        ScalarKind::F32 => f32::EPSILON.into(),
        ScalarKind::F16 => 2f64.powi(-10),
        ScalarKind::BF16 => 2f64.powi(-7),
        ScalarKind::Int(_) => return None,
    };
    if tolerance == Tolerance::Exact {
        return None;
    }
    let squares = want
        .elements
        .iter()
        .map(|&bits| want.kind.to_f64(bits).powi(2));
    let finite: Vec<f64> = squares.filter(|square| square.is_finite()).collect();
    let mean = finite.iter().sum::<f64>() / finite.len().max(1) as f64;
    let units = match want.kind {
        ScalarKind::F16 | ScalarKind::BF16 => 4.0,
        _ => 256.0,
    };
    Some((units * epsilon, mean.sqrt()))
}

/// `[i, j]` of a row-major position.
fn subscript(at: usize, shape: &[i64]) -> String {
    if shape.is_empty() {
        return String::new();
    }
    let mut rest = at as i64;
    let mut index: Vec<String> = Vec::new();
    for &size in shape.iter().rev() {
        index.push((rest % size.max(1)).to_string());
        rest /= size.max(1);
    }
    index.reverse();
    format!("[{}]", index.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_means_the_same_bits_but_for_nans() {
        let bits = |x: f32| u64::from(x.to_bits());
        let exactly = |a, b| same(ScalarKind::F32, a, b, None);
        assert!(exactly(bits(1.5), bits(1.5)));
        assert!(!exactly(bits(0.0), bits(-0.0)));
        assert!(exactly(bits(f32::NAN), 0xffc0_0001));
        assert!(!exactly(bits(f32::NAN), bits(f32::INFINITY)));
        let nearly = |a, b| same(ScalarKind::F32, a, b, Some((1e-6, 0.0)));
        assert!(nearly(bits(0.0), bits(-0.0)));
        assert!(!nearly(bits(1.0), bits(1.1)));
    }
}
