//! Widening to `index`: rewrites index arithmetic in other integer types, as front ends for C emit
//! it.
//!
//! ```text
//! %w = arith.index_cast %i : index to i32
//! %n = arith.addi %w, %c1 overflow<nsw> : i32   ⇒   %k = arith.addi %i, %c1 : index
//! %k = arith.index_cast %n : i32 to index
//!
//! scf.for %i = %l to %u step %s : i32           ⇒   scf.for %k = … {
//!                                                     %i = arith.index_cast %k : index to i32
//! ```
//!
//! Legal where the narrow operation does not wrap around: it says `nsw`, or intervals prove it; one
//! of 64 bits wraps around as `index` does. Unsigned operations and casts are signed ones of numbers
//! that intervals prove not to be negative. Casts of remaining integers are placed at their
//! definition, so that they are symbols where the integers are. Loops count up to their bound in
//! any type.

use std::collections::HashMap;

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, OpName, Value};

use crate::analysis::bounds::is_within;
use crate::analysis::interval::Interval;
use crate::analysis::values::AffineValues;

/// Depth limit of the chain of operations behind a cast.
const MAX_DEPTH: usize = 12;

/// Integer computed in `index`.
enum Wide {
    Constant(i64),
    /// The `index` value that was cast to the integer.
    Index(Value),
    /// A cast of the integer, right behind its definition.
    Cast(Value),
    Op(OpName, Box<[Wide; 2]>),
    /// Choice between two integers, by a condition.
    Select(Value, Box<[Wide; 2]>),
}

impl Wide {
    fn has_index(&self) -> bool {
        match self {
            Wide::Index(_) => true,
            Wide::Constant(_) | Wide::Cast(_) => false,
            Wide::Op(_, sides) | Wide::Select(_, sides) => sides.iter().any(Wide::has_index),
        }
    }
}

/// Whether an operation has the `nsw` flag: it does not overflow as a signed one.
pub(super) fn has_nsw(ctx: &Context, body: &Body, op: OpId) -> bool {
    arith::overflow_flags(ctx, &body[op]) & arith::NO_SIGNED_WRAP != 0
}

/// Whether an integer operation may be widened: its result in `index` is that of the narrow
/// operation. A quotient, a remainder, an extremum or a bitwise combination of what fits a type
/// fits it, but for the quotient of the least number and -1, which the narrow operation leaves
/// undefined.
fn is_widened(name: OpName) -> bool {
    matches!(
        name,
        arith::ADDI
            | arith::SUBI
            | arith::MULI
            | arith::DIVSI
            | arith::REMSI
            | arith::MINSI
            | arith::MAXSI
            | arith::ANDI
            | arith::ORI
            | arith::XORI
    )
}

/// Whether an unsigned operation may be widened where its operands are not negative: it is then the
/// signed one.
fn is_widened_unsigned(name: OpName) -> bool {
    matches!(
        name,
        arith::DIVUI | arith::REMUI | arith::MINUI | arith::MAXUI
    )
}

/// The range of a value's integer type, as signed numbers.
pub(super) fn range_of(values: &AffineValues, value: Value) -> Option<Interval> {
    let width = values.body.ty(value).signless_width(values.ctx)?;
    let half = 1i128
        .checked_shl(width.checked_sub(1)?)
        .filter(|_| (8..=64).contains(&width))?;
    Some(Interval {
        least: -half,
        most: half - 1,
    })
}

