//! Comparisons and selects: `arith.cmpi`, `arith.cmpf`, `arith.select`.

use crate::ub;
use crate::verified::required;
use gridloom_ir::attr_names;
use gridloom_ir::body::{Body, OpId, Value};
use gridloom_ir::builder::Builder;
use gridloom_ir::context::Context;
use gridloom_ir::fold::{FoldCx, Folded};
use gridloom_ir::op::{EnumDef, EnumStorage};
use gridloom_ir::scalar::{IntPredicate, float_compare};
use gridloom_ir::text::{Delimiter, OpParser, OpPrinter, ParseFailed, Tok};
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

macro_rules! predicate {
    ($(#[$doc:meta])* $name:ident, $table:ident, $summary:literal: $($case:ident = $word:literal,)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)] // each variant is the predicate of that name
        pub enum $name { $($case,)* }

        impl $name {
            /// Every predicate, in the order of their values.
            pub const ALL: &'static [$name] = &[$($name::$case,)*];

            /// The predicate with this value.
            pub fn from_value(value: i64) -> Option<Self> {
                Self::ALL.get(usize::try_from(value).ok()?).copied()
            }

            /// The keyword in text.
            pub fn keyword(self) -> &'static str {
                $table.cases[self as usize].0
            }
        }

        /// The spelling and storage of the predicate.
        pub(crate) static $table: EnumDef = EnumDef {
    class: "",
    record: "",
            summary: $summary,
            cases: &[$(($word, $name::$case as i64),)*],
            storage: EnumStorage::Integer(64),
            bits: false,
            angled: false,
        };
    };
}

predicate! {
    /// The predicates of `arith.cmpi`: `s` compares signed, `u` unsigned
    /// integers.
    CmpIPredicate, CMPI_PREDICATE,
    "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9":
    Eq = "eq", Ne = "ne",
    Slt = "slt", Sle = "sle", Sgt = "sgt", Sge = "sge",
    Ult = "ult", Ule = "ule", Ugt = "ugt", Uge = "uge",
}

predicate! {
    /// The predicates of `arith.cmpf`: with a NaN operand, `o` (ordered) is
    /// false and `u` (unordered) is true.
    CmpFPredicate, CMPF_PREDICATE,
    "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15":
    AlwaysFalse = "false",
    Oeq = "oeq", Ogt = "ogt", Oge = "oge", Olt = "olt", Ole = "ole", One = "one", Ord = "ord",
    Ueq = "ueq", Ugt = "ugt", Uge = "uge", Ult = "ult", Ule = "ule", Une = "une", Uno = "uno",
    AlwaysTrue = "true",
}

impl CmpIPredicate {
    /// The predicate that holds where this one does not.
    pub fn inverse(self) -> Self {
        use CmpIPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        match self {
            Eq => Ne,
            Ne => Eq,
            Slt => Sge,
            Sle => Sgt,
            Sgt => Sle,
            Sge => Slt,
            Ult => Uge,
            Ule => Ugt,
            Ugt => Ule,
            Uge => Ult,
        }
    }

    /// The predicate that compares the operands as unsigned integers.
    pub fn unsigned(self) -> Self {
        use CmpIPredicate::{Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        match self {
            Slt => Ult,
            Sle => Ule,
            Sgt => Ugt,
            Sge => Uge,
            other => other,
        }
    }

    /// The predicate for swapped operands.
    pub fn mirrored(self) -> Self {
        use CmpIPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        match self {
            Eq | Ne => self,
            Slt => Sgt,
            Sle => Sge,
            Sgt => Slt,
            Sge => Sle,
            Ult => Ugt,
            Ule => Uge,
            Ugt => Ult,
            Uge => Ule,
        }
    }
}

impl CmpFPredicate {
    /// The predicate that holds where this one does not: an ordered one for an unordered one.
    pub fn inverse(self) -> Self {
        use CmpFPredicate::{
            AlwaysFalse, AlwaysTrue, Oeq, Oge, Ogt, Ole, Olt, One, Ord, Ueq, Uge, Ugt, Ule, Ult,
            Une, Uno,
        };
        match self {
            AlwaysFalse => AlwaysTrue,
            Oeq => Une,
            Ogt => Ule,
            Oge => Ult,
            Olt => Uge,
            Ole => Ugt,
            One => Ueq,
            Ord => Uno,
            Ueq => One,
            Ugt => Ole,
            Uge => Olt,
            Ult => Oge,
            Ule => Ogt,
            Une => Oeq,
            Uno => Ord,
            AlwaysTrue => AlwaysFalse,
        }
    }

