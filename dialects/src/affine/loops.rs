//! Loops: `affine.for`, `affine.parallel`, and the `affine.yield` that ends
//! the bodies of both.

use crate::verified::{region_block, required, required_map, yielded};
use gridloom_ir::affine::AffineMap;
use gridloom_ir::attr::{Attr, AttrKind, DenseData, Int};
use gridloom_ir::attr_names;
use gridloom_ir::body::{BlockId, Body, OpId, Value};
use gridloom_ir::builder::{Builder, InsertPoint};
use gridloom_ir::clone::IrMapping;
use gridloom_ir::context::Context;
use gridloom_ir::fold::{FoldCx, FoldResult, Folded};
use gridloom_ir::location::Loc;

op_view! {
    /// `affine.for`: a loop from the greatest of the lower bounds up to, and without, the least of
    /// the upper bounds.
    ForOp = super::FOR
}

/// A bound of a loop: a map and its operands, dimensions first.
#[derive(Clone, Copy, Debug)]
pub struct Bound<'a> {
    /// Bound map: the maximum of its results is the lower bound, their minimum the upper bound.
    pub map: AffineMap,
    /// As many values as the map has inputs.
    pub operands: &'a [Value],
}

impl Bound<'static> {
    /// A constant bound.
    pub fn constant(ctx: &Context, value: i64) -> Self {
        Bound {
            map: ctx.constant_map(value),
            operands: &[],
        }
    }
}

impl ForOp {
    /// Makes a loop with an empty body block; `yield_values` ends it.
    pub fn create(
        b: &mut Builder,
        lower: Bound,
        upper: Bound,
        step: i64,
        inits: &[Value],
    ) -> ForOp {
        let ctx = b.ctx;
        let types: Vec<_> = inits.iter().map(|&init| b.body.ty(init)).collect();
        let operands = [lower.operands, upper.operands, inits];
        let sizes = operands.map(|group| group.len() as i32);
        let state = b
            .state(super::FOR)
            .operands(&operands.concat())
            .results(&types)
            .property(ctx, attr_names::LOWER_BOUND_MAP, ctx.map_attr(lower.map))
            .property(ctx, attr_names::UPPER_BOUND_MAP, ctx.map_attr(upper.map))
            .property(ctx, attr_names::STEP, ctx.index_attr(step))
            .property(
                ctx,
                attr_names::OPERAND_SEGMENT_SIZES,
                ctx.i32_array_attr(&sizes),
            );
        let op = b.create(state);
        let region = b.body.add_region(op);
        let block = b.body.add_block(region, &[ctx.index_type()]);
        for ty in types {
            b.body.add_argument(block, ty, Loc::UNKNOWN);
        }
        ForOp(op)
    }

    /// Makes a loop with the bounds and the step of this one and an empty body block; `map` renames the values that the
    /// bounds mention.
    pub fn create_like(self, b: &mut Builder, map: &IrMapping, inits: &[Value]) -> ForOp {
        let (lower, upper, _) = self.operands(b.ctx, b.body);
        let step = self.step(b.ctx, b.body);
        let renamed = |end: Bound| -> Vec<Value> {
            let operands = end.operands.iter();
            operands.map(|&value| map.value(value)).collect()
        };
        let (low, high) = (renamed(lower), renamed(upper));
        let lower = Bound {
            map: lower.map,
            operands: &low,
        };
        let upper = Bound {
            map: upper.map,
            operands: &high,
        };
        ForOp::create(b, lower, upper, step, inits)
    }