/// Widens an integer: its computation in `index`, and its interval; `None` for a type without a
/// range.
fn widened(values: &mut AffineValues, value: Value, depth: usize) -> Option<(Wide, Interval)> {
    let (ctx, body) = (values.ctx, values.body);
    let range = range_of(values, value)?;
    let known = match depth {
        // A cast by itself needs no bounds.
        0 => range,
        _ => values.integer_interval(value).meet(range),
    };
    let leaf = (Wide::Cast(value), known);
    let Some(op) = body.defining_op(value).filter(|_| depth < MAX_DEPTH) else {
        return Some(leaf);
    };
    let name = body[op].name;
    if let Some(number) = arith::constant_int(ctx, body, value) {
        return Some((Wide::Constant(number), Interval::point(number.into())));
    }
    let found = match (name, &body[op].operands[..]) {
        (arith::INDEX_CAST, &[source]) => {
            let env = values.environment_at(op);
            let expr = values.exact_expr(source, env);
            let interval = values.interval(expr, env).unwrap_or(Interval::MACHINE);
            let keeps_number = interval.is_within(range) || is_within(values, op, expr, range);
            keeps_number.then(|| (Wide::Index(source), interval.meet(range)))
        }
        (arith::EXTSI, &[source]) => widened(values, source, depth + 1),
        (arith::EXTUI, &[source]) => {
            widened(values, source, depth + 1).filter(|(_, interval)| interval.least >= 0)
        }
        (arith::SELECT, &[condition, yes, no]) => {
            let (yes, first) = widened(values, yes, depth + 1)?;
            let (no, second) = widened(values, no, depth + 1)?;
            let wide = Wide::Select(condition, Box::new([yes, no]));
            wide.has_index().then_some((wide, first.hull(second)))
        }
        (name, &[l, r]) if is_widened_unsigned(name) => {
            let (left, first) = widened(values, l, depth + 1)?;
            let (right, second) = widened(values, r, depth + 1)?;
            let interval = values.integer_interval(value).meet(range);
            let are_natural = first.least >= 0 && second.least >= 0;
            are_natural.then(|| (Wide::Op(name, Box::new([left, right])), interval))
        }
        (arith::TRUNCI, &[source]) => {
            widened(values, source, depth + 1).filter(|(_, interval)| interval.is_within(range))
        }
        (name, &[l, r]) if is_widened(name) => {
            let (left, first) = widened(values, l, depth + 1)?;
            let (right, second) = widened(values, r, depth + 1)?;
            let exact = match name {
                arith::ADDI => first.plus(second),
                arith::SUBI => second
                    .times(Interval::point(-1))
                    .and_then(|second| first.plus(second)),
                arith::MULI => first.times(second),
                _ => Some(values.integer_interval(value).meet(range)),
            };
            let exact = exact.filter(|exact| exact.is_within(range));
            // A 64-bit operation wraps around exactly as `index` does.
            let wraps_alike = range == Interval::MACHINE;
            let interval =
                exact.or_else(|| (wraps_alike || has_nsw(ctx, body, op)).then_some(range));
            interval.map(|interval| (Wide::Op(name, Box::new([left, right])), interval))
        }
        _ => None,
    };
    Some(found.unwrap_or(leaf))
}

/// Rewrites loops, casts and comparisons among `ops`. Returns whether there was
/// one.
pub(super) fn to_index(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let mut changed = false;
    for &op in ops {
        if let Some(op) = scf::ForOp::cast(body, op) {
            changed |= loop_to_index(ctx, body, op).is_some();
        }
    }
    changed
}

/// Rewrites the counter of a loop to an `index`.
fn loop_to_index(ctx: &Context, body: &mut Body, op: scf::ForOp) -> Option<()> {
    let bounds = [op.lower(body), op.upper(body), op.step(body)];
    let ty = body.ty(bounds[0]);
    let width = ty
        .signless_width(ctx)
        .filter(|width| (8..=64).contains(width))?;
    let is_unsigned = op.is_unsigned(ctx, body);
    if is_unsigned && width == 64 {
        return None;
    }
    let cast = match is_unsigned {
        true => arith::INDEX_CASTUI,
        false => arith::INDEX_CAST,
    };
    let inits = op.inits(body).to_vec();
    let (attributes, old_block) = (body[op.0].attributes, op.block(body));
    let mut b = Builder::before(ctx, body, op.0);
    let [lower, upper, step] = bounds.map(|bound| match arith::constant_int(ctx, b.body, bound) {
        Some(number) if number >= 0 => b.index_constant(number),
        _ => b.unary(cast, &[bound], ctx.index_type()),
    });
    let new = scf::ForOp::create(&mut b, lower, upper, step, &inits);
    b.body[new.0].attributes = attributes;
    let block = new.block(b.body);
    b.set(InsertPoint::End(block));
    let counter = new.induction_var(b.body);
    let narrow = b.unary(arith::INDEX_CAST, &[counter], ty);
    let args = b.body[old_block].args.to_vec();
    let mut given = new.iter_args(b.body).to_vec();
    given.insert(0, narrow);
    for op in b.body.ops(old_block).collect::<Vec<_>>() {
        b.body.detach(op);
        b.body.append(block, op);
    }
    let given: HashMap<Value, Value> = args.into_iter().zip(given).collect();
    let replaced = |map: &HashMap<Value, Value>, value| map.get(&value).copied().unwrap_or(value);
    body.replace_values_in(new.0, |value| replaced(&given, value));
    let results: HashMap<Value, Value> = body[op.0].results().zip(body[new.0].results()).collect();
    if !results.is_empty() {
        body.replace_values(|value| replaced(&results, value));
    }
    body.erase(op.0);
    Some(())
}

