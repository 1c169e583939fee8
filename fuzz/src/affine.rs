//! Affine expressions over values.

use crate::program::Var;

/// An affine expression whose leaves are values.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)] // the variants are MLIR's
pub enum Expr {
    Const(i64),
    Dim(Var),
    Sym(Var),
    Add(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
    Mod(Box<Expr>, Box<Expr>),
    FloorDiv(Box<Expr>, Box<Expr>),
    CeilDiv(Box<Expr>, Box<Expr>),
}

/// Value of an expression on a 64-bit machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wrapped {
    /// The value, wrapped to 64 bits.
    pub value: i64,
    /// Whether the value differs from the mathematical one.
    pub wrapped: bool,
    /// Sum of the magnitudes of the terms: no partial sum of the terms, in whatever order and
    /// however multiplied out, is larger.
    pub weight: u128,
}

/// Limit of the weight of a dividend of several terms. MLIR reorders the terms of a dividend, and
/// puts applications into one another, as if they had no limits; below this, none of that wraps.
pub const MAX_WEIGHT: u128 = 1 << 59;

impl Wrapped {
    /// Whether the terms of `expr`, which has this value, may be reordered in a dividend. A single
    /// value has no other order.
    pub fn is_movable(&self, expr: &Expr) -> bool {
        let is_alone = matches!(expr, Expr::Const(_) | Expr::Dim(_) | Expr::Sym(_));
        is_alone || self.weight <= MAX_WEIGHT
    }
}

/// Reason why an expression has no value.
pub type NoValue = &'static str;

impl Expr {
    /// The expression `self + constant`.
    pub fn plus(self, constant: i64) -> Expr {
        match constant {
            0 => self,
            _ => Expr::Add(Box::new(self), Box::new(Expr::Const(constant))),
        }
    }

    /// The expression `self * constant`.
    pub fn times(self, constant: i64) -> Expr {
        Expr::Mul(Box::new(self), Box::new(Expr::Const(constant)))
    }

    /// Calls `f` on the values that the expression uses.
    pub fn uses(&mut self, f: &mut impl FnMut(&mut Var)) {
        match self {
            Expr::Const(_) => {}
            Expr::Dim(var) | Expr::Sym(var) => f(var),
            _ => self
                .parts_mut()
                .into_iter()
                .for_each(|part| part.uses_dyn(f)),
        }
    }

    // The recursion goes through a trait object: a closure of closures of … has no finite type.
    fn uses_dyn(&mut self, f: &mut dyn FnMut(&mut Var)) {
        match self {
            Expr::Dim(var) | Expr::Sym(var) => f(var),
            _ => self
                .parts_mut()
                .into_iter()
                .for_each(|part| part.uses_dyn(f)),
        }
    }

    /// The operands of an operation.
    pub fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Expr::Const(_) | Expr::Dim(_) | Expr::Sym(_) => Vec::new(),
            Expr::Add(a, b)
            | Expr::Mul(a, b)
            | Expr::Mod(a, b)
            | Expr::FloorDiv(a, b)
            | Expr::CeilDiv(a, b) => vec![a, b],
        }
    }

    /// Evaluates the expression. Sums and products wrap, which is a ring and survives
    /// reassociation; a division of a wrapped value, or of one that wraps in another order, has no
    /// value, since MLIR lets a compiler assume the mathematical one.
    ///
    /// # Errors
    /// The undefined behaviour, by MLIR's documents.
    pub fn eval(
        &self,
        value: &mut dyn FnMut(Var) -> Result<i64, NoValue>,
    ) -> Result<Wrapped, NoValue> {
        let exact = |value| Wrapped {
            value,
            wrapped: false,
            weight: value.unsigned_abs().into(),
        };
        let (dividend, a, b) = match self {
            Expr::Const(constant) => return Ok(exact(*constant)),
            Expr::Dim(var) | Expr::Sym(var) => return Ok(exact(value(*var)?)),
            Expr::Add(a, b)
            | Expr::Mul(a, b)
            | Expr::Mod(a, b)
            | Expr::FloorDiv(a, b)
            | Expr::CeilDiv(a, b) => (&**a, a.eval(value)?, b.eval(value)?),
        };
        let (x, y) = (i128::from(a.value), i128::from(b.value));
        let wide = match self {
            Expr::Add(..) => x + y,
            Expr::Mul(..) => x * y,
            _ if a.wrapped || b.wrapped => return Err("division of what has wrapped"),
            _ if !a.is_movable(dividend) => return Err("division of what may wrap"),
            _ if y <= 0 => return Err("affine division by what is not positive"),
            Expr::Mod(..) => ((x % y) + y) % y,
            Expr::FloorDiv(..) => (x - (((x % y) + y) % y)) / y,
            _ => (x + ((((-x) % y) + y) % y)) / y,
        };
        let weight = match self {
            Expr::Add(..) => a.weight.saturating_add(b.weight),
            Expr::Mul(..) => a.weight.saturating_mul(b.weight),
            // x mod y is x - x floordiv y * y.
            Expr::Mod(..) => a.weight.saturating_mul(2),
            _ => a.weight,
        };
        Ok(Wrapped {
            value: wide as i64,
            weight,
            wrapped: a.wrapped || b.wrapped || i64::try_from(wide).is_err(),
        })
    }
}