    /// The predicate for swapped operands.
    pub fn mirrored(self) -> Self {
        use CmpFPredicate::{
            AlwaysFalse, AlwaysTrue, Oeq, Oge, Ogt, Ole, Olt, One, Ord, Ueq, Uge, Ugt, Ule, Ult,
            Une, Uno,
        };
        match self {
            AlwaysFalse | AlwaysTrue | Oeq | One | Ord | Ueq | Une | Uno => self,
            Ogt => Olt,
            Oge => Ole,
            Olt => Ogt,
            Ole => Oge,
            Ugt => Ult,
            Uge => Ule,
            Ult => Ugt,
            Ule => Uge,
        }
    }
}

/// The result type of a comparison of values of this type: `i1`, or a vector or
/// tensor of it.
pub fn bool_like(ctx: &Context, ty: Type) -> Type {
    let element = ctx.bool_type();
    match ty.kind(ctx).clone() {
        TypeKind::Vector {
            shape, scalable, ..
        } => ctx.intern_type(TypeKind::Vector {
            shape,
            scalable,
            element,
        }),
        TypeKind::RankedTensor {
            shape, encoding, ..
        } => ctx.intern_type(TypeKind::RankedTensor {
            shape,
            element,
            encoding,
        }),
        TypeKind::UnrankedTensor { .. } => ctx.intern_type(TypeKind::UnrankedTensor { element }),
        _ => element,
    }
}

op_view! {
    /// `arith.cmpi`
    CmpIOp = super::CMPI
}

impl CmpIOp {
    /// Compares two integers, or vectors of them element by element.
    pub fn create(b: &mut Builder, predicate: CmpIPredicate, lhs: Value, rhs: Value) -> Value {
        compare(b, super::CMPI, predicate as i64, lhs, rhs)
    }

    /// The predicate.
    pub fn predicate(self, ctx: &Context, body: &Body) -> CmpIPredicate {
        let value = required(ctx, &body[self.0], attr_names::PREDICATE).as_i64(ctx);
        let predicate = value.and_then(CmpIPredicate::from_value);
        predicate.expect("a verified comparison has a known predicate")
    }
}

op_view! {
    /// `arith.cmpf`
    CmpFOp = super::CMPF
}

impl CmpFOp {
    /// Compares two floats, or vectors of them element by element.
    pub fn create(b: &mut Builder, predicate: CmpFPredicate, lhs: Value, rhs: Value) -> Value {
        compare(b, super::CMPF, predicate as i64, lhs, rhs)
    }

