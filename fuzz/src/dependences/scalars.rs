//! Tracing of scalar operations, lane by lane for vectors.

use std::rc::Rc;

use gridloom::dialects::{arith, index};
use gridloom::ir::affine::{AffineExprKind, AffineOp};
use gridloom::ir::attr::{AttrKind, DenseData, Int};
use gridloom::ir::body::OpData;
use gridloom::ir::scalar::{
    Cast, Computation, FloatOp, FloatUnary, IntOp, IntPredicate, ScalarKind, float_compare,
    float_to_int_power, fused_multiply_add, mask, scalar_kind, sext,
};
use gridloom::ir::{AffineExpr, AffineMap, Attr, Type, Value};

use super::Untraced;
use super::machine::{Frame, Held, Machine};
use super::term::{Datum, hashed};

impl<'m> Machine<'m> {
    /// The kind of a scalar, or of a vector's lanes.
    pub fn kind(&self, ty: Type) -> Result<ScalarKind, Untraced> {
        let kind = scalar_kind(self.ctx, self.element(ty));
        kind.ok_or_else(|| "a type without scalars".to_owned())
    }

    /// The lanes of a value; one for a scalar.
    pub fn data(&self, frame: &Frame<'m>, value: Value) -> Result<Vec<Datum>, Untraced> {
        match frame.get(value)? {
            Held::Scalar(datum) => Ok(vec![*datum]),
            Held::Lanes(lanes) => Ok(lanes.to_vec()),
            Held::View(_) => Err("a scalar was expected".to_owned()),
        }
    }

    /// Sets a scalar or a vector.
    pub fn set_data(&self, frame: &mut Frame<'m>, value: Value, data: Vec<Datum>) {
        let is_vector = self.element(frame.body.ty(value)) != frame.body.ty(value);
        let held = match data[..] {
            [datum] if !is_vector => Held::scalar(datum),
            _ => Held::Lanes(Rc::new(data)),
        };
        frame.set(value, held);
    }

    /// Computes the only result lane by lane.
    fn lanewise(
        &self,
        frame: &mut Frame<'m>,
        data: &OpData,
        compute: &dyn Fn(&[Datum]) -> Result<Datum, Untraced>,
    ) -> Result<(), Untraced> {
        let operands = data.operands.iter().map(|&value| self.data(frame, value));
        let operands: Vec<Vec<Datum>> = operands.collect::<Result<_, _>>()?;
        let result = data.result(0);
        let lanes = (0..self.lanes(frame.body.ty(result))).map(|lane| {
            // A scalar operand applies to all lanes, such as the condition of a select.
            let at = |list: &Vec<Datum>| list.get(lane).or(list.first()).copied();
            let args: Option<Vec<Datum>> = operands.iter().map(at).collect();
            compute(&args.ok_or("a vector without lanes")?)
        });
        let lanes = lanes.collect::<Result<_, _>>()?;
        self.set_data(frame, result, lanes);
        Ok(())
    }

    /// Traces an operation whose row declares its computation.
    pub fn computed(
        &self,
        frame: &mut Frame<'m>,
        data: &OpData,
        computation: Computation,
    ) -> Result<(), Untraced> {
        let (Some(&first), 1) = (data.operands.first(), data.num_results()) else {
            return Err(self.unknown(data));
        };
        let from = self.kind(frame.body.ty(first))?;
        let to = self.kind(frame.body.ty(data.result(0)))?;
        self.lanewise(frame, data, &|args| {
            scalar(computation, from, to, args).ok_or_else(|| self.unknown(data))
        })
    }

