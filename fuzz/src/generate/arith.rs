//! Generation of scalar values: constants, loads, arithmetic and conversions.

use super::{Generator, MemVar};
use crate::program::{Bin, Cast, FloatPred, IntPred, Op, Var};
use crate::scalar;
use crate::types::{Scalar, Type};

const INT_OPS: [Bin; 11] = [
    Bin::AddI,
    Bin::SubI,
    Bin::MulI,
    Bin::AndI,
    Bin::OrI,
    Bin::XorI,
    Bin::MinSI,
    Bin::MaxSI,
    Bin::MinUI,
    Bin::MaxUI,
    Bin::AddI,
];
const DIVISIONS: [Bin; 6] = [
    Bin::DivSI,
    Bin::DivUI,
    Bin::FloorDivSI,
    Bin::CeilDivSI,
    Bin::RemSI,
    Bin::RemUI,
];
const SHIFTS: [Bin; 3] = [Bin::ShlI, Bin::ShrSI, Bin::ShrUI];
const FLOAT_OPS: [Bin; 8] = [
    Bin::AddF,
    Bin::AddF,
    Bin::SubF,
    Bin::MulF,
    Bin::MulF,
    Bin::DivF,
    Bin::MaximumF,
    Bin::MinimumF,
];
const INT_PREDS: [IntPred; 10] = [
    IntPred::Eq,
    IntPred::Ne,
    IntPred::Slt,
    IntPred::Sle,
    IntPred::Sgt,
    IntPred::Sge,
    IntPred::Ult,
    IntPred::Ule,
    IntPred::Ugt,
    IntPred::Uge,
];
const FLOAT_PREDS: [FloatPred; 14] = [
    FloatPred::Oeq,
    FloatPred::Ogt,
    FloatPred::Oge,
    FloatPred::Olt,
    FloatPred::Ole,
    FloatPred::One,
    FloatPred::Ord,
    FloatPred::Ueq,
    FloatPred::Ugt,
    FloatPred::Uge,
    FloatPred::Ult,
    FloatPred::Ule,
    FloatPred::Une,
    FloatPred::Uno,
];
const SPECIAL_FLOATS: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    -1.5,
    0.1,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    1e10,
    -1e10,
    3e38,
    1e-40,
    6e-8,
    2147483648.0,
    255.5,
];

impl Generator {
    /// Draws the bits of a value of this type: small numbers and edge cases.
    pub(super) fn bits(&mut self, ty: Scalar) -> u64 {
        let common = self.random.chance(65);
        if ty.is_float() {
            let value = if common {
                self.random.between(-20, 20) as f64 / 2.0
            } else {
                *self.random.pick(&SPECIAL_FLOATS)
            };
            return scalar::from_f64(value, ty);
        }
        let least = 1u64 << (ty.width() - 1);
        let value = match self.random.below(7) {
            _ if common => self.random.between(-4, 12) as u64,
            0 => least,
            1 => least.wrapping_sub(1),
            2 => u64::MAX,
            3 => u64::MAX << 1,
            4 => 0,
            5 => 1 << 31,
            _ => self.random.bits(),
        };
        value & ty.mask()
    }

    /// A value of this type.
    pub(super) fn value(&mut self, ty: Scalar, depth: usize) -> Var {
        let known: Vec<Var> = self
            .scalars
            .iter()
            .filter(|known| known.ty == ty)
            .map(|known| known.var)
            .collect();
        let loadable: Vec<MemVar> = self
            .mems
            .iter()
            .filter(|mem| is_loadable(mem, ty))
            .cloned()
            .collect();
        for _ in 0..4 {
            match self.random.below(13) {
                0..3 if !known.is_empty() => {
                    let recent = self.random.below(known.len().min(5));
                    return known[known.len() - 1 - recent];
                }
                3..7 if !loadable.is_empty() => {
                    let mem = self.random.pick(&loadable).clone();
                    let at = self.place(&mem.sizes);
                    return self.scalar(Op::Load { mem: mem.var, at }, ty);
                }
                7 => break,
                8..11 if depth > 0 => return self.arithmetic(ty, depth - 1),
                11.. if depth > 0 => return self.conversion(ty, depth - 1),
                _ => {}
            }
        }
        let bits = self.bits(ty);
        self.scalar(Op::Const(bits), ty)
    }

    fn arithmetic(&mut self, ty: Scalar, depth: usize) -> Var {
        if ty == Scalar::I1 && self.random.chance(70) {
            return self.comparison(depth);
        }
        if self.random.chance(12) {
            let cond = self.value(Scalar::I1, depth);
            let (a, b) = (self.value(ty, depth), self.value(ty, depth));
            return self.scalar(Op::Select(cond, a, b), ty);
        }
        let a = self.value(ty, depth);
        if ty.is_float() {
            if self.random.chance(10) {
                return self.scalar(Op::NegF(a), ty);
            }
            let b = self.value(ty, depth);
            let op = *self.random.pick(&FLOAT_OPS);
            return self.scalar(Op::Bin(op, a, b), ty);
        }
        if ty != Scalar::I1 && self.random.chance(15) {
            let divisor = self.divisor(ty, depth);
            let op = *self.random.pick(&DIVISIONS);
            return self.scalar(Op::Bin(op, a, divisor), ty);
        }
        if ty != Scalar::I1 && self.random.chance(12) {
            let amount = self.value(ty, depth);
            let mask = self.scalar(Op::Const(u64::from(ty.width() - 1)), ty);
            let amount = self.scalar(Op::Bin(Bin::AndI, amount, mask), ty);
            let op = *self.random.pick(&SHIFTS);
            return self.scalar(Op::Bin(op, a, amount), ty);
        }
        let b = self.value(ty, depth);
        let op = *self.random.pick(&INT_OPS);
        self.scalar(Op::Bin(op, a, b), ty)
    }

