//! Comparison of two runs: whether their outcomes agree.

use gridloom_dialects::arith;
use gridloom_interp::ScalarKind;
use gridloom_ir::scalar::FloatFormat;
use gridloom_ir::{Body, Context, Value};

use crate::execution::Outcome;
use crate::host_value::HostValue;

/// Tolerance of a comparison of floating-point values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Tolerance {
    /// No tolerance: equal bits, so that zeros of different sign differ; but every NaN equals every
    /// other, since operations do not specify which one they give.
    Exact,
    /// Differences that contraction and another order of summation can explain: a few hundred units
    /// in the last place of the format, or for running sums of single and double precision the
    /// square root of the longest argument's length, relative to the larger of the element and the
    /// root mean square of its array; and where a result has fewer elements than some argument, the
    /// error of sums of that length.
    ///
    /// A sum of `n` terms `x`, in any order, has an error of at most
    /// `n * eps * Σ|x|`, and one near `√n * eps * Σ|x|` where roundings are
    /// independent (N. Higham and T. Mary, "A new approach to probabilistic
    /// rounding error analysis", 2019). Here `Σ|x|` is not known; the roundings
    /// of a sum whose terms have random signs are of partial sums near `√n |x|`,
    /// so that `4 * n * eps * |x|` is allowed beside what is relative to the
    /// result, with the root mean square of the arguments for `|x|`. Subnormal numbers of single and
    /// double precision equal zero, for which drivers may take them.
    Relaxed {
        /// Elements of the largest argument.
        longest: usize,
        /// The greatest root mean square of an argument's elements.
        magnitude: f64,
        /// Whether the program computes in single precision or less, too: what it then computes in double precision may
        /// have the errors of that.
        single: bool,
    },
}

impl Tolerance {
    /// Creates [`Tolerance::Relaxed`] for a program with these arguments, which [computes in single
    /// precision](computes_in_single) or not.
    pub fn relaxed(inputs: &[HostValue], single: bool) -> Self {
        let longest = inputs.iter().map(|value| value.elements.len()).max();
        let floats = inputs.iter().filter(|value| is_float(value));
        Tolerance::Relaxed {
            longest: longest.unwrap_or(0),
            magnitude: floats.map(root_mean_square).fold(0.0, f64::max),
            single,
        }
    }
}

/// Whether an operation of a program computes with floats of single precision or less, conversions apart.
pub fn computes_in_single(ctx: &Context, program: &Body) -> bool {
    program.walk().into_iter().any(|op| {
        let data = &program[op];
        let is_sum = [
            arith::ADDF,
            arith::SUBF,
            arith::MULF,
            arith::DIVF,
            arith::REMF,
        ];
        let name = ctx.op_name_str(data.name);
        let computes = is_sum.contains(&data.name)
            || name.starts_with("math.")
            || name.starts_with("complex.");
        let mut operands = data.operands.iter();
        let is_single = |&value: &Value| {
            let ty = program.ty(value);
            // A vector may have complex elements.
            let ty = ty.element(ctx).unwrap_or(ty);
            let kind = ty.element(ctx).unwrap_or(ty).float_kind(ctx);
            kind.is_some_and(|kind| kind.width() <= 32)
        };
        computes && operands.any(is_single)
            || data
                .isolated()
                .is_some_and(|inner| computes_in_single(ctx, inner))
    })
}

fn is_float(value: &HostValue) -> bool {
    !matches!(value.kind(), ScalarKind::Int(_))
}

/// The root mean square of the finite elements.
fn root_mean_square(value: &HostValue) -> f64 {
    let squares = value.elements.iter();
    let squares = squares.map(|bits| value.kind().to_f64(bits).powi(2));
    let finite: Vec<f64> = squares.filter(|square| square.is_finite()).collect();
    (finite.iter().sum::<f64>() / finite.len().max(1) as f64).sqrt()
}

/// Slack: the distance that two elements may have.
#[derive(Clone, Copy)]
struct Slack {
    /// Slack relative to the larger element.
    relative: f64,
    /// Lower limit of the magnitude that the slack is relative to.
    scale: f64,
    /// Absolute slack.
    absolute: f64,
}

/// Describes the first difference of two outcomes.
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
        // The number of a complex element, from that of its part.
        let at = at / got.parts();
        let shown = |value: &HostValue| {
            value
                .show_element(at)
                .unwrap_or_else(|| "missing".to_owned())
        };
        let index = subscript(at, got.shape.as_deref().unwrap_or(&[]));
        Some(format!(
            "{name}{index} is {} and should be {} ({count} of {} elements differ)",
            shown(got),
            shown(want),
            got.count()
        ))
    })
}

/// The first differing element, and the number of differing ones.
fn difference(got: &HostValue, want: &HostValue, tolerance: Tolerance) -> Option<(usize, usize)> {
    if got.elements.len() != want.elements.len() {
        return Some((0, got.elements.len().max(want.elements.len())));
    }
    let slack = slack(want, tolerance);
    let differs = |(a, b): (u64, u64)| !same(got.kind(), a, b, slack);
    let pairs = || got.elements.iter().zip(want.elements.iter());
    let first = pairs().position(differs)?;
    let parts = got.parts();
    // Both parts of a complex number count as one element.
    let mut elements: Vec<usize> = (pairs().enumerate())
        .filter(|&(_, pair)| differs(pair))
        .map(|(at, _)| at / parts)
        .collect();
    elements.dedup();
    Some((first, elements.len()))
}

/// Whether two elements are equal, or differ by no more than the slack; without slack their bits
/// have to be equal.
fn same(kind: ScalarKind, a: u64, b: u64, slack: Option<Slack>) -> bool {
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
    let Some(slack) = slack else {
        return false;
    };
    let relative = slack.relative * a.abs().max(b.abs()).max(slack.scale);
    a == b || (a - b).abs() <= relative + slack.absolute
}