    /// Traces the other operations of `arith` and `index`.
    pub fn scalar(&self, frame: &mut Frame<'m>, data: &OpData) -> Result<(), Untraced> {
        match data.name {
            arith::CONSTANT | index::CONSTANT | index::BOOL_CONSTANT => {
                let ty = frame.body.ty(data.result(0));
                let values = self.constants(self.attr(data, "value")?, self.kind(ty)?)?;
                let lanes = values.iter().cycle().take(self.lanes(ty));
                let kind = self.kind(ty)?;
                let lanes = lanes.map(|&bits| number(bits, kind)).collect();
                self.set_data(frame, data.result(0), lanes);
                Ok(())
            }
            arith::CMPI => {
                let number = self.attr(data, "predicate")?.as_i64(self.ctx);
                let predicate = number.and_then(IntPredicate::from_number);
                let predicate = predicate.ok_or_else(|| self.unknown(data))?;
                let ScalarKind::Int(width) = self.kind(frame.body.ty(data.operands[0]))? else {
                    return Err(self.unknown(data));
                };
                self.lanewise(frame, data, &|args| {
                    Ok(compared(predicate, width, args[0], args[1]))
                })
            }
            arith::CMPF => {
                let number = self.attr(data, "predicate")?.as_i64(self.ctx);
                let number = number.and_then(|number| u8::try_from(number).ok());
                let number = number.ok_or_else(|| self.unknown(data))?;
                let kind = self.kind(frame.body.ty(data.operands[0]))?;
                self.lanewise(frame, data, &|args| {
                    let [a, b] = [0, 1].map(|k| kind.to_f64(args[k].bits));
                    let bits = float_compare(number, a, b);
                    Ok(Datum::computed(("cmpf", number), bits.into(), args))
                })
            }
            // The selection is control, not data: the result is the chosen value, but for extrema.
            arith::SELECT => {
                if let Some((op, width)) = self.extremum(frame, data) {
                    return self.lanewise(frame, data, &|args| {
                        let chosen = args[if args[0].bits & 1 != 0 { 1 } else { 2 }];
                        Ok(Datum::integer(op, width, chosen.bits, args[1], args[2]))
                    });
                }
                let conditions = self.data(frame, data.operands[0])?;
                if let [condition] = conditions[..] {
                    if let Some(datum) = self.narrow_extremum(frame, data)? {
                        self.set_data(frame, data.result(0), vec![datum]);
                        return Ok(());
                    }
                    let chosen = data.operands[if condition.bits & 1 != 0 { 1 } else { 2 }];
                    let held = frame.get(chosen)?;
                    frame.set(data.result(0), held);
                    return Ok(());
                }
                self.lanewise(frame, data, &|args| {
                    Ok(args[if args[0].bits & 1 != 0 { 1 } else { 2 }])
                })
            }
            _ => Err(self.unknown(data)),
        }
    }

    /// The extremum that a selection is of the two integers that its condition compares, and their width.
    fn extremum(&self, frame: &Frame<'m>, selection: &OpData) -> Option<(IntOp, u8)> {
        self.extremum_of(frame, selection, |value| value)
    }

    /// The value of a selection of two integers whose condition compares what they are extended to: the extremum of these,
    /// truncated.
    fn narrow_extremum(
        &self,
        frame: &Frame<'m>,
        selection: &OpData,
    ) -> Result<Option<Datum>, Untraced> {
        let body = frame.body;
        let extended = |value: Value| {
            let op = &body[body.defining_op(value)?];
            let is_extension = matches!(op.name, arith::EXTSI | arith::EXTUI);
            is_extension.then(|| op.operands[0])
        };
        let found = self.extremum_of(frame, selection, |value| extended(value).unwrap_or(value));
        let comparison = body.defining_op(selection.operands[0]);
        let (Some((op, width)), Some(comparison)) = (found, comparison) else {
            return Ok(None);
        };
        let operands = &body[comparison].operands;
        let [left, right] = [
            self.data(frame, operands[0])?,
            self.data(frame, operands[1])?,
        ];
        let ([left], [right]) = (&left[..], &right[..]) else {
            return Ok(None);
        };
        let Ok(bits) = op.eval(left.bits, right.bits, width) else {
            return Ok(None);
        };
        let ScalarKind::Int(narrow) = self.kind(body.ty(selection.result(0)))? else {
            return Ok(None);
        };
        let wide = Datum::integer(op, width, bits, *left, *right);
        let [from, to] = [width, narrow].map(ScalarKind::Int);
        let bits = mask(bits, narrow);
        Ok(Some(Datum::converted(Cast::IntZero, bits, from, to, wide)))
    }

