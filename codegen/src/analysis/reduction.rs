//! Reductions: values that a loop carries through one associative operation.
//!
//! ```text
//! %s = affine.for %i = 0 to %n iter_args(%acc = %z) -> f32 {
//!   %x = affine.load %a[%i]
//!   %y = arith.addf %acc, %x                // the only use of %acc
//!   affine.yield %y                         // the only use of %y
//! }
//! ```
//!
//! Carried values are followed from the argument to the yield: through one
//! combining operation after the other, through loops inside that carry it on
//! (counted ones, and `scf.while`, whose trip count data may decide), and through
//! all branches of a conditional. Nothing else may look at the value on its way, so
//! that the loop computes `z op x(0) op x(1) …` and no partial result can be seen.
//!
//! Integer operations are associative and commutative as they wrap around, and
//! so are the extrema of floats: `maximumf` and `minimumf` give NaN if there is
//! one, `maxnumf` and `minnumf` drop it, and all four order zeros by sign. Sums
//! and products of floats are regrouped only where that is allowed.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::arith::{self, REASSOCIATE, fastmath_flags};
use gridloom_dialects::{math, scf};
use gridloom_ir::attr::{AttrKind, Int};
use gridloom_ir::body::{OpData, Uses};
use gridloom_ir::op::Traits;
use gridloom_ir::scalar::FloatFormat;
use gridloom_ir::types::TypeKind;
use gridloom_ir::{Attr, BlockId, Body, Context, OpId, OpName, Type, Value};

use super::load_store::is_load;

/// Reduction: a value that a loop carries and combines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reduction {
    /// Combining operation of two partial results, one of `arith`.
    pub combine: OpName,
    /// The exact neutral element of `combine`.
    pub neutral: Attr,
    /// The type of the value.
    pub ty: Type,
}

/// Refusal to split a reduction into partial results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The combining operation is no known reduction.
    Unknown,
    /// Float reduction by this operation, whose order is fixed.
    KeepsOrder(OpName),
}

/// Depth limit of the loops and conditionals through which a value is followed.
const MAX_DEPTH: usize = 16;

/// Limit of the operations that one carried value passes through.
const MAX_STEPS: usize = 256;

/// The reductions of a loop, one for each value it carries. Floats are
/// regrouped with `reassociate`, or where their operations have the flag.
///
/// # Errors
/// A carried value that is no reduction, or whose order of combination has to be kept.
pub fn reductions_of(
    ctx: &Context,
    body: &Body,
    uses: &Uses,
    op: ForOp,
    reassociate: bool,
) -> Result<Vec<Reduction>, Refusal> {
    (0..op.iter_args(body).len())
        .map(|position| reduction_at(ctx, body, uses, op, position, reassociate))
        .collect()
}

/// The reduction of one of the values that a loop carries.
///
/// # Errors
/// As of [`reductions_of`].
pub fn reduction_at(
    ctx: &Context,
    body: &Body,
    uses: &Uses,
    op: ForOp,
    position: usize,
    reassociate: bool,
) -> Result<Reduction, Refusal> {
    let mut path = Path {
        ctx,
        body,
        uses,
        kind: None,
        keeps_order: false,
        steps: 0,
    };
    let arg = op.iter_args(body)[position];
    if path.follow(arg, op.block(body), 0) != Some(position) {
        return Err(Refusal::Unknown);
    }
    let combine = path.kind.ok_or(Refusal::Unknown)?;
    if path.keeps_order && !reassociate {
        return Err(Refusal::KeepsOrder(combine));
    }
    let ty = body.ty(arg);
    let neutral = neutral_element(ctx, combine, ty).ok_or(Refusal::Unknown)?;
    Ok(Reduction {
        combine,
        neutral,
        ty,
    })
}

/// The perfect nest of reductions from `root` inwards: each loop passes its carried values to the
/// next one, and its other operations can be repeated.
pub fn reduction_nest(ctx: &Context, body: &Body, root: ForOp) -> Vec<ForOp> {
    let mut nest = vec![root];
    while let Some(&outer) = nest.last() {
        let ops: Vec<OpId> = body.ops(outer.block(body)).collect();
        let [before @ .., inner, _] = &ops[..] else {
            break;
        };
        let Some(inner) = ForOp::cast(body, *inner) else {
            break;
        };
        let is_simple = inner.lower(ctx, body).map.results(ctx).len() == 1;
        let is_repeated = before.iter().all(|&op| is_repeatable(body, op));
        if !is_simple || !is_repeated || !hands_on(ctx, body, outer, inner) {
            break;
        }
        nest.push(inner);
    }
    nest
}

/// Whether the inner loop of a nest begins with the values that the outer one carries, and the outer one yields
/// what the inner one results in. Nothing else may use what the outer one carries: such a use sees the value from
/// before the inner loop, of which nothing is left where the two become one.
pub fn hands_on(ctx: &Context, body: &Body, outer: ForOp, inner: ForOp) -> bool {
    let args = outer.iter_args(body);
    let is_handed = inner.inits(ctx, body) == args
        && (body[inner.0].results()).eq(outer.yielded(body).iter().copied());
    let uses = || {
        let below = body.walk_op(outer.0).into_iter();
        let operands = below.flat_map(|op| body[op].operands.iter());
        operands.filter(|value| args.contains(value)).count()
    };
    is_handed && (args.is_empty() || uses() == args.len())
}