/// The slack of a value's elements; `None` where bits are compared.
fn slack(want: &HostValue, tolerance: Tolerance) -> Option<Slack> {
    let format = want.kind().float_format()?;
    let Tolerance::Relaxed {
        longest,
        magnitude,
        single,
    } = tolerance
    else {
        return None;
    };
    let coarse = ScalarKind::F32.float_format().filter(|_| single);
    let epsilon = coarse
        .map_or(0.0, FloatFormat::epsilon)
        .max(format.epsilon());
    // A running sum has as many terms as there are elements; its roundings, of partial sums about
    // as large as itself, add up like those of a random walk. In narrow formats that would accept
    // anything.
    let units: f64 = match format.is_narrow() {
        true => 4.0,
        false => (longest as f64).sqrt().max(256.0),
    };
    // Terms of each sum, if all elements of the argument are distributed over the result.
    let terms = longest / want.elements.len().max(1);
    let terms = if terms > 1 { terms as f64 } else { 0.0 };
    // Drivers may flush subnormal floats to zero.
    let flushed = match format.is_narrow() {
        true => 0.0,
        false => format.least_normal(),
    };
    Some(Slack {
        relative: (units + 4.0 * terms.sqrt()) * epsilon,
        scale: root_mean_square(want),
        absolute: 4.0 * terms * epsilon * magnitude + flushed,
    })
}

/// Formats the subscript `[i, j]` of a row-major position.
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
    use crate::elements::Elements;

    #[test]
    fn relaxed_comparisons_take_subnormal_numbers_for_zeros() {
        let ctx = gridloom_dialects::context();
        let value = |x: f32| HostValue {
            ty: ctx.float_type(gridloom_ir::types::FloatKind::F32),
            unsigned: false,
            complex: false,
            shape: None,
            elements: Elements::from_bits(ScalarKind::F32, vec![u64::from(x.to_bits())]),
        };
        let differ = |a, b, tolerance| difference(&value(a), &value(b), tolerance).is_some();
        let relaxed = Tolerance::relaxed(&[], false);
        assert!(!differ(0.0, 1.0e-40, relaxed));
        assert!(differ(0.0, 1.0e-36, relaxed));
        assert!(differ(0.0, 1.0e-40, Tolerance::Exact));
    }

    #[test]
    fn doubles_are_as_exact_as_what_they_are_computed_from() {
        let differs = |text: &str| {
            let ctx = crate::context();
            let module = crate::parse(&ctx, "program.mlir", text.as_bytes());
            let single = computes_in_single(&ctx, module.expect("it parses").body());
            let value = |x: f64| HostValue {
                ty: ctx.float_type(gridloom_ir::types::FloatKind::F64),
                unsigned: false,
                complex: false,
                shape: None,
                elements: Elements::from_bits(ScalarKind::F64, vec![x.to_bits()]),
            };
            let tolerance = Tolerance::relaxed(&[], single);
            difference(&value(1.0), &value(1.000_001), tolerance).is_some()
        };
        let function = |op: &str| {
            format!("func.func @f(%x: f32, %y: f64, %z: complex<f32>) {{ %r = {op}\n return }}")
        };
        assert!(!differs(&function("arith.mulf %x, %x : f32")));
        assert!(!differs(&function("math.exp %x : f32")));
        assert!(!differs(&function("complex.mul %z, %z : complex<f32>")));
        assert!(differs(&function("arith.mulf %y, %y : f64")));
        assert!(differs(&function("arith.extf %x : f32 to f64")));
    }

    #[test]
    fn exact_means_the_same_bits_but_for_nans() {
        let bits = |x: f32| u64::from(x.to_bits());
        let exactly = |a, b| same(ScalarKind::F32, a, b, None);
        assert!(exactly(bits(1.5), bits(1.5)));
        assert!(!exactly(bits(0.0), bits(-0.0)));
        assert!(exactly(bits(f32::NAN), 0xffc0_0001));
        assert!(!exactly(bits(f32::NAN), bits(f32::INFINITY)));
        let slack = Slack {
            relative: 1e-6,
            scale: 0.0,
            absolute: 0.0,
        };
        let nearly = |a, b| same(ScalarKind::F32, a, b, Some(slack));
        assert!(nearly(bits(0.0), bits(-0.0)));
        assert!(!nearly(bits(1.0), bits(1.1)));
    }

    #[test]
    fn a_sum_may_be_off_by_the_roundings_of_its_terms_and_no_more() {
        let ctx = gridloom_dialects::context();
        let value = |elements: Vec<f32>| HostValue {
            ty: ctx.index_type(),
            unsigned: false,
            complex: false,
            shape: Some(vec![elements.len() as i64]),
            elements: Elements::from_bits(
                ScalarKind::F32,
                elements.iter().map(|x| u64::from(x.to_bits())),
            ),
        };
        let terms = vec![0.5f32; 1000];
        let tolerance = Tolerance::relaxed(&[value(terms)], true);
        let differs = |got: f32, want: f32| {
            difference(&value(vec![got]), &value(vec![want]), tolerance).is_some()
        };
        // Cancellation leaves little of terms of 0.5.
        assert!(!differs(1.0e-5, 4.0e-5));
        // One term more or less.
        assert!(differs(0.5, 0.0) && differs(500.0, 499.5));
        // Another array as long as the argument sums nothing up.
        let long = |x: f32| value(vec![x; 1000]);
        assert!(difference(&long(1.0), &long(1.0001), tolerance).is_some());
    }
}