    /// The extremum that a selection is of two integers, of which its condition compares what `source` traces back to them, and
    /// the width in which it does.
    fn extremum_of(
        &self,
        frame: &Frame<'m>,
        selection: &OpData,
        source: impl Fn(Value) -> Value,
    ) -> Option<(IntOp, u8)> {
        let body = frame.body;
        let &[condition, taken, other] = &selection.operands[..] else {
            return None;
        };
        let comparison = &body[body.defining_op(condition)?];
        let &[left, right] = &comparison.operands[..] else {
            return None;
        };
        if comparison.name != arith::CMPI {
            return None;
        }
        let takes_left = match [left, right].map(source) {
            sources if sources == [taken, other] => true,
            sources if sources == [other, taken] => false,
            _ => return None,
        };
        let number = self.attr(comparison, "predicate").ok()?.as_i64(self.ctx)?;
        let [least, greatest] = match IntPredicate::from_number(number)? {
            IntPredicate::Slt | IntPredicate::Sle => [IntOp::MinS, IntOp::MaxS],
            IntPredicate::Sgt | IntPredicate::Sge => [IntOp::MaxS, IntOp::MinS],
            IntPredicate::Ult | IntPredicate::Ule => [IntOp::MinU, IntOp::MaxU],
            IntPredicate::Ugt | IntPredicate::Uge => [IntOp::MaxU, IntOp::MinU],
            IntPredicate::Eq | IntPredicate::Ne => return None,
        };
        let ScalarKind::Int(width) = self.kind(body.ty(left)).ok()? else {
            return None;
        };
        Some((if takes_left { least } else { greatest }, width))
    }

    /// Values of a constant attribute: one, or one for each element.
    pub fn constants(&self, attr: Attr, kind: ScalarKind) -> Result<Vec<u64>, Untraced> {
        let masked = |bits: u64| match kind {
            ScalarKind::Int(width) => mask(bits, width),
            _ => bits,
        };
        match attr.kind(self.ctx) {
            AttrKind::Integer {
                value: Int::Small(value),
                ..
            } => Ok(vec![masked(*value as u64)]),
            AttrKind::Float { bits, .. } => Ok(vec![*bits as u64]),
            AttrKind::Dense {
                data: DenseData::Splat(bytes) | DenseData::Raw(bytes),
                ..
            } => {
                let size = match kind {
                    ScalarKind::Int(width) => usize::from(width).div_ceil(8),
                    kind => kind.size(),
                };
                let word = |chunk: &[u8]| {
                    let bits = chunk.iter().rev();
                    masked(bits.fold(0, |value, &byte| value << 8 | u64::from(byte)))
                };
                Ok(bytes.chunks(size).map(word).collect())
            }
            _ => Err("a constant of another kind".to_owned()),
        }
    }

    /// The results of an affine map.
    pub fn applied(
        &self,
        frame: &Frame<'m>,
        map: AffineMap,
        operands: &[Value],
    ) -> Result<Vec<Datum>, Untraced> {
        let values = operands.iter().map(|&value| frame.datum(value));
        let values: Vec<Datum> = values.collect::<Result<_, _>>()?;
        let results = map.results(self.ctx).iter();
        results
            .map(|&expr| self.expr(expr, values.split_at(map.num_dims(self.ctx))))
            .collect()
    }

    /// The value of an affine expression, of dimensions and symbols.
    fn expr(&self, expr: AffineExpr, inputs: (&[Datum], &[Datum])) -> Result<Datum, Untraced> {
        match expr.kind(self.ctx) {
            AffineExprKind::Constant(value) => Ok(Datum::known(value as u64)),
            AffineExprKind::Dim(i) => Ok(inputs.0[i as usize]),
            AffineExprKind::Symbol(i) => Ok(inputs.1[i as usize]),
            AffineExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a, inputs)?, self.expr(b, inputs)?);
                let op = match op {
                    AffineOp::Add => IntOp::Add,
                    AffineOp::Mul => IntOp::Mul,
                    AffineOp::Mod => IntOp::Mod,
                    AffineOp::FloorDiv => IntOp::FloorDiv,
                    AffineOp::CeilDiv => IntOp::CeilDiv,
                };
                let bits = op.eval(a.bits, b.bits, 64);
                let bits = bits.map_err(|_| "affine division by nothing".to_owned())?;
                Ok(Datum::integer(op, 64, bits, a, b))
            }
        }
    }

    /// The integer results of a map attribute.
    pub fn map_ints(
        &self,
        frame: &Frame<'m>,
        data: &OpData,
        name: &str,
        operands: &[Value],
    ) -> Result<Vec<i64>, Untraced> {
        let map = self.attr(data, name)?.as_map(self.ctx);
        let map = map.ok_or_else(|| format!("'{name}' is no map"))?;
        let results = self.applied(frame, map, operands)?;
        Ok(results.iter().map(|datum| datum.bits as i64).collect())
    }
}