/// Plan of an operation in `index`.
enum Plan {
    Cast(Wide),
    Compare([Wide; 2]),
}

/// Widens the operands of casts to `index`, and of comparisons of cast values. Returns whether
/// anything changed.
pub(super) fn widen(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let mut values = AffineValues::new(ctx, body);
    let plans: Vec<(OpId, Plan)> = ops
        .iter()
        .filter_map(|&op| Some((op, plan(&mut values, op)?)))
        .collect();
    let mut writer = Writer {
        casts: HashMap::new(),
    };
    let mut replaced = HashMap::new();
    for (op, plan) in &plans {
        let mut b = Builder::before(ctx, body, *op);
        match plan {
            Plan::Cast(wide) => {
                let value = writer.write(&mut b, wide);
                replaced.insert(body[*op].result(0), value);
                body.erase(*op);
            }
            Plan::Compare(sides) => {
                let sides = sides.each_ref().map(|side| writer.write(&mut b, side));
                body[*op].operands = sides[..].into();
            }
        }
    }
    let resolve = |mut value: Value| {
        while let Some(&next) = replaced.get(&value) {
            value = next;
        }
        value
    };
    if !replaced.is_empty() {
        body.replace_values(resolve);
    }
    !plans.is_empty()
}

fn plan(values: &mut AffineValues, op: OpId) -> Option<Plan> {
    let (ctx, body) = (values.ctx, values.body);
    match (body[op].name, &body[op].operands[..]) {
        (arith::INDEX_CAST | arith::INDEX_CASTUI, &[source])
            if body.ty(body[op].result(0)).is_index(ctx) =>
        {
            let (wide, interval) = widened(values, source, 0)?;
            if body[op].name == arith::INDEX_CASTUI
                && values.integer_interval(source).meet(interval).least < 0
            {
                return None;
            }
            let is_in_place = matches!(wide, Wide::Cast(value)
                if body.value_block(value) == body[op].parent());
            (!is_in_place).then_some(Plan::Cast(wide))
        }
        (arith::CMPI, &[l, r]) => {
            use CmpIPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt};
            let predicate = CmpIOp(op).predicate(ctx, body);
            let is_signed = matches!(predicate, Eq | Ne | Sge | Sgt | Sle | Slt);
            let sides = [widened(values, l, 0)?.0, widened(values, r, 0)?.0];
            (is_signed && sides.iter().any(Wide::has_index)).then_some(Plan::Compare(sides))
        }
        _ => None,
    }
}

struct Writer {
    casts: HashMap<Value, Value>,
}

impl Writer {
    /// Emits a widened integer. Recursion is bounded by [`MAX_DEPTH`].
    fn write(&mut self, b: &mut Builder, wide: &Wide) -> Value {
        match wide {
            Wide::Constant(number) => b.index_constant(*number),
            Wide::Index(value) => *value,
            Wide::Cast(value) => {
                if let Some(&known) = self.casts.get(value) {
                    return known;
                }
                let next = match b.body.defining_op(*value) {
                    Some(op) => b.body[op].next(),
                    None => b.body.value_block(*value).and_then(|at| b.body[at].first()),
                };
                let ty = b.ctx.index_type();
                let cast = match next {
                    Some(next) => {
                        Builder::before(b.ctx, b.body, next).unary(arith::INDEX_CAST, &[*value], ty)
                    }
                    // A used value has an operation after it.
                    None => b.unary(arith::INDEX_CAST, &[*value], ty),
                };
                self.casts.insert(*value, cast);
                cast
            }
            Wide::Op(name, sides) => {
                let [l, r] = &**sides;
                let (l, r) = (self.write(b, l), self.write(b, r));
                b.binary(*name, l, r)
            }
            Wide::Select(condition, sides) => {
                let [yes, no] = sides.each_ref().map(|side| self.write(b, side));
                arith::select(b, *condition, yes, no)
            }
        }
    }
}
