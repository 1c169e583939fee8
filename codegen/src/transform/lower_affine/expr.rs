//! Lowering of affine expressions to `arith` operations.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{AffineExpr, AffineMap, Builder, IntegerSet, Value};

/// Emits the results of a map applied to `operands`: dimensions, then symbols.
pub fn expand_results(b: &mut Builder, map: AffineMap, operands: &[Value]) -> Vec<Value> {
    let ctx = b.ctx;
    let (dims, symbols) = operands.split_at(map.num_dims(ctx).min(operands.len()));
    let results = map.results(ctx).to_vec();
    expand(b, &results, dims, symbols)
}

/// Emits whether a point lies in a set, as an `i1`.
pub(in crate::transform) fn expand_set(
    b: &mut Builder,
    set: IntegerSet,
    operands: &[Value],
) -> Value {
    let ctx = b.ctx;
    let data = set.data(ctx);
    let (dims, symbols) = operands.split_at((data.dims as usize).min(operands.len()));
    let exprs: Vec<_> = data.constraints.iter().map(|c| c.expr).collect();
    let values = expand(b, &exprs, dims, symbols);
    let zero = b.index_constant(0);
    let tests: Vec<Value> = (values.into_iter().zip(&data.constraints))
        .map(|(value, constraint)| {
            let predicate = match constraint.is_eq {
                true => CmpIPredicate::Eq,
                false => CmpIPredicate::Sge,
            };
            CmpIOp::create(b, predicate, value, zero)
        })
        .collect();
    let all = tests.into_iter().reduce(|x, y| b.binary(arith::ANDI, x, y));
    all.unwrap_or_else(|| b.constant(ctx.bool_attr(true), ctx.bool_type()))
}

/// Form of an expression: how it is computed from its parts.
#[derive(Clone, Copy)]
enum Form {
    Operand(Value),
    Constant(i64),
    Binary(AffineOp, AffineExpr, AffineExpr),
    /// `left - right`, canonically `left + right * -1`.
    Difference(AffineExpr, AffineExpr),
    /// `left - right * factor`, canonically `left + right * -factor`.
    ScaledDifference(AffineExpr, AffineExpr, i64),
}

/// Emits the values of expressions over the given dimensions and symbols. Parts that occur more
/// than once are computed once.
pub fn expand(
    b: &mut Builder,
    exprs: &[AffineExpr],
    dims: &[Value],
    symbols: &[Value],
) -> Vec<Value> {
    let mut done: FxHashMap<AffineExpr, Value> = FxHashMap::default();
    // A work list replaces recursion, since the input chooses how deep expressions nest.
    let mut stack: Vec<AffineExpr> = exprs.iter().rev().copied().collect();
    while let Some(&expr) = stack.last() {
        if done.contains_key(&expr) {
            stack.pop();
            continue;
        }
        let form = form_of(b, expr, dims, symbols);
        let needs = form.operands();
        let missing: Vec<_> = needs
            .into_iter()
            .flatten()
            .filter(|e| !done.contains_key(e))
            .collect();
        if missing.is_empty() {
            let value = form.emit(b, &done);
            done.insert(expr, value);
            stack.pop();
        } else {
            stack.extend(missing.into_iter().rev());
        }
    }
    exprs.iter().map(|expr| done[expr]).collect()
}

fn form_of(b: &Builder, expr: AffineExpr, dims: &[Value], symbols: &[Value]) -> Form {
    let ctx = b.ctx;
    match expr.kind(ctx) {
        // A verified operation has as many operands as its map has inputs.
        AffineExprKind::Dim(i) => Form::Operand(dims[i as usize]),
        AffineExprKind::Symbol(i) => Form::Operand(symbols[i as usize]),
        AffineExprKind::Constant(value) => Form::Constant(value),
        AffineExprKind::Binary(AffineOp::Add, left, right) => {
            let AffineExprKind::Binary(AffineOp::Mul, term, factor) = right.kind(ctx) else {
                return Form::Binary(AffineOp::Add, left, right);
            };
            match factor.as_constant(ctx) {
                Some(-1) => Form::Difference(left, term),
                Some(factor @ -1_000_000..-1) => Form::ScaledDifference(left, term, -factor),
                _ => Form::Binary(AffineOp::Add, left, right),
            }
        }
        AffineExprKind::Binary(op, left, right) => Form::Binary(op, left, right),
    }
}