    /// The lower bound.
    pub fn lower<'b>(self, ctx: &Context, body: &'b Body) -> Bound<'b> {
        Bound {
            map: required_map(ctx, &body[self.0], attr_names::LOWER_BOUND_MAP),
            operands: body[self.0].operand_segment(ctx, 0),
        }
    }

    /// The upper bound.
    pub fn upper<'b>(self, ctx: &Context, body: &'b Body) -> Bound<'b> {
        Bound {
            map: required_map(ctx, &body[self.0], attr_names::UPPER_BOUND_MAP),
            operands: body[self.0].operand_segment(ctx, 1),
        }
    }

    /// Returns the operands of the lower bound, those of the upper bound, and the inits.
    pub fn operands<'b>(
        self,
        ctx: &Context,
        body: &'b Body,
    ) -> (Bound<'b>, Bound<'b>, &'b [Value]) {
        let parts = self.parts(ctx, body);
        (parts.lower, parts.upper, parts.inits)
    }

    /// Reads all fields of the operation but its region, in one pass over its attributes.
    pub(super) fn parts<'b>(self, ctx: &Context, body: &'b Body) -> ForParts<'b> {
        let data = &body[self.0];
        let names = [
            attr_names::LOWER_BOUND_MAP,
            attr_names::OPERAND_SEGMENT_SIZES,
            attr_names::STEP,
            attr_names::UPPER_BOUND_MAP,
        ];
        let [lower, sizes, step, upper] = data.attrs(ctx, names);
        let map = |attr: Option<Attr>| attr.and_then(|attr| attr.as_map(ctx)).expect(MAP);
        let [low, high, inits] = data.segments_of(ctx, sizes);
        ForParts {
            lower: Bound {
                map: map(lower),
                operands: low,
            },
            upper: Bound {
                map: map(upper),
                operands: high,
            },
            step: step.and_then(|step| step.as_i64(ctx)),
            inits,
        }
    }

    /// The lower bound, if it is one constant.
    pub fn constant_lower(self, ctx: &Context, body: &Body) -> Option<i64> {
        self.lower(ctx, body).map.as_single_constant(ctx)
    }

    /// The upper bound, if it is one constant.
    pub fn constant_upper(self, ctx: &Context, body: &Body) -> Option<i64> {
        self.upper(ctx, body).map.as_single_constant(ctx)
    }

    /// The trip count, if both bounds are constant.
    pub fn constant_trip_count(self, ctx: &Context, body: &Body) -> Option<u64> {
        let lower = self.constant_lower(ctx, body)?;
        let upper = self.constant_upper(ctx, body)?;
        if upper <= lower {
            return Some(0);
        }
        Some(
            upper
                .abs_diff(lower)
                .div_ceil(self.step(ctx, body).unsigned_abs()),
        )
    }

    /// The trip count of a loop with constant bounds, if 63 bits hold it.
    pub fn signed_trip_count(self, ctx: &Context, body: &Body) -> Option<i64> {
        i64::try_from(self.constant_trip_count(ctx, body)?).ok()
    }

    /// The step, at least 1.
    pub fn step(self, ctx: &Context, body: &Body) -> i64 {
        let step = required(ctx, &body[self.0], attr_names::STEP).as_i64(ctx);
        step.expect("a verified step fits 64 bits")
    }

    /// Replaces the lower bound.
    pub fn set_lower(self, ctx: &Context, body: &mut Body, bound: Bound) {
        body[self.0].set_property(ctx, attr_names::LOWER_BOUND_MAP, ctx.map_attr(bound.map));
        body[self.0].set_operand_segment(ctx, 0, bound.operands);
    }

    /// Replaces the upper bound.
    pub fn set_upper(self, ctx: &Context, body: &mut Body, bound: Bound) {
        body[self.0].set_property(ctx, attr_names::UPPER_BOUND_MAP, ctx.map_attr(bound.map));
        body[self.0].set_operand_segment(ctx, 1, bound.operands);
    }

    /// Replaces the step.
    pub fn set_step(self, ctx: &Context, body: &mut Body, step: i64) {
        body[self.0].set_property(ctx, attr_names::STEP, ctx.index_attr(step));
    }

    /// The inits: initial values of the iteration arguments.
    pub fn inits<'b>(self, ctx: &Context, body: &'b Body) -> &'b [Value] {
        body[self.0].operand_segment(ctx, 2)
    }

    /// The body.
    pub fn block(self, body: &Body) -> BlockId {
        region_block(body, self.0, 0)
    }

    /// The induction variable.
    pub fn induction_var(self, body: &Body) -> Value {
        body[self.block(body)].args[0]
    }

    /// The iteration arguments.
    pub fn iter_args(self, body: &Body) -> &[Value] {
        &body[self.block(body)].args[1..]
    }

    /// The operations of the body, without its terminator.
    pub fn statements(self, body: &Body) -> Vec<OpId> {
        body.without_terminator(self.block(body))
    }

    /// The values that the body yields to the next iteration.
    pub fn yielded(self, body: &Body) -> &[Value] {
        yielded(body, self.block(body))
    }
}

op_view! {
    /// `affine.parallel`: a band of loops whose iterations may run in any order.
    ParallelOp = super::PARALLEL
}

impl ParallelOp {
    /// Makes a band from 0 up to one bound for each dimension, in steps of 1,
    /// with a body block that ends.
    pub fn create(b: &mut Builder, upper: Bound) -> ParallelOp {
        let ctx = b.ctx;
        let dims = upper.map.results(ctx).len();
        let ones = vec![Int::Small(1); dims];
        let groups_type = ctx.tensor_type(&[dims as i64], ctx.int_type(32));
        let groups = ctx.dense_ints_attr(groups_type, &ones);
        let zeros = vec![ctx.affine_const(0); dims];
        let lower = ctx.affine_map(0, 0, &zeros);
        let steps = vec![ctx.i64_attr(1); dims];
        let state = b
            .state(super::PARALLEL)
            .operands(upper.operands)
            .property(ctx, "lowerBoundsMap", ctx.map_attr(lower))
            .property(ctx, "lowerBoundsGroups", groups)
            .property(ctx, "upperBoundsMap", ctx.map_attr(upper.map))
            .property(ctx, "upperBoundsGroups", groups)
            .property(ctx, "steps", ctx.array_attr(&steps))
            .property(ctx, "reductions", ctx.array_attr(&[]));
        let op = b.create(state);
        let region = b.body.add_region(op);
        let block = b.body.add_block(region, &vec![ctx.index_type(); dims]);
        yield_values(b, block, &[]);
        ParallelOp(op)
    }