/// Computes the scalar of an operation; `None` where the operands do not fit it.
fn scalar(
    computation: Computation,
    from: ScalarKind,
    to: ScalarKind,
    args: &[Datum],
) -> Option<Datum> {
    Some(match (computation, args) {
        (Computation::Int(op) | Computation::Index(op), &[a, b]) => integer(op, from, a, b)?,
        (Computation::IntUnary(op), &[a]) => {
            let ScalarKind::Int(width) = from else {
                return None;
            };
            Datum::computed((format!("{op:?}"), width), op.eval(a.bits, width), &[a])
        }
        (Computation::Float(op), &[a, b]) => float(op, from, a, b),
        (Computation::FloatUnary(FloatUnary::Neg), &[a]) => {
            Datum::negated(FloatUnary::Neg.eval(a.bits, from), a)
        }
        (Computation::FloatUnary(op), &[a]) => {
            Datum::computed(format!("{op:?}"), op.eval(a.bits, from), &[a])
        }
        (Computation::FloatTest(test), &[a]) => {
            Datum::computed(format!("{test:?}"), test.holds(a.bits, from).into(), &[a])
        }
        (Computation::Cast(cast) | Computation::IndexCast(cast), &[a]) => {
            Datum::converted(cast, cast.eval(a.bits, from, to), from, to, a)
        }
        (Computation::FusedMultiplyAdd, &[a, b, c]) => {
            let bits = fused_multiply_add(a.bits, b.bits, c.bits, from);
            Datum::computed("fma", bits, args)
        }
        (Computation::FloatToIntPower, &[a, b]) => {
            let bits = float_to_int_power(a.bits, sext(b.bits, 32), from);
            Datum::computed("fpowi", bits, args)
        }
        _ => return None,
    })
}

/// An integer operation; `None` for a division that has no result.
pub(super) fn integer(op: IntOp, kind: ScalarKind, a: Datum, b: Datum) -> Option<Datum> {
    let ScalarKind::Int(width) = kind else {
        return None;
    };
    let bits = op.eval(a.bits, b.bits, width).ok()?;
    Some(Datum::integer(op, width, bits, a, b))
}

/// A constant datum; all NaNs are equal, since their payload is unspecified.
fn number(bits: u64, kind: ScalarKind) -> Datum {
    let is_nan = !matches!(kind, ScalarKind::Int(_)) && kind.to_f64(bits).is_nan();
    match is_nan {
        true => Datum::known_as("NaN", bits),
        false => Datum::known(bits),
    }
}