/// Whether an operation computes or loads a value and does nothing else.
pub fn is_repeatable(body: &Body, op: OpId) -> bool {
    let is_plain = body[op].inline_regions().is_empty();
    is_plain && (is_load(body, op) || body[op].name.has(Traits::PURE))
}

/// Def-use path of a carried value through a loop.
struct Path<'a> {
    ctx: &'a Context,
    body: &'a Body,
    uses: &'a Uses,
    kind: Option<OpName>,
    /// Whether an operation on the path lacks the flag that lets it be regrouped.
    keeps_order: bool,
    steps: usize,
}

impl Path<'_> {
    /// Follows a value to the terminator of a block. Returns the number of the terminator's operand
    /// that the value becomes.
    fn follow(&mut self, mut value: Value, block: BlockId, depth: usize) -> Option<usize> {
        if depth > MAX_DEPTH {
            return None;
        }
        loop {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return None;
            }
            let users = self.users(value, block)?;
            value = match users[..] {
                [(op, operand)] if self.body[op].name.has(Traits::TERMINATOR) => {
                    return Some(operand);
                }
                [(op, operand)] => self.through(op, operand, value, depth)?,
                [(first, _), (select, _)] if self.body[select].name == arith::SELECT => {
                    self.through_select(first, select, value, block)?
                }
                [(first, _), ..] if users.iter().all(|&(op, _)| op == first) => {
                    self.through_branches(first, value, depth)?
                }
                _ => return None,
            };
        }
    }

    /// The operations of a block that use a value, directly or in a region, each with the operand;
    /// `None` if there are too many.
    fn users(&self, value: Value, block: BlockId) -> Option<Vec<(OpId, usize)>> {
        let mut found = Vec::new();
        for user in self.uses.of(value) {
            // Uses in the other branch of a conditional are followed on that branch.
            let Some(op) = self.body.ancestor_in_block(user.op, block) else {
                continue;
            };
            found.push((op, user.operand as usize));
            if found.len() > MAX_DEPTH {
                return None;
            }
        }
        Some(found)
    }

    /// The value that the sole user computes from `value`.
    fn through(&mut self, op: OpId, operand: usize, value: Value, depth: usize) -> Option<Value> {
        let body = self.body;
        if body[op].inline_regions().is_empty() {
            self.combine(op, operand)?;
            return Some(body[op].result(0));
        }
        if body[op].operands.get(operand) != Some(&value) {
            return self.through_branches(op, value, depth);
        }
        match body[op].name {
            affine::FOR => {
                let inner = ForOp(op);
                let first = body[op].operands.len() - inner.inits(self.ctx, body).len();
                let position = operand.checked_sub(first)?;
                let args = inner.iter_args(body);
                self.through_counted(op, position, args, inner.block(body), depth)
            }
            scf::FOR => {
                let inner = scf::ForOp(op);
                let position =
                    operand.checked_sub(body[op].operands.len() - inner.inits(body).len())?;
                let args = inner.iter_args(body);
                self.through_counted(op, position, args, inner.block(body), depth)
            }
            scf::WHILE => self.through_while(scf::WhileOp(op), operand, depth),
            _ => None,
        }
    }

    /// Follows a value through a counted loop, which has to yield it in its place.
    fn through_counted(
        &mut self,
        op: OpId,
        position: usize,
        args: &[Value],
        block: BlockId,
        depth: usize,
    ) -> Option<Value> {
        let end = self.follow(*args.get(position)?, block, depth + 1)?;
        (end == position).then(|| self.body[op].result(position))
    }

    /// Follows a value through `scf.while`: the first region has to hand it to the second one and out of the
    /// loop, the second one to yield it in its place.
    fn through_while(&mut self, op: scf::WhileOp, position: usize, depth: usize) -> Option<Value> {
        let body = self.body;
        let (before, after) = (op.before(body), op.after(body));
        let tested = *body[before].args.get(position)?;
        // The first operand of `scf.condition` is the condition.
        let handed = self.follow(tested, before, depth + 1)?.checked_sub(1)?;
        let arg = *body[after].args.get(handed)?;
        let end = self.follow(arg, after, depth + 1)?;
        (end == position).then(|| body[op.0].result(handed))
    }

    /// Follows a value through a conditional, each branch of which has to pass it on.
    fn through_branches(&mut self, op: OpId, value: Value, depth: usize) -> Option<Value> {
        let body = self.body;
        let is_conditional = matches!(body[op].name, affine::IF | scf::IF | scf::INDEX_SWITCH);
        if !is_conditional || body[op].operands.contains(&value) {
            return None;
        }
        let mut end = None;
        for region in 0..body[op].inline_regions().len() {
            let block = body.region_block(op, region)?;
            let position = self.follow(value, block, depth + 1)?;
            if *end.get_or_insert(position) != position {
                return None;
            }
        }
        end.map(|position| body[op].result(position))
    }

    /// `select %c, (%v op %x), %v`, or the other way round.
    fn through_select(
        &mut self,
        first: OpId,
        select: OpId,
        value: Value,
        block: BlockId,
    ) -> Option<Value> {
        let body = self.body;
        let position = |op: OpId, value| body[op].operands.iter().position(|&v| v == value);
        self.combine(first, position(first, value)?)?;
        let combined = body[first].result(0);
        let is_only = matches!(self.users(combined, block)?[..], [(op, 1 | 2)] if op == select);
        let is_arm = matches!(position(select, value)?, 1 | 2);
        (is_only && is_arm).then(|| body[select].result(0))
    }

    /// Matches an operation as one combining step of the reduction.
    fn combine(&mut self, op: OpId, operand: usize) -> Option<()> {
        let (kind, keeps_order) = combined_by(self.ctx, &self.body[op], operand)?;
        self.keeps_order |= keeps_order;
        (*self.kind.get_or_insert(kind) == kind).then_some(())
    }
}

