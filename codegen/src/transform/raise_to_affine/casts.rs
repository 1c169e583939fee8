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
use crate::transform::index_values::op_behind;

/// Depth limit of the chain of operations behind a cast.
const MAX_DEPTH: usize = 12;

/// Integer computed in `index`.
#[derive(Debug)]
pub(in crate::transform) enum Wide {
    Constant(i64),
    /// The `index` value that was cast to the integer.
    Index(Value),
    /// A cast of the integer, right behind its definition.
    Cast(Value),
    Op(OpName, Box<[Wide; 2]>),
    /// Choice between two integers, by a condition.
    Select(Value, Box<[Wide; 2]>),
    /// An integer that the narrow operation computes only where it lies in an interval.
    Tested(Interval, Box<Wide>),
}

impl Wide {
    fn has_index(&self) -> bool {
        match self {
            Wide::Index(_) => true,
            Wide::Constant(_) | Wide::Cast(_) => false,
            Wide::Op(_, sides) | Wide::Select(_, sides) => sides.iter().any(Wide::has_index),
            Wide::Tested(_, wide) => wide.has_index(),
        }
    }

    fn is_tested(&self) -> bool {
        match self {
            Wide::Tested(..) => true,
            Wide::Index(_) | Wide::Constant(_) | Wide::Cast(_) => false,
            Wide::Op(_, sides) | Wide::Select(_, sides) => sides.iter().any(Wide::is_tested),
        }
    }
}

/// What widening does with operations that may wrap around or lose bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::transform) enum Losses {
    /// They stay, as numbers of their own.
    Stay,
    /// They are widened, as [tested](Wide::Tested) integers.
    Tested,
}

impl Losses {
    /// A widened integer that is right where it lies in `needed`, given its interval in unbounded integers
    /// where that is known; `None` where it has to stay.
    fn within(
        self,
        wide: Wide,
        exact: Option<Interval>,
        needed: Interval,
    ) -> Option<(Wide, Interval)> {
        match exact.filter(|exact| exact.is_within(needed)) {
            Some(exact) => Some((wide, exact)),
            None if self == Losses::Tested => Some((Wide::Tested(needed, Box::new(wide)), needed)),
            None => None,
        }
    }
}

/// Whether an operation has the `nsw` flag: it does not overflow as a signed one.
pub(super) fn has_nsw(ctx: &Context, body: &Body, op: OpId) -> bool {
    arith::overflow_flags(ctx, &body[op]) & arith::NO_SIGNED_WRAP != 0
}

/// Whether an integer operation may be widened: its result in `index` is that of the narrow
/// operation. A quotient, a remainder, an extremum, a bitwise combination or a shift to the right of what fits
/// a type fits it, but for the quotient of the least number and -1, which the narrow operation leaves
/// undefined, as it does shifts by its width and more.
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
            | arith::SHLI
            | arith::SHRSI
    )
}

/// Whether an unsigned operation may be widened where its operands are not negative: it is then the
/// signed one.
fn is_widened_unsigned(name: OpName) -> bool {
    matches!(
        name,
        arith::DIVUI | arith::REMUI | arith::MINUI | arith::MAXUI | arith::SHRUI
    )
}

/// The range of a value's integer type, as signed numbers.
pub(in crate::transform) fn range_of(values: &AffineValues, value: Value) -> Option<Interval> {
    let width = values.body.ty(value).signless_width(values.ctx)?;
    let half = 1i128
        .checked_shl(width.checked_sub(1)?)
        .filter(|_| (8..=64).contains(&width))?;
    Some(Interval {
        least: -half,
        most: half - 1,
    })
}

/// The factor of a shift to the left by a known number of bits.
fn power_of_two(bits: Interval) -> Option<Interval> {
    let is_known = bits.least == bits.most && (0..63).contains(&bits.least);
    is_known.then(|| Interval::point(1 << bits.least))
}

/// The part of an interval in which signed and unsigned integers agree.
fn natural(interval: Interval) -> Interval {
    Interval {
        least: 0,
        most: interval.most.max(0),
    }
}