    /// The predicate.
    pub fn predicate(self, ctx: &Context, body: &Body) -> CmpFPredicate {
        let value = required(ctx, &body[self.0], attr_names::PREDICATE).as_i64(ctx);
        let predicate = value.and_then(CmpFPredicate::from_value);
        predicate.expect("a verified comparison has a known predicate")
    }
}

fn compare(
    b: &mut Builder,
    name: gridloom_ir::op::OpName,
    predicate: i64,
    lhs: Value,
    rhs: Value,
) -> Value {
    let result = bool_like(b.ctx, b.body.ty(lhs));
    let state = b
        .state(name)
        .operands(&[lhs, rhs])
        .results(&[result])
        .property(b.ctx, attr_names::PREDICATE, b.ctx.i64_attr(predicate));
    let op = b.create(state);
    b.body[op].result(0)
}

/// `arith.select condition, if_true, if_false`
pub fn select(b: &mut Builder, condition: Value, if_true: Value, if_false: Value) -> Value {
    let ty = b.body.ty(if_true);
    b.unary(super::SELECT, &[condition, if_true, if_false], ty)
}

/// `arith.select %c, %a, %b : f32`, with the condition's type before the
/// values' unless it is `i1`.
pub(super) fn parse_select(p: &mut OpParser<'_, '_>) -> Result<(), ParseFailed> {
    let values = p.operands_of_number(Delimiter::None, 3)?;
    p.attr_dict()?;
    let mut ty = p.colon_type()?;
    let mut condition_type = p.ctx().bool_type();
    if p.eat(Tok::Comma) {
        condition_type = std::mem::replace(&mut ty, p.ty()?);
    }
    let (condition, choices) = values.split_at(1);
    p.add_operands(condition, condition_type)?;
    p.add_operands(choices, ty)?;
    p.add_result(ty);
    Ok(())
}

pub(super) fn print_select(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let operands = &body[op].operands;
    p.text(" ");
    p.values(operands);
    p.attr_dict(body, op, &[]);
    p.text(" : ");
    if let Some(&condition) = operands.first()
        && body.ty(condition) != ctx.bool_type()
    {
        p.ty(body.ty(condition));
        p.text(", ");
    }
    p.result_types_of(body, op);
}

/// Checks that the condition of a select is `i1`, or has the shape of the
/// values.
pub(super) fn condition_fits(check: &Check) -> bool {
    let extents = |ty: Type| match ty.kind(check.ctx()) {
        TypeKind::Vector { shape, .. } | TypeKind::RankedTensor { shape, .. } => Some(shape),
        _ => None,
    };
    let condition = check.operand_type(0);
    condition == check.ctx().bool_type() || extents(condition) == extents(check.result_type(0))
}

pub(super) fn verify_select(check: &Check) -> Checked {
    let ctx = check.ctx();
    let condition = check.operand_type(0);
    if condition == ctx.bool_type() {
        return Ok(());
    }
    let expected = bool_like(ctx, check.result_type(0));
    if expected == ctx.bool_type() {
        return Err(check.error(format!(
            "expected condition to be a signless i1, but got '{}'",
            check.show(condition)
        )));
    }
    if condition == expected {
        return Ok(());
    }
    Err(check.error(format!(
        "expected condition type to have the same shape as the result type, \
         expected '{}', but got '{}'",
        check.show(expected),
        check.show(condition)
    )))
}

/// `arith.cmpi`
pub(super) fn fold_cmpi(cx: &FoldCx) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    let number = cx
        .data()
        .attr(cx.ctx, attr_names::PREDICATE)?
        .as_i64(cx.ctx)?;
    let predicate = IntPredicate::from_number(number)?;
    let width = cx.int_width(cx.ty(lhs))?;
    if lhs == rhs {
        // Equal values compare as 0 and 0 do.
        return cx.splat(predicate.eval(0, 0, width).into());
    }
    if let Some(bool) = tested_bool(cx, predicate, lhs, rhs) {
        return cx.value(bool);
    }
    let (a, b) = (cx.constant(lhs)?, cx.constant(rhs)?);
    cx.elements(a.zip(&b, |a, b| Some(predicate.eval(a, b, width).into())))
}

/// The `i1` that a comparison merely repeats: `x == true`, `x != 0`, `ext(x) !=
/// 0`.
fn tested_bool(cx: &FoldCx, predicate: IntPredicate, lhs: Value, rhs: Value) -> Option<Value> {
    let is_bool = |value: Value| cx.int_width(cx.ty(value)) == Some(1);
    match predicate {
        IntPredicate::Eq if is_bool(lhs) && cx.is_int(rhs, 1) => Some(lhs),
        IntPredicate::Ne if cx.is_int(rhs, 0) => {
            let extended = [super::EXTSI, super::EXTUI];
            let source = extended.iter().find_map(|&name| cx.maker(lhs, name));
            let source = source.and_then(|ext| ext.operands.first().copied());
            [source, Some(lhs)]
                .into_iter()
                .flatten()
                .find(|&v| is_bool(v))
        }
        _ => None,
    }
}