    /// All lower bounds of all dimensions; [`ParallelOp::lower_groups`] gives the number for each
    /// dimension.
    pub fn lower<'b>(self, ctx: &Context, body: &'b Body) -> Bound<'b> {
        let map = required_map(ctx, &body[self.0], "lowerBoundsMap");
        let operands = &body[self.0].operands[..map.num_inputs(ctx)];
        Bound { map, operands }
    }

    /// All upper bounds of all dimensions.
    pub fn upper<'b>(self, ctx: &Context, body: &'b Body) -> Bound<'b> {
        let lower = self.lower(ctx, body).map.num_inputs(ctx);
        let map = required_map(ctx, &body[self.0], "upperBoundsMap");
        let operands = &body[self.0].operands[lower..];
        Bound { map, operands }
    }

    /// The number of results of the lower bound map for each dimension.
    pub fn lower_groups(self, ctx: &Context, body: &Body) -> Vec<i32> {
        i32_elements(ctx, body, self, "lowerBoundsGroups")
    }

    /// The number of results of the upper bound map for each dimension.
    pub fn upper_groups(self, ctx: &Context, body: &Body) -> Vec<i32> {
        i32_elements(ctx, body, self, "upperBoundsGroups")
    }

    /// The step of each dimension.
    pub fn steps(self, ctx: &Context, body: &Body) -> Vec<i64> {
        let steps = required(ctx, &body[self.0], "steps").as_array(ctx);
        let steps = steps.unwrap_or(&[]);
        steps.iter().filter_map(|step| step.as_i64(ctx)).collect()
    }

    /// The reduction of each result: values of `arith`'s `AtomicRMWKind`.
    pub fn reductions(self, ctx: &Context, body: &Body) -> Vec<i64> {
        let kinds = required(ctx, &body[self.0], "reductions").as_array(ctx);
        let kinds = kinds.unwrap_or(&[]);
        kinds.iter().filter_map(|kind| kind.as_i64(ctx)).collect()
    }

    /// The body.
    pub fn block(self, body: &Body) -> BlockId {
        region_block(body, self.0, 0)
    }

    /// The induction variables.
    pub fn induction_vars(self, body: &Body) -> &[Value] {
        &body[self.block(body)].args
    }

    /// The values that each iteration contributes to the reductions.
    pub fn yielded(self, body: &Body) -> &[Value] {
        yielded(body, self.block(body))
    }
}

fn i32_elements(ctx: &Context, body: &Body, op: ParallelOp, name: &str) -> Vec<i32> {
    let AttrKind::Dense { ty, data } = required(ctx, &body[op.0], name).kind(ctx) else {
        return Vec::new();
    };
    let word = |bytes: &[u8]| bytes.first_chunk().map(|b| i32::from_le_bytes(*b));
    match data {
        DenseData::Raw(bytes) => bytes.chunks_exact(4).filter_map(word).collect(),
        DenseData::Splat(bytes) => {
            // No nest has more dimensions; an attribute's type may claim any number.
            let count = super::num_elements(ctx, *ty).min(1 << 16);
            word(bytes).map_or(Vec::new(), |value| vec![value; count])
        }
        DenseData::Strings(_) => Vec::new(),
    }
}

/// Makes `affine.yield values` at the end of a block.
pub fn yield_values(b: &mut Builder, block: BlockId, values: &[Value]) {
    let at = b.point();
    b.set(InsertPoint::End(block));
    b.create(b.state(super::YIELD).operands(values));
    b.set(at);
}

/// Folds an `affine.for` that never runs ⇒ its inits.
pub(super) fn fold_for(cx: &FoldCx) -> Option<Folded> {
    let op = ForOp(cx.op);
    if op.constant_trip_count(cx.ctx, cx.body)? != 0 {
        return None;
    }
    let inits = op.inits(cx.ctx, cx.body).iter();
    Some(inits.map(|&init| FoldResult::Value(init)).collect())
}

/// Fields of an `affine.for`.
pub(super) struct ForParts<'b> {
    pub(super) lower: Bound<'b>,
    pub(super) upper: Bound<'b>,
    /// The step; `None` for a number that 64 bits do not hold.
    pub(super) step: Option<i64>,
    pub(super) inits: &'b [Value],
}

/// Why the map of a bound must exist.
const MAP: &str = "a verified loop has the maps of its bounds";
