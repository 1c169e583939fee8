//! Index values with their ranges in each of several calls of a function.

use crate::affine::Expr;
use crate::generate::Generator;
use crate::program::{Bin, Var};

/// An index value of a function that is called several times.
#[derive(Clone)]
pub(super) struct Number {
    pub(super) var: Var,
    /// Least and greatest value in each call; the least is above the greatest where there is none.
    pub(super) ranges: Vec<[i64; 2]>,
    /// The value as an expression over counters of affine loops, if it is one.
    pub(super) expr: Option<Expr>,
}

impl Number {
    /// Whether the value exists in a call.
    pub(super) fn is_in(&self, call: usize) -> bool {
        let [low, high] = self.ranges[call];
        low <= high
    }

    /// Least and greatest value in all calls.
    pub(super) fn reach(&self) -> [i64; 2] {
        let lows = self.ranges.iter().map(|range| range[0]);
        let highs = self.ranges.iter().map(|range| range[1]);
        [lows.min().unwrap_or(0), highs.max().unwrap_or(0)]
    }

    /// Restricts the values of each call.
    pub(super) fn clip(&mut self, limit: impl Fn(usize) -> [i64; 2]) {
        for (call, range) in self.ranges.iter_mut().enumerate() {
            let [low, high] = limit(call);
            *range = [range[0].max(low), range[1].min(high)];
        }
    }
}

impl Generator {
    /// Emits a constant, as a number of functions that are called so often.
    pub(super) fn fixed(&mut self, value: i64, calls: usize) -> Number {
        Number {
            var: self.index(value),
            ranges: vec![[value; 2]; calls],
            expr: Some(Expr::Const(value)),
        }
    }

    /// Emits a sum, difference, product, quotient or remainder of numbers; the last two by positive constants.
    pub(super) fn of_numbers(&mut self, op: Bin, left: &Number, right: &Number) -> Number {
        let is_symmetric = matches!(op, Bin::AddI | Bin::MulI);
        let var = match is_symmetric && self.random.chance(50) {
            true => self.bin(op, right.var, left.var),
            false => self.bin(op, left.var, right.var),
        };
        let expr = match (op, &left.expr, &right.expr) {
            (Bin::AddI, Some(left), Some(Expr::Const(by))) => Some(left.clone().plus(*by)),
            (Bin::SubI, Some(left), Some(Expr::Const(by))) => Some(left.clone().plus(-by)),
            _ => None,
        };
        let pairs = left.ranges.iter().zip(&right.ranges);
        let ranges = pairs.map(|(&left, &right)| match op {
            // Nothing is known of what nothing is computed from.
            _ if left[0] > left[1] || right[0] > right[1] => [1, 0],
            Bin::AddI => [0, 1].map(|end| left[end].saturating_add(right[end])),
            Bin::SubI => [0, 1].map(|end| left[end].saturating_sub(right[1 - end])),
            Bin::MulI => ends(left, right, i64::saturating_mul),
            Bin::DivSI => ends(left, right, |x, y| x / y.max(1)),
            _ => [
                (1 - right[1]).max(left[0].min(0)),
                (right[1] - 1).min(left[1].max(0)),
            ],
        });
        let ranges = ranges.collect();
        Number { var, ranges, expr }
    }
}

/// The least and the greatest outcome for the ends of two ranges.
fn ends(left: [i64; 2], right: [i64; 2], op: impl Fn(i64, i64) -> i64) -> [i64; 2] {
    let all = left.map(|x| right.map(|y| op(x, y)));
    let all = [all[0][0], all[0][1], all[1][0], all[1][1]];
    let least = all.into_iter().fold(i64::MAX, i64::min);
    [least, all.into_iter().fold(i64::MIN, i64::max)]
}