/// `arith.cmpf`
pub(super) fn fold_cmpf(cx: &FoldCx) -> Option<Folded> {
    let [lhs, rhs] = cx.operands()?;
    let number = cx
        .data()
        .attr(cx.ctx, attr_names::PREDICATE)?
        .as_i64(cx.ctx)?;
    match CmpFPredicate::from_value(number)? {
        CmpFPredicate::AlwaysFalse => return cx.splat(0),
        CmpFPredicate::AlwaysTrue => return cx.splat(1),
        _ => {}
    }
    // Comparison with a NaN is true exactly for unordered predicates.
    if [lhs, rhs].into_iter().any(|value| is_nan(cx, value)) {
        return cx.splat((number >= CmpFPredicate::Ueq as i64).into());
    }
    let (a, b) = (cx.constant(lhs)?, cx.constant(rhs)?);
    let (kind, number) = (a.kind, u8::try_from(number).ok()?);
    let holds = |a, b| float_compare(number, kind.to_f64(a), kind.to_f64(b));
    cx.elements(a.zip(&b, |a, b| Some(holds(a, b).into())))
}

/// Whether a value is a NaN constant or splat.
fn is_nan(cx: &FoldCx, value: Value) -> bool {
    let constant = cx.constant(value);
    constant.is_some_and(|constant| {
        let bits = constant.splat();
        bits.is_some_and(|bits| constant.kind.to_f64(bits).is_nan())
    })
}

/// `arith.select`
pub(super) fn fold_select(cx: &FoldCx) -> Option<Folded> {
    let [condition, yes, no] = cx.operands()?;
    if yes == no {
        return cx.value(yes);
    }
    if let Some(bits) = cx.constant(condition).and_then(|c| c.splat()) {
        return cx.value(if bits != 0 { yes } else { no });
    }
    // Poison may take the value of the other choice.
    for (poison, other) in [(yes, no), (no, yes)] {
        if cx.maker(poison, ub::POISON).is_some() {
            return cx.value(other);
        }
    }
    let same_type = cx.ty(condition) == cx.result_type(0);
    if same_type && cx.is_int(yes, 1) && cx.is_int(no, 0) {
        return cx.value(condition);
    }
    if let Some(chosen) = chosen_by_equality(cx, condition, yes, no) {
        return cx.value(chosen);
    }
    let (mask, yes, no) = (cx.constant(condition)?, cx.constant(yes)?, cx.constant(no)?);
    cx.elements(mask.choose(&yes, &no))
}

/// `select(a == b, a, b) ⇒ b` and `select(a != b, a, b) ⇒ a`, for integers.
fn chosen_by_equality(cx: &FoldCx, condition: Value, yes: Value, no: Value) -> Option<Value> {
    let compare = cx.maker(condition, super::CMPI)?;
    let number = compare
        .attr(cx.ctx, attr_names::PREDICATE)?
        .as_i64(cx.ctx)?;
    let &[a, b] = &compare.operands[..] else {
        return None;
    };
    if (a, b) != (yes, no) && (a, b) != (no, yes) {
        return None;
    }
    match IntPredicate::from_number(number)? {
        IntPredicate::Eq => Some(no),
        IntPredicate::Ne => Some(yes),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{CmpFPredicate, float_compare};

    #[test]
    fn inverses_and_mirrors_of_floats_hold_where_they_say() {
        let numbers = [1.0, 2.0, f64::NAN];
        for predicate in (0..16).filter_map(CmpFPredicate::from_value) {
            let holds = |p: CmpFPredicate, a, b| float_compare(p as u8, a, b);
            for (a, b) in numbers.iter().flat_map(|&a| numbers.map(|b| (a, b))) {
                let here = holds(predicate, a, b);
                assert_ne!(holds(predicate.inverse(), a, b), here);
                assert_eq!(holds(predicate.mirrored(), b, a), here);
            }
        }
    }
}