/// The associative and commutative operation that combines one operand with the others, and whether
/// flags of its own forbid regrouping; `None` if it is no such operation.
pub fn combined_by(ctx: &Context, data: &OpData, operand: usize) -> Option<(OpName, bool)> {
    let is_regrouped = fastmath_flags(ctx, data) & REASSOCIATE != 0;
    let found = match (data.name, operand) {
        (arith::SUBI, 0) => (arith::ADDI, false),
        (arith::SUBF, 0) | (math::FMA, 2) => (arith::ADDF, !is_regrouped),
        (arith::ADDF | arith::MULF, _) => (data.name, !is_regrouped),
        (
            arith::ADDI
            | arith::MULI
            | arith::ANDI
            | arith::ORI
            | arith::XORI
            | arith::MAXSI
            | arith::MAXUI
            | arith::MINSI
            | arith::MINUI
            | arith::MAXIMUMF
            | arith::MINIMUMF
            | arith::MAXNUMF
            | arith::MINNUMF,
            _,
        ) => (data.name, false),
        _ => return None,
    };
    Some(found)
}

/// The exact neutral element of a combining operation: `x op n` has the bits of
/// `x` for every `x` but NaN. The sum's is -0, since `-0 + 0` is 0.
pub fn neutral_element(ctx: &Context, combine: OpName, ty: Type) -> Option<Attr> {
    let width = match ty.kind(ctx) {
        TypeKind::Index => 64,
        TypeKind::Integer { width, .. } => *width,
        _ => 0,
    };
    let top = || {
        let top = 1i128.checked_shl(width.checked_sub(1)?)?;
        (width <= 64).then_some(top)
    };
    match combine {
        arith::ADDF => float_attr(ctx, ty, -0.0),
        arith::MULF => float_attr(ctx, ty, 1.0),
        arith::MAXIMUMF => float_attr(ctx, ty, f64::NEG_INFINITY),
        arith::MINIMUMF => float_attr(ctx, ty, f64::INFINITY),
        arith::MAXNUMF | arith::MINNUMF => float_attr(ctx, ty, f64::NAN),
        arith::ADDI | arith::ORI | arith::XORI | arith::MAXUI => int_attr(ctx, ty, 0),
        arith::MULI => int_attr(ctx, ty, 1),
        arith::ANDI | arith::MINUI => int_attr(ctx, ty, -1),
        arith::MAXSI => int_attr(ctx, ty, -top()?),
        arith::MINSI => int_attr(ctx, ty, top()? - 1),
        _ => None,
    }
}

/// An attribute of an integer or index type.
pub fn int_attr(ctx: &Context, ty: Type, value: i128) -> Option<Attr> {
    let is_int = ty.is_index(ctx) || ty.signless_width(ctx).is_some();
    // `i1` is stored as 0 and 1, every other width sign-extended.
    let value = if ty == ctx.bool_type() {
        value & 1
    } else {
        value
    };
    let value = Int::Small(value);
    is_int.then(|| ctx.intern_attr(AttrKind::Integer { ty, value }))
}

/// The zero of an integer, index or float type.
pub fn zero(ctx: &Context, ty: Type) -> Option<Attr> {
    int_attr(ctx, ty, 0).or_else(|| float_attr(ctx, ty, 0.0))
}

/// A float attribute for a number, infinity or NaN that the format of a type has; `None` for others.
pub fn float_attr(ctx: &Context, ty: Type, value: f64) -> Option<Attr> {
    let format = FloatFormat::of(ty.float_kind(ctx)?)?;
    let bits = format.kind.from_f64(value);
    let encoded = format.kind.to_f64(bits);
    let is_exact = encoded == value || encoded.is_nan() && value.is_nan();
    let bits = bits.into();
    is_exact.then(|| ctx.intern_attr(AttrKind::Float { ty, bits }))
}
