//! Linear forms: affine expressions as multiples of some counters, and the rest.

use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, Context, Value};

/// Linear form in `N` counters: a multiple of each, and what is the same for all of their values.
#[derive(Clone, Copy)]
pub(super) struct LinearForm<const N: usize> {
    /// Factors of the counters.
    pub(super) factors: [i128; N],
    /// The rest, if it is a known number.
    pub(super) constant: Option<i128>,
}

impl<const N: usize> LinearForm<N> {
    /// The form of an expression over `operands`, the first `dims` of which are its dimensions and the others its symbols;
    /// operands other than the counters do not change with them. `None` if it is not linear in the counters.
    pub(super) fn of(
        ctx: &Context,
        expr: AffineExpr,
        dims: usize,
        operands: &[Value],
        counters: [Value; N],
    ) -> Option<LinearForm<N>> {
        let of_operand = |at: usize| {
            let value = operands.get(at)?;
            let factors = counters.map(|counter| i128::from(counter == *value));
            let constant = factors.contains(&1).then_some(0);
            Some(LinearForm { factors, constant })
        };
        expr.fold_parts(
            ctx,
            &mut |part, parts: Option<(Option<Self>, Option<Self>)>| match (part, parts) {
                (AffineExprKind::Dim(at), _) => of_operand(at as usize),
                (AffineExprKind::Symbol(at), _) => of_operand(dims.checked_add(at as usize)?),
                (AffineExprKind::Constant(value), _) => Some(LinearForm {
                    factors: [0; N],
                    constant: Some(value.into()),
                }),
                (AffineExprKind::Binary(op, ..), Some((left, right))) => {
                    let (left, right) = (left?, right?);
                    match (op, left.number(), right.number()) {
                        (AffineOp::Add, ..) => left.plus(&right),
                        (AffineOp::Mul, _, Some(by)) => left.times(by),
                        (AffineOp::Mul, Some(by), _) => right.times(by),
                        // Whatever it is, the counters do not change it.
                        _ if left.is_fixed() && right.is_fixed() => Some(LinearForm {
                            factors: [0; N],
                            constant: None,
                        }),
                        _ => None,
                    }
                }
                (AffineExprKind::Binary(..), None) => None,
            },
        )
    }

    fn is_fixed(&self) -> bool {
        self.factors == [0; N]
    }

    /// The value of a form that is a known number.
    fn number(&self) -> Option<i128> {
        self.constant.filter(|_| self.is_fixed())
    }

    fn plus(&self, other: &Self) -> Option<Self> {
        let mut sum = *self;
        for (factor, &more) in sum.factors.iter_mut().zip(&other.factors) {
            *factor = factor.checked_add(more)?;
        }
        sum.constant = match (self.constant, other.constant) {
            (Some(one), Some(more)) => Some(one.checked_add(more)?),
            _ => None,
        };
        Some(sum)
    }

    fn times(&self, by: i128) -> Option<Self> {
        let mut product = *self;
        for number in product.factors.iter_mut().chain(&mut product.constant) {
            *number = number.checked_mul(by)?;
        }
        Some(product)
    }
}
