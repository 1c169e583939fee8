//! Loops: `affine.for`, `affine.parallel`, and the `affine.yield` that ends
//! the bodies of both.

use crate::affine::AffineMap;
use crate::attr::{Attr, AttrKind, DenseData};
use crate::body::{BlockId, Body, Value};
use crate::builder::{Builder, InsertPoint};
use crate::context::Context;
use crate::dialect::{region_block, required, required_map, yielded};
use crate::fold::{FoldCx, FoldResult, Folded};
use crate::location::Loc;
use crate::names;
use crate::types::{Signedness, Type, TypeKind};
use crate::verify::{Check, Checked, late};

use super::validity::verify_operands;

op_view! {
    /// `affine.for`: from the greatest of the lower bounds up to, and without,
    /// the least of the upper bounds.
    ForOp = super::FOR
}

/// A bound of a loop: a map and its operands, dimensions first.
#[derive(Clone, Copy, Debug)]
pub struct Bound<'a> {
    /// The map. Several results mean their maximum (lower) or minimum (upper).
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
            .property(ctx, names::LOWER_BOUND_MAP, ctx.map_attr(lower.map))
            .property(ctx, names::UPPER_BOUND_MAP, ctx.map_attr(upper.map))
            .property(ctx, names::STEP, ctx.index_attr(step))
            .property(
                ctx,
                names::OPERAND_SEGMENT_SIZES,
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

    /// The lower bound.
    pub fn lower<'b>(self, ctx: &Context, body: &'b Body) -> Bound<'b> {
        Bound {
            map: required_map(ctx, &body[self.0], names::LOWER_BOUND_MAP),
            operands: body[self.0].operand_segment(ctx, 0),
        }
    }

    /// The upper bound.
    pub fn upper<'b>(self, ctx: &Context, body: &'b Body) -> Bound<'b> {
        Bound {
            map: required_map(ctx, &body[self.0], names::UPPER_BOUND_MAP),
            operands: body[self.0].operand_segment(ctx, 1),
        }
    }

    /// The lower bound, the upper bound, and the values that the iteration
    /// arguments start from.
    pub fn operands<'b>(
        self,
        ctx: &Context,
        body: &'b Body,
    ) -> (Bound<'b>, Bound<'b>, &'b [Value]) {
        let parts = self.parts(ctx, body);
        (parts.lower, parts.upper, parts.inits)
    }

    /// All that the operation has, but for its region.
    fn parts<'b>(self, ctx: &Context, body: &'b Body) -> ForParts<'b> {
        let data = &body[self.0];
        let names = [
            names::LOWER_BOUND_MAP,
            names::OPERAND_SEGMENT_SIZES,
            names::STEP,
            names::UPPER_BOUND_MAP,
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

    /// The number of iterations, if both bounds are constant.
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

    /// The step, at least 1.
    pub fn step(self, ctx: &Context, body: &Body) -> i64 {
        let step = required(ctx, &body[self.0], names::STEP).as_i64(ctx);
        step.expect("a verified step fits 64 bits")
    }

    /// Replaces the lower bound.
    pub fn set_lower(self, ctx: &Context, body: &mut Body, bound: Bound) {
        body[self.0].set_property(ctx, names::LOWER_BOUND_MAP, ctx.map_attr(bound.map));
        body[self.0].set_operand_segment(ctx, 0, bound.operands);
    }

    /// Replaces the upper bound.
    pub fn set_upper(self, ctx: &Context, body: &mut Body, bound: Bound) {
        body[self.0].set_property(ctx, names::UPPER_BOUND_MAP, ctx.map_attr(bound.map));
        body[self.0].set_operand_segment(ctx, 1, bound.operands);
    }

    /// Replaces the step.
    pub fn set_step(self, ctx: &Context, body: &mut Body, step: i64) {
        body[self.0].set_property(ctx, names::STEP, ctx.index_attr(step));
    }

    /// The values that the iteration arguments start from.
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

    /// The values handed to the next iteration.
    pub fn yielded(self, body: &Body) -> &[Value] {
        yielded(body, self.block(body))
    }
}

op_view! {
    /// `affine.parallel`: a band of loops whose iterations may run in any order.
    ParallelOp = super::PARALLEL
}

impl ParallelOp {
    /// All lower bounds of all dimensions; [`ParallelOp::lower_groups`] says
    /// how many belong to each dimension.
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

    /// How many results of the lower bound map belong to each dimension.
    pub fn lower_groups(self, ctx: &Context, body: &Body) -> Vec<i32> {
        i32_elements(ctx, body, self, "lowerBoundsGroups")
    }