/// Comparison of integers, normalized to one of three predicates (equal, signed less, unsigned
/// less) or its negation, so that equivalent spellings agree. A comparison with a constant may be
/// decided.
fn compared(predicate: IntPredicate, width: u8, a: Datum, b: Datum) -> Datum {
    use IntPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
    let bits = u64::from(predicate.eval(a.bits, b.bits, width));
    let all = mask(u64::MAX, width);
    if a.hash() == b.hash() {
        return Datum::known(bits);
    }
    if a.is_known() != b.is_known() {
        let at = |value: Datum, bits: u64| if value.is_known() { value.bits } else { bits };
        let with = |bits: u64| predicate.eval(at(a, bits), at(b, bits), width);
        let ends = [0, all, all >> 1, all ^ (all >> 1)].map(with);
        if (width == 1 || !matches!(predicate, Eq | Ne)) && ends.iter().all(|&end| end == ends[0]) {
            return Datum::known(bits);
        }
        let other = if a.is_known() { b } else { a };
        match (width, with(0), with(1)) {
            (1, false, true) => return other,
            (1, true, false) => return opposite(other),
            _ => {}
        }
    }
    match predicate {
        Eq => Datum::commuted(("equal", width), bits, a, b),
        Ne => opposite(compared(Eq, width, a, b)),
        Sgt => compared(Slt, width, b, a),
        Ugt => compared(Ult, width, b, a),
        Sle => opposite(compared(Slt, width, b, a)),
        Ule => opposite(compared(Ult, width, b, a)),
        Sge => opposite(compared(Slt, width, a, b)),
        Uge => opposite(compared(Ult, width, a, b)),
        // `c < x` is `not x < c + 1`: c is not the greatest number, or the comparison is decided.
        Slt | Ult if a.is_known() && !b.is_known() => {
            let next = Datum::known(mask(a.bits.wrapping_add(1), width));
            opposite(compared(predicate, width, b, next))
        }
        Ult if b.is_known() && b.bits == 1 => compared(Eq, width, a, Datum::known(0)),
        Slt | Ult => Datum::computed((format!("{predicate:?}"), width), bits, &[a, b]),
    }
}

/// Negation of a Boolean.
fn opposite(datum: Datum) -> Datum {
    Datum::integer(IntOp::Xor, 1, datum.bits ^ 1, datum, Datum::known(1))
}

/// A floating-point operation.
pub(super) fn float(op: FloatOp, kind: ScalarKind, a: Datum, b: Datum) -> Datum {
    let bits = op.eval(a.bits, b.bits, kind);
    let name = (format!("{op:?}"), format!("{kind:?}"));
    let is = |datum: Datum, value: f64| {
        datum.is_known() && kind.to_f64(datum.bits).to_bits() == value.to_bits()
    };
    // The neutral constant, and the side on which it is neutral.
    let neutral = match op {
        FloatOp::Add => [-0.0, -0.0],
        FloatOp::Sub => [f64::NAN, 0.0],
        FloatOp::Mul => [1.0, 1.0],
        FloatOp::Div => [f64::NAN, 1.0],
        FloatOp::Maximum => [f64::NEG_INFINITY, f64::NEG_INFINITY],
        FloatOp::Minimum => [f64::INFINITY, f64::INFINITY],
        _ => [f64::NAN, f64::NAN],
    };
    match op {
        _ if a.is_known() && b.is_known() => number(bits, kind),
        _ if !neutral[0].is_nan() && is(a, neutral[0]) => b,
        _ if is(b, neutral[1]) => a,
        // Zero times a number is a zero, as coefficients of recurrences that forget what they carry have it.
        FloatOp::Mul if [a, b].iter().any(|&x| is(x, 0.0)) && kind.to_f64(bits) == 0.0 => {
            number(bits, kind)
        }
        FloatOp::Maximum | FloatOp::Minimum if a.hash() == b.hash() => a,
        FloatOp::Maximum | FloatOp::Minimum => {
            let combine = |x: u64, y: u64| match op.eval(x, y, kind) {
                nan if kind.to_f64(nan).is_nan() => kind.from_f64(f64::NAN),
                bits => bits,
            };
            // A constant operand comes last.
            let (a, b) = if a.is_known() { (b, a) } else { (a, b) };
            // A number that is clamped to nothing, or to one number, is that one.
            let other = match op {
                FloatOp::Maximum => FloatOp::Minimum,
                _ => FloatOp::Maximum,
            };
            let limit = a
                .term
                .combined_with(hashed((format!("{other:?}"), format!("{kind:?}"))));
            let [x, y] = [limit, Some(b.bits)].map(|bits| bits.map(|bits| kind.to_f64(bits)));
            let is_beyond = match op {
                FloatOp::Maximum => x <= y,
                _ => x >= y,
            };
            if b.is_known() && limit.is_some() && is_beyond && bits == b.bits {
                return b;
            }
            let group = (hashed(name), kind.from_f64(neutral[0]));
            Datum::grouped(group, &combine, bits, [a, b])
        }
        FloatOp::Add | FloatOp::Mul => Datum::commuted(name, bits, a, b),
        _ => Datum::computed(name, bits, &[a, b]),
    }
}