    /// Draws a non-zero value: a constant, or an odd number.
    fn divisor(&mut self, ty: Scalar, depth: usize) -> Var {
        if self.random.chance(50) {
            let value = *self.random.pick(&[1i64, 2, 3, 4, 7, 8, -2, -3]);
            return self.scalar(Op::Const(value as u64 & ty.mask()), ty);
        }
        let value = self.value(ty, depth);
        let one = self.scalar(Op::Const(1), ty);
        self.scalar(Op::Bin(Bin::OrI, value, one), ty)
    }

    fn comparison(&mut self, depth: usize) -> Var {
        let ty = self.any_scalar();
        let (a, b) = (self.value(ty, depth), self.value(ty, depth));
        let op = if ty.is_float() {
            Op::CmpF(*self.random.pick(&FLOAT_PREDS), a, b)
        } else {
            Op::CmpI(*self.random.pick(&INT_PREDS), a, b)
        };
        self.scalar(op, Scalar::I1)
    }

    fn conversion(&mut self, to: Scalar, depth: usize) -> Var {
        let from = match self.random.below(4) {
            0 => Scalar::Index,
            1 => self.preferred_element,
            _ => *self.random.pick(&Scalar::ALL),
        };
        let Some(cast) = self.cast_between(from, to) else {
            return self.value(to, depth);
        };
        let value = if from == Scalar::Index && self.random.chance(50) {
            let exprs: Vec<_> = (0..1 + self.random.below(2))
                .map(|_| self.expr(1))
                .collect();
            match &exprs[..] {
                [one] => self.apply(one.clone()),
                _ => {
                    let max = self.random.chance(50);
                    self.scalar(Op::Extremum { max, exprs }, from)
                }
            }
        } else {
            self.value(from, depth)
        };
        self.scalar(Op::Cast(cast, value), to)
    }

    fn cast_between(&mut self, from: Scalar, to: Scalar) -> Option<Cast> {
        let either = |this: &mut Self, a, b| if this.random.chance(50) { a } else { b };
        let (narrow, wide) = (from.width(), to.width());
        Some(match (from, to) {
            _ if from == to => return None,
            (Scalar::Index, _) | (_, Scalar::Index) if !from.is_float() && !to.is_float() => {
                either(self, Cast::IndexCast, Cast::IndexCastUI)
            }
            (Scalar::Index, _) | (_, Scalar::Index) => return None,
            _ if from.is_float() && to.is_float() => match narrow.cmp(&wide) {
                std::cmp::Ordering::Less => Cast::ExtF,
                std::cmp::Ordering::Greater => Cast::TruncF,
                std::cmp::Ordering::Equal => return None,
            },
            _ if to.is_float() => either(self, Cast::SIToFP, Cast::UIToFP),
            (_, Scalar::I1) if from.is_float() => return None,
            _ if from.is_float() => either(self, Cast::FPToSI, Cast::FPToUI),
            _ if narrow > wide => Cast::TruncI,
            _ => either(self, Cast::ExtSI, Cast::ExtUI),
        })
    }

    /// Emits a store of a value.
    pub(super) fn store(&mut self) {
        let targets: Vec<MemVar> = self
            .mems
            .iter()
            .filter(|mem| mem.writable && !mem.ty.is_unranked())
            .cloned()
            .collect();
        if targets.is_empty() {
            return;
        }
        let mem = self.random.pick(&targets).clone();
        let value = self.value(mem.ty.element, 2);
        let at = self.store_place(&mem.sizes);
        self.emit(
            Op::Store {
                value,
                mem: mem.var,
                at,
            },
            Vec::new(),
        );
    }

    /// Draws subscripts of a store; in parallel loops mostly a different element for each
    /// iteration.
    fn store_place(&mut self, sizes: &[i64]) -> crate::program::At {
        use crate::affine::Expr;
        use crate::program::At;
        let ivs = self.parallel.clone();
        if ivs.is_empty() || sizes.len() < ivs.len() || self.random.chance(12) {
            return self.place(sizes);
        }
        let is_affine = |this: &Self, var: Var| {
            this.scalars
                .iter()
                .any(|known| known.var == var && known.role != super::Role::Plain)
        };
        if !ivs.iter().all(|&iv| is_affine(self, iv)) {
            let vars = sizes
                .iter()
                .enumerate()
                .map(|(dim, &size)| match ivs.get(dim) {
                    Some(&iv) => iv,
                    None => self.plain_index(size),
                });
            return At::Plain(vars.collect());
        }
        let exprs = sizes
            .iter()
            .enumerate()
            .map(|(dim, &size)| match ivs.get(dim) {
                Some(&iv) => self.fitted(Expr::Dim(iv), size),
                None => self.subscript(size),
            });
        At::Affine(exprs.collect())
    }

    /// Results of an operation whose block yields values of these types.
    pub(super) fn add_to_scope(&mut self, results: &[Var]) {
        for &var in results {
            if let Type::Scalar(ty) = *self.program.ty(var) {
                let role = if self.depth == 0 {
                    super::Role::Symbol
                } else {
                    super::Role::Plain
                };
                self.scalars.push(super::ScalarVar {
                    var,
                    ty,
                    role,
                    low: i64::MIN,
                    high: i64::MAX,
                });
            }
        }
    }
}

fn is_loadable(mem: &MemVar, ty: Scalar) -> bool {
    mem.ty.element == ty && !mem.ty.is_unranked() && !mem.sizes.contains(&0)
}