    /// How many results of the upper bound map belong to each dimension.
    pub fn upper_groups(self, ctx: &Context, body: &Body) -> Vec<i32> {
        i32_elements(ctx, body, self, "upperBoundsGroups")
    }

    /// The step of each dimension.
    pub fn steps(self, ctx: &Context, body: &Body) -> Vec<i64> {
        let steps = required(ctx, &body[self.0], "steps").as_array(ctx);
        let steps = steps.unwrap_or(&[]);
        steps.iter().filter_map(|step| step.as_i64(ctx)).collect()
    }

    /// How each result is reduced: values of `arith`'s `AtomicRMWKind`.
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
            // No nest has more dimensions; a type may claim any number.
            let count = super::num_elements(ctx, *ty).min(1 << 16);
            word(bytes).map_or(Vec::new(), |value| vec![value; count])
        }
        DenseData::Strings(_) => Vec::new(),
    }
}

/// `affine.yield values` at the end of a block.
pub fn yield_values(b: &mut Builder, block: BlockId, values: &[Value]) {
    let at = b.point();
    b.set(InsertPoint::End(block));
    b.create(b.state(super::YIELD).operands(values));
    b.set(at);
}

/// An `affine.for` that never runs gives what it starts from.
pub(super) fn fold_for(cx: &FoldCx) -> Option<Folded> {
    let op = ForOp(cx.op);
    if op.constant_trip_count(cx.ctx, cx.body)? != 0 {
        return None;
    }
    let inits = op.inits(cx.ctx, cx.body).iter();
    Some(inits.map(|&init| FoldResult::Value(init)).collect())
}

/// What an `affine.for` consists of.
struct ForParts<'b> {
    lower: Bound<'b>,
    upper: Bound<'b>,
    /// `None` for a number that 64 bits do not hold.
    step: Option<i64>,
    inits: &'b [Value],
}

/// Why the map of a bound is taken for given.
const MAP: &str = "a verified loop has the maps of its bounds";

/// The bounds of a loop fit their operands and have results.
fn verify_bound(check: &Check, bound: Bound, which: &str) -> Checked {
    let map = bound.map.data(check.ctx());
    let inputs = map.dims as usize + map.symbols as usize;
    check.ensure(
        inputs == bound.operands.len(),
        format_args!(
            "{which} bound map takes {inputs} operands, but {} are given",
            bound.operands.len()
        ),
    )?;
    verify_operands(check, bound.operands, map.dims as usize)?;
    check.ensure(
        !map.results.is_empty(),
        format_args!("expected {which} bound map to have at least one result"),
    )
}

/// What upstream lets pass and could not run is refused too: a step that is
/// not positive, a map with more or fewer operands than inputs.
pub(super) fn verify_for(check: &Check) -> Checked {
    let (ctx, body, op) = (check.ctx(), check.body(), ForOp(check.op));
    let block = check.require_block(0, "region")?;
    let args = &body[block].args;
    let induction = args.first().is_some_and(|&arg| body.ty(arg).is_index(ctx));
    let parts = op.parts(ctx, body);
    verify_bound(check, parts.lower, "lower")?;
    verify_bound(check, parts.upper, "upper")?;
    let step = parts.step.unwrap_or(0);
    check.ensure(
        step > 0,
        format_args!("expected step to be positive, but got {step}"),
    )?;
    late(check.ensure(
        induction,
        "expected body to have a single index argument for the induction variable",
    ))?;
    // What is yielded, `affine.yield` checks.
    let carried = args.get(1..).unwrap_or(&[]);
    late(verify_carried(check, parts.inits, carried, &[]))
}

/// Values that a loop carries: what they start from, the arguments of the
/// body and the results.
pub(crate) fn verify_carried(
    check: &Check,
    inits: &[Value],
    args: &[Value],
    yielded: &[Value],
) -> Checked {
    if inits.len() != args.len() {
        return Err(check.error(format!(
            "different number of inits and region iter_args: {} != {}",
            inits.len(),
            args.len()
        )));
    }
    if !yielded.is_empty() && args.len() != yielded.len() {
        return Err(check.error(format!(
            "different number of region iter_args and yielded values: {} != {}",
            args.len(),
            yielded.len()
        )));
    }
    let differ = |index: usize, what: &str, a: Type, b: Type| {
        check.error(format!(
            "{index}-th {} have different type: '{}' != '{}'",
            what.replace("{}", &index.to_string()),
            check.show(a),
            check.show(b)
        ))
    };
    let types = check.types_of(inits).zip(check.types_of(args));
    for (index, (init, arg)) in types.enumerate() {
        if init != arg {
            return Err(differ(index, "init and {}-th region iter_arg", init, arg));
        }
    }
    check.ensure(
        args.len() == check.data().num_results(),
        "mismatch in number of loop-carried values and defined values",
    )?;
    let types = check.types_of(args).zip(check.types_of(yielded));
    for (index, (arg, value)) in types.enumerate() {
        if arg != value {
            return Err(differ(
                index,
                "region iter_arg and {}-th yielded value",
                arg,
                value,
            ));
        }
    }
    for (index, (arg, result)) in check.types_of(args).zip(check.result_types()).enumerate() {
        if arg != result {
            return Err(differ(
                index,
                "region iter_arg and {}-th loop result",
                arg,
                result,
            ));
        }
    }
    Ok(())
}

