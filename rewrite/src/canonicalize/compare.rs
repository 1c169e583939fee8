//! Compares integers instead of the floats converted from them.
//!
//! ```text
//! cmpf ogt, (sitofp %x), 1.5    ⇒  cmpi sgt, %x, 1
//! cmpf olt, (uitofp %x), -3.0   ⇒  false
//! ```
//!
//! Legal only where no rounding decides: the float type represents every
//! integer of the width, or every one around the constant.

use gridloom_dialects::arith::{self, CmpFPredicate, CmpIPredicate};
use gridloom_dialects::inherent;
use gridloom_ir::OpId;
use gridloom_ir::scalar::mask;

use super::operands::{compare, source};
use crate::rewriter::Rewriter;

/// `cmpf olt, (sitofp %x), 2.5 ⇒ cmpi sle, %x, 2`, where rounding to the float cannot change the
/// outcome; `Some(())` if it fired.
pub(super) fn compare_converted(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let cx = rw.look(op);
    let [lhs, rhs] = cx.operands()?;
    let names = [(arith::SITOFP, true), (arith::UITOFP, false)];
    let (x, signed) = names
        .iter()
        .find_map(|&(name, signed)| Some((source(rw, op, lhs, name)?, signed)))?;
    let constant = cx.constant(rhs)?;
    // At most 53.
    let significant = constant.kind.float_format()?.precision() as i32;
    let width = cx.int_width(cx.ty(x))?;
    let number = constant.kind.to_f64(constant.splat()?);
    let bits = width - u8::from(signed);
    let size = number.abs();
    // Rounding is monotonic, so it can change the outcome only near the
    // constant. Integers below `2^significant` convert exactly, and none rounds
    // to `2^(bits + 1)` or more.
    let is_apart =
        size < 2f64.powi(significant) || size.is_finite() && size >= 2f64.powi(i32::from(bits) + 1);
    if i32::from(bits) > significant && !is_apart {
        return None;
    }
    let predicate = cx.data().get(cx.ctx, inherent::PREDICATE)?;
    let order = order(CmpFPredicate::from_value(predicate)?, signed, number)?;
    let ty = rw.body().ty(rw.body()[op].result(0));
    let value = match decide(order, number, signed, width) {
        Outcome::Known(holds) => rw.splat(holds.into(), ty, op)?,
        Outcome::Compare(predicate, number) => {
            let bits = mask(number as u64, width);
            let bound = rw.splat(bits, rw.body().ty(x), op)?;
            compare(rw, op, predicate, [x, bound], ty)
        }
    };
    rw.replace_op(op, &[value]);
    Some(())
}

/// The integer predicate of a float predicate; `None` for comparison with a
/// NaN.
fn order(predicate: CmpFPredicate, signed: bool, number: f64) -> Option<CmpIPredicate> {
    use CmpFPredicate::{Oeq, Oge, Ogt, Ole, Olt, One, Ueq, Uge, Ugt, Ule, Ult, Une};
    if number.is_nan() {
        return None;
    }
    let pick = |a, b| if signed { a } else { b };
    Some(match predicate {
        Oeq | Ueq => CmpIPredicate::Eq,
        One | Une => CmpIPredicate::Ne,
        Ogt | Ugt => pick(CmpIPredicate::Sgt, CmpIPredicate::Ugt),
        Oge | Uge => pick(CmpIPredicate::Sge, CmpIPredicate::Uge),
        Olt | Ult => pick(CmpIPredicate::Slt, CmpIPredicate::Ult),
        Ole | Ule => pick(CmpIPredicate::Sle, CmpIPredicate::Ule),
        _ => return None,
    })
}

enum Outcome {
    Known(bool),
    Compare(CmpIPredicate, i64),
}

/// Decides `x PRED number` for all integers `x` of a width, or turns it into an
/// integer comparison.
fn decide(predicate: CmpIPredicate, number: f64, signed: bool, width: u8) -> Outcome {
    use CmpIPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
    let width = i32::from(width);
    let (least, greatest) = match signed {
        true => (-(2f64.powi(width - 1)), 2f64.powi(width - 1) - 1.0),
        false => (0.0, 2f64.powi(width) - 1.0),
    };
    // The number is out of range of the width.
    if number > greatest || number < least {
        let above = number > greatest;
        return Outcome::Known(match predicate {
            Eq => false,
            Ne => true,
            Slt | Sle | Ult | Ule => above,
            Sgt | Sge | Ugt | Uge => !above,
        });
    }
    let whole = number.trunc();
    let predicate = match predicate {
        _ if whole == number => predicate,
        Eq => return Outcome::Known(false),
        Ne => return Outcome::Known(true),
        // Truncation lowers a positive number and raises a negative one.
        Slt | Sle if number > 0.0 => Sle,
        Slt | Sle => Slt,
        Sgt | Sge if number > 0.0 => Sgt,
        Sgt | Sge => Sge,
        Ult | Ule => Ule,
        Ugt | Uge => Ugt,
    };
    Outcome::Compare(predicate, whole as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decides_as_the_numbers_compare() {
        let signed = [
            CmpIPredicate::Slt,
            CmpIPredicate::Sle,
            CmpIPredicate::Sgt,
            CmpIPredicate::Sge,
        ];
        for number in [
            -9.0,
            -8.0,
            -7.5,
            -0.5,
            0.0,
            0.5,
            3.0,
            6.5,
            7.0,
            7.5,
            1e9,
            f64::INFINITY,
        ] {
            for predicate in signed {
                for x in -8i64..8 {
                    let holds = |predicate, x: f64, y: f64| match predicate {
                        CmpIPredicate::Slt => x < y,
                        CmpIPredicate::Sle => x <= y,
                        CmpIPredicate::Sgt => x > y,
                        _ => x >= y,
                    };
                    let found = match decide(predicate, number, true, 4) {
                        Outcome::Known(known) => known,
                        Outcome::Compare(predicate, y) => holds(predicate, x as f64, y as f64),
                    };
                    assert_eq!(
                        found,
                        holds(predicate, x as f64, number),
                        "{x} {predicate:?} {number}"
                    );
                }
            }
        }
    }
}