impl Form {
    fn operands(self) -> [Option<AffineExpr>; 2] {
        match self {
            Form::Operand(_) | Form::Constant(_) => [None, None],
            Form::Binary(_, l, r) | Form::Difference(l, r) | Form::ScaledDifference(l, r, _) => {
                [Some(l), Some(r)]
            }
        }
    }

    fn emit(self, b: &mut Builder, done: &FxHashMap<AffineExpr, Value>) -> Value {
        match self {
            Form::Operand(value) => value,
            Form::Constant(value) => b.index_constant(value),
            Form::Difference(l, r) => b.binary(arith::SUBI, done[&l], done[&r]),
            Form::ScaledDifference(l, r, factor) => {
                let factor = b.index_constant(factor);
                let term = b.binary(arith::MULI, done[&r], factor);
                b.binary(arith::SUBI, done[&l], term)
            }
            Form::Binary(op, l, r) => {
                let (l, r) = (done[&l], done[&r]);
                match op {
                    AffineOp::Add => b.binary(arith::ADDI, l, r),
                    AffineOp::Mul => b.binary(arith::MULI, l, r),
                    AffineOp::Mod => emit_mod(b, l, r),
                    AffineOp::FloorDiv => emit_floor_div(b, l, r),
                    AffineOp::CeilDiv => emit_ceil_div(b, l, r),
                }
            }
        }
    }
}

/// Emits `l mod r` for positive `r`: the remainder, plus `r` where negative.
fn emit_mod(b: &mut Builder, l: Value, r: Value) -> Value {
    let remainder = b.binary(arith::REMSI, l, r);
    let zero = b.index_constant(0);
    let negative = CmpIOp::create(b, CmpIPredicate::Slt, remainder, zero);
    let raised = b.binary(arith::ADDI, remainder, r);
    arith::select(b, negative, raised, remainder)
}

/// Emits `l floordiv r` for positive `r`. Division truncates, so a negative `l` goes through
/// `-1 - l`, which is not negative: `floor(l/r) = -1 - floor((-1-l)/r)`.
fn emit_floor_div(b: &mut Builder, l: Value, r: Value) -> Value {
    let (zero, minus_one) = (b.index_constant(0), b.index_constant(-1));
    let negative = CmpIOp::create(b, CmpIPredicate::Slt, l, zero);
    let turned = b.binary(arith::SUBI, minus_one, l);
    let dividend = arith::select(b, negative, turned, l);
    let quotient = b.binary(arith::DIVSI, dividend, r);
    let back = b.binary(arith::SUBI, minus_one, quotient);
    arith::select(b, negative, back, quotient)
}

/// `l ceildiv r` for positive `r`: division truncates, which rounds up where
/// `l <= 0`; where `l > 0` it is `floor((l-1)/r) + 1`. No step that counts can
/// overflow, not even of the least integer.
fn emit_ceil_div(b: &mut Builder, l: Value, r: Value) -> Value {
    let (zero, one) = (b.index_constant(0), b.index_constant(1));
    let positive = CmpIOp::create(b, CmpIPredicate::Sgt, l, zero);
    let less = b.binary(arith::SUBI, l, one);
    let dividend = arith::select(b, positive, less, l);
    let quotient = b.binary(arith::DIVSI, dividend, r);
    let up = b.binary(arith::ADDI, quotient, one);
    arith::select(b, positive, up, quotient)
}