pub(super) fn verify_parallel(check: &Check) -> Checked {
    let (ctx, body, op) = (check.ctx(), check.body(), ParallelOp(check.op));
    let block = check.require_block(0, "region")?;
    let (lower, upper) = (op.lower_groups(ctx, body), op.upper_groups(ctx, body));
    let steps = op.steps(ctx, body);
    let args = &body[block].args;
    let count = args.len();
    if [lower.len(), upper.len(), steps.len()] != [count; 3] {
        return Err(check.error(format!(
            "the number of region arguments ({count}) and the number of map groups for lower \
             ({}) and upper bound ({}), and the number of steps ({}) must all match",
            lower.len(),
            upper.len(),
            steps.len()
        )));
    }
    let maps = [
        ("lower", "lowerBoundsMap", lower),
        ("upper", "upperBoundsMap", upper),
    ];
    let mut dims = Vec::new();
    for (which, name, groups) in maps {
        let map = required_map(ctx, check.data(), name);
        check.ensure(
            args.is_empty() || groups.iter().all(|&group| group > 0),
            format_args!("expected {which} bound map to have at least one result"),
        )?;
        let expected: i64 = groups.iter().map(|&group| i64::from(group)).sum();
        check.ensure(
            map.results(ctx).len() as i64 == expected,
            format_args!("expected {which} bounds map to have {expected} results"),
        )?;
        dims.push(map);
    }
    check.ensure(
        steps.iter().all(|&step| step > 0),
        "expected all steps to be positive",
    )?;
    let reductions = op.reductions(ctx, body);
    check.ensure(
        reductions.len() == check.data().num_results(),
        "a reduction must be specified for each output",
    )?;
    for (kind, ty) in reductions.iter().zip(check.result_types()) {
        check.ensure(
            reduces(ctx, *kind, ty),
            "result type cannot match reduction attribute",
        )?;
    }
    let operands = &check.data().operands;
    let inputs: usize = dims.iter().map(|map| map.num_inputs(ctx)).sum();
    check.ensure(
        inputs == operands.len(),
        format_args!(
            "bound maps take {inputs} operands, but {} are given",
            operands.len()
        ),
    )?;
    let (low, high) = operands.split_at(dims[0].num_inputs(ctx));
    verify_operands(check, low, dims[0].num_dims(ctx))?;
    verify_operands(check, high, dims[1].num_dims(ctx))
}

/// Whether a reduction of `arith`'s `AtomicRMWKind` combines values of a type:
/// those with an `f` floats, the others integers; assignment anything. Maxima
/// and minima need to know the sign, and kinds that upstream does not list
/// combine nothing.
pub(crate) fn reduces(ctx: &Context, kind: i64, ty: Type) -> bool {
    let signedness = match ty.kind(ctx) {
        TypeKind::Integer { signedness, .. } => Some(*signedness),
        _ => None,
    };
    match kind {
        0 | 4 | 8 | 12 => ty.float_kind(ctx).is_some(),
        1 | 2 | 13 | 14 => signedness.is_some(),
        3 => true,
        6 | 10 => signedness == Some(Signedness::Signed),
        7 | 11 => signedness == Some(Signedness::Unsigned),
        _ => false,
    }
}

pub(super) fn verify_yield(check: &Check) -> Checked {
    let parent = check.parent();
    let is_affine = |p: &Check| matches!(p.name(), super::FOR | super::IF | super::PARALLEL);
    let Some(parent) = parent.filter(is_affine) else {
        return Err(check.error("only terminates affine.if/for/parallel regions"));
    };
    check.ensure(
        parent.data().num_results() == check.data().operands.len(),
        "parent of yield must have same number of results as the yield operands",
    )?;
    let same = parent.result_types().eq(check.operand_types());
    check.ensure(same, "types mismatch between yield op and its parent")
}