/// Widens an integer: its computation in `index`, and its interval; `None` for a type without a
/// range.
pub(in crate::transform) fn widened(
    values: &mut AffineValues,
    value: Value,
    depth: usize,
    losses: Losses,
) -> Option<(Wide, Interval)> {
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
        // An `index` loses its upper bits in both ways.
        (arith::INDEX_CAST | arith::INDEX_CASTUI, &[source]) => {
            let env = values.environment_at(op);
            let expr = values.exact_expr(source, env);
            let interval = values.interval(expr, env).unwrap_or(Interval::MACHINE);
            let exact = match interval.is_within(range) || is_within(values, op, expr, range) {
                true => interval.meet(range),
                false => interval,
            };
            losses.within(Wide::Index(source), Some(exact), range)
        }
        (arith::EXTSI, &[source]) => widened(values, source, depth + 1, losses),
        (arith::EXTUI, &[source]) => widened(values, source, depth + 1, losses)
            .and_then(|(wide, interval)| losses.within(wide, Some(interval), natural(interval))),
        (arith::SELECT, &[condition, yes, no]) => {
            let (yes, first) = widened(values, yes, depth + 1, losses)?;
            let (no, second) = widened(values, no, depth + 1, losses)?;
            let wide = Wide::Select(condition, Box::new([yes, no]));
            wide.has_index().then_some((wide, first.hull(second)))
        }
        (name, &[l, r]) if is_widened_unsigned(name) => {
            let (left, first) = widened(values, l, depth + 1, losses)?;
            let (right, second) = widened(values, r, depth + 1, losses)?;
            let interval = values.integer_interval(value).meet(range);
            let left = losses.within(left, Some(first), natural(first));
            let right = losses.within(right, Some(second), natural(second));
            (left.zip(right))
                .map(|((left, _), (right, _))| (Wide::Op(name, Box::new([left, right])), interval))
        }
        (arith::TRUNCI, &[source]) => widened(values, source, depth + 1, losses)
            .and_then(|(wide, interval)| losses.within(wide, Some(interval), range)),
        (name, &[l, r]) if is_widened(name) => {
            let (left, first) = widened(values, l, depth + 1, losses)?;
            let (right, second) = widened(values, r, depth + 1, losses)?;
            let exact = match name {
                arith::ADDI => first.plus(second),
                arith::SUBI => second
                    .times(Interval::point(-1))
                    .and_then(|second| first.plus(second)),
                arith::MULI => first.times(second),
                arith::SHLI => power_of_two(second).and_then(|factor| first.times(factor)),
                _ => Some(values.integer_interval(value).meet(range)),
            };
            let wide = Wide::Op(name, Box::new([left, right]));
            // A 64-bit operation wraps around exactly as `index` does.
            let is_alike = range == Interval::MACHINE || has_nsw(ctx, body, op);
            match exact.filter(|exact| exact.is_within(range)) {
                None if is_alike => Some((wide, range)),
                exact => losses.within(wide, exact, range),
            }
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
    // Narrower integers fit a signed index.
    let stays_unsigned = is_unsigned && width == 64;
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
    if stays_unsigned {
        new.set_unsigned(ctx, b.body);
    }
    let block = new.block(b.body);
    b.set(InsertPoint::End(block));
    let counter = new.induction_var(b.body);
    let narrow = b.unary(arith::INDEX_CAST, &[counter], ty);
    let args = b.body[old_block].args.to_vec();
    let mut given = new.iter_args(b.body).to_vec();
    given.insert(0, narrow);
    b.body.move_ops(old_block, block);
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
#[derive(Debug)]
pub(in crate::transform) enum Plan {
    Cast(Wide),
    Compare([Wide; 2]),
}

impl Plan {
    /// The integers that the operation reads.
    pub(in crate::transform) fn integers(&self) -> &[Wide] {
        match self {
            Plan::Cast(wide) => std::slice::from_ref(wide),
            Plan::Compare(sides) => sides,
        }
    }
}

/// Widens the operands of casts to `index`, and of comparisons of cast values. Returns whether
/// anything changed.
pub(super) fn widen(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let mut values = AffineValues::new(ctx, body);
    let plans: Vec<(OpId, Plan)> = ops
        .iter()
        .filter_map(|&op| Some((op, plan(&mut values, op, Losses::Stay)?)))
        .collect();
    apply(ctx, body, &plans);
    !plans.is_empty()
}

/// Applies plans of operations in `index`.
pub(in crate::transform) fn apply(ctx: &Context, body: &mut Body, plans: &[(OpId, Plan)]) {
    let mut writer = Writer {
        casts: HashMap::new(),
    };
    let mut replaced = HashMap::new();
    for (op, plan) in plans {
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
}

/// Plans an operation that computes with counters in `index`, and may lose bits until a test excludes that.
pub(in crate::transform) fn plan_tested(values: &mut AffineValues, op: OpId) -> Option<Plan> {
    let plan = plan(values, op, Losses::Tested)?;
    let integers = plan.integers();
    let pays = integers.iter().any(Wide::is_tested) && integers.iter().any(Wide::has_index);
    pays.then_some(plan)
}

fn plan(values: &mut AffineValues, op: OpId, losses: Losses) -> Option<Plan> {
    let (ctx, body) = (values.ctx, values.body);
    match (body[op].name, &body[op].operands[..]) {
        (arith::INDEX_CAST | arith::INDEX_CASTUI, &[source])
            if body.ty(body[op].result(0)).is_index(ctx) =>
        {
            let (mut wide, interval) = widened(values, source, 0, losses)?;
            if body[op].name == arith::INDEX_CASTUI {
                let known = values.integer_interval(source).meet(interval);
                wide = losses.within(wide, Some(known), natural(known))?.0;
            }
            let is_in_place = matches!(wide, Wide::Cast(value)
                if body.value_block(value) == body[op].parent());
            (!is_in_place).then_some(Plan::Cast(wide))
        }
        (arith::CMPI, &[l, r]) => {
            use CmpIPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt};
            let predicate = CmpIOp(op).predicate(ctx, body);
            let is_signed = matches!(predicate, Eq | Ne | Sge | Sgt | Sle | Slt);
            let sides = [
                widened(values, l, 0, losses)?.0,
                widened(values, r, 0, losses)?.0,
            ];
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
                let ty = b.ctx.index_type();
                let cast = match op_behind(b.body, *value) {
                    Some(next) => {
                        Builder::before(b.ctx, b.body, next).unary(arith::INDEX_CAST, &[*value], ty)
                    }
                    // A used value has an operation after it.
                    None => b.unary(arith::INDEX_CAST, &[*value], ty),
                };
                self.casts.insert(*value, cast);
                cast
            }
            Wide::Tested(_, wide) => self.write(b, wide),
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
