//! Loops: `scf.for`, `scf.while`, `scf.parallel`, and the terminators of
//! their bodies.

use crate::affine::verify_carried;
use crate::arith::constant_int;
use crate::inherent;
use crate::verified::{region_block, yielded};
use gridloom_ir::body::{BlockId, Body, OpId, Value};
use gridloom_ir::builder::{Builder, InsertPoint};
use gridloom_ir::context::Context;
use gridloom_ir::fold::{FoldCx, FoldResult, Folded};
use gridloom_ir::op::OpName;
use gridloom_ir::types::Type;
use gridloom_ir::verify::{Check, Checked, End, late};

op_view! {
    /// `scf.for`: from the lower bound up to, but excluding, the upper bound.
    ForOp = super::FOR
}

impl ForOp {
    /// Creates a loop with an empty body block; [`yield_values`] terminates it.
    pub fn create(
        b: &mut Builder,
        lower: Value,
        upper: Value,
        step: Value,
        inits: &[Value],
    ) -> ForOp {
        let types: Vec<_> = inits.iter().map(|&init| b.body.ty(init)).collect();
        let induction = b.body.ty(lower);
        let state = b
            .state(super::FOR)
            .operands(&[&[lower, upper, step], inits].concat())
            .results(&types);
        let op = b.create(state);
        let region = b.body.add_region(op);
        b.body
            .add_block(region, &[&[induction], &types[..]].concat());
        ForOp(op)
    }

    /// The lower bound.
    pub fn lower(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }

    /// The upper bound.
    pub fn upper(self, body: &Body) -> Value {
        body[self.0].operands[1]
    }

    /// The step.
    pub fn step(self, body: &Body) -> Value {
        body[self.0].operands[2]
    }

    /// Whether the bounds are compared as unsigned integers.
    pub fn is_unsigned(self, ctx: &Context, body: &Body) -> bool {
        body[self.0].attr(ctx, "unsignedCmp").is_some()
    }

    /// Makes the bounds compare as unsigned integers.
    pub fn set_unsigned(self, ctx: &Context, body: &mut Body) {
        body[self.0].set_property(ctx, "unsignedCmp", ctx.unit_attr());
    }

    /// The initial values of the iteration arguments.
    pub fn inits(self, body: &Body) -> &[Value] {
        &body[self.0].operands[3..]
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

    /// The values yielded to the next iteration.
    pub fn yielded(self, body: &Body) -> &[Value] {
        yielded(body, self.block(body))
    }
}

op_view! {
    /// `scf.while`: the first region computes the condition, the second one is
    /// the body.
    WhileOp = super::WHILE
}

impl WhileOp {
    /// Creates a loop with two empty blocks: the first has arguments of the
    /// types of `inits`, the second of `results`.
    pub fn create(b: &mut Builder, inits: &[Value], results: &[Type]) -> WhileOp {
        let types: Vec<_> = inits.iter().map(|&init| b.body.ty(init)).collect();
        let state = b.state(super::WHILE).operands(inits).results(results);
        let op = b.create(state);
        for types in [&types[..], results] {
            let region = b.body.add_region(op);
            b.body.add_block(region, types);
        }
        WhileOp(op)
    }

    /// The initial values of the first region's arguments.
    pub fn inits(self, body: &Body) -> &[Value] {
        &body[self.0].operands
    }

    /// The region that ends in `scf.condition`.
    pub fn before(self, body: &Body) -> BlockId {
        region_block(body, self.0, 0)
    }

    /// The region that ends in `scf.yield`.
    pub fn after(self, body: &Body) -> BlockId {
        region_block(body, self.0, 1)
    }

    /// The operands of the first region's `scf.condition`: the condition, and
    /// the values passed to the second region or out of the loop.
    pub fn condition(self, body: &Body) -> (Value, &[Value]) {
        let operands = yielded(body, self.before(body));
        (operands[0], &operands[1..])
    }

    /// The values that the second region yields to the first.
    pub fn yielded(self, body: &Body) -> &[Value] {
        yielded(body, self.after(body))
    }
}

op_view! {
    /// `scf.parallel`: a loop nest whose iterations may run in any order.
    ParallelOp = super::PARALLEL
}

impl ParallelOp {
    /// Creates a nest without reductions, of a dimension for each lower bound, upper bound and step, whose block
    /// has only its terminator.
    pub fn create(b: &mut Builder, bounds: &[Vec<Value>; 3]) -> ParallelOp {
        let count = bounds[0].len();
        let number = i32::try_from(count).unwrap_or(i32::MAX);
        let segments = b.ctx.i32_array_attr(&[number, number, number, 0]);
        let state = b.state(super::PARALLEL).operands(&bounds.concat());
        let op = b.create(state.property(b.ctx, inherent::OPERAND_SEGMENT_SIZES, segments));
        let region = b.body.add_region(op);
        let block = b.body.add_block(region, &vec![b.ctx.index_type(); count]);
        let behind = b.point();
        b.set(InsertPoint::End(block));
        b.create(b.state(super::REDUCE));
        b.set(behind);
        ParallelOp(op)
    }

    /// The lower bounds, one for each dimension.
    pub fn lower<'b>(self, ctx: &Context, body: &'b Body) -> &'b [Value] {
        body[self.0].operand_segment(ctx, 0)
    }

    /// The upper bounds.
    pub fn upper<'b>(self, ctx: &Context, body: &'b Body) -> &'b [Value] {
        body[self.0].operand_segment(ctx, 1)
    }

    /// The steps.
    pub fn steps<'b>(self, ctx: &Context, body: &'b Body) -> &'b [Value] {
        body[self.0].operand_segment(ctx, 2)
    }

    /// The initial values of the reductions.
    pub fn inits<'b>(self, ctx: &Context, body: &'b Body) -> &'b [Value] {
        body[self.0].operand_segment(ctx, 3)
    }

    /// The body.
    pub fn block(self, body: &Body) -> BlockId {
        region_block(body, self.0, 0)
    }

    /// The induction variables.
    pub fn induction_vars(self, body: &Body) -> &[Value] {
        &body[self.block(body)].args
    }

    /// The terminator `scf.reduce`: its operands are the contributions of an
    /// iteration, its regions combine two values each.
    pub fn reduce(self, body: &Body) -> OpId {
        let last = body[self.block(body)].last();
        last.expect("a verified block ends in a terminator")
    }
}

/// Creates an `scf.yield` at the end of a block.
pub fn yield_values(b: &mut Builder, block: BlockId, values: &[Value]) {
    let at = b.point();
    b.set(InsertPoint::End(block));
    b.create(b.state(super::YIELD).operands(values));
    b.set(at);
}

/// Creates an `scf.condition` at the end of a block.
pub fn condition(b: &mut Builder, block: BlockId, condition: Value, values: &[Value]) {
    let at = b.point();
    b.set(InsertPoint::End(block));
    let operands = [&[condition], values].concat();
    b.create(b.state(super::CONDITION).operands(&operands));
    b.set(at);
}

/// Folds an `scf.for` that never runs to its initial values.
pub(super) fn fold_for(cx: &FoldCx) -> Option<Folded> {
    let op = ForOp(cx.op);
    let (lower, upper) = (op.lower(cx.body), op.upper(cx.body));
    let is_empty = lower == upper || {
        let (from, to) = (cx.int(lower)?, cx.int(upper)?);
        match op.is_unsigned(cx.ctx, cx.body) {
            // Sign extension keeps the order of unsigned numbers.
            true => from as u64 >= to as u64,
            false => from >= to,
        }
    };
    let inits = op.inits(cx.body).iter();
    is_empty.then(|| inits.map(|&init| FoldResult::Value(init)).collect())
}

pub(super) fn verify_for(check: &Check) -> Checked {
    let (body, op) = (check.body(), ForOp(check.op));
    let block = check.require_block(0, "region")?;
    let args = &body[block].args;
    let message = "expected induction variable to be same type as bounds and step";
    let Some((&induction, iter_args)) = args.split_first() else {
        return Err(check.error(message).late());
    };
    let same = body.ty(induction) == check.operand_type(0);
    late(check.ensure(same, message))?;
    late(verify_carried(
        check,
        op.inits(body),
        iter_args,
        op.yielded(body),
    ))?;
    let edge = (End::Terminator(block), End::Region(0));
    check.edge(
        edge,
        check.types_of(op.yielded(body)),
        check.types_of(iter_args),
    )
}

/// Whether a block ends with the operation called `name`.
fn ends_with(check: &Check, block: BlockId, name: OpName) -> bool {
    check
        .terminator(block)
        .is_some_and(|last| last.name() == name)
}

/// Checks that the region called `which` ends with the operation called `name`.
fn verify_end(check: &Check, block: BlockId, which: &str, name: OpName) -> Checked {
    if ends_with(check, block, name) {
        return Ok(());
    }
    let expected = check.ctx().op_name_str(name);
    let error = check.error(format!(
        "expects the '{which}' region to terminate with '{expected}'"
    ));
    Err(match check.terminator(block) {
        Some(last) => error.with_note(last.data().loc, "terminator here"),
        None => error,
    })
}

pub(super) fn verify_while(check: &Check) -> Checked {
    let (body, op) = (check.body(), WhileOp(check.op));
    let before = check.require_block(0, "before")?;
    let after = check.require_block(1, "after")?;
    verify_end(check, before, "before", super::CONDITION)?;
    verify_end(check, after, "after", super::YIELD)?;
    let args = |block: BlockId| check.types_of(&body[block].args);
    check.edge(
        (End::Parent, End::Region(0)),
        check.operand_types(),
        args(before),
    )?;
    let Some(passed) = check
        .terminator(before)
        .and_then(|last| last.data().operands.get(1..))
    else {
        return Ok(());
    };
    let end = End::Terminator(before);
    check.edge(
        (end, End::Parent),
        check.types_of(passed),
        check.result_types(),
    )?;
    check.edge((end, End::Region(1)), check.types_of(passed), args(after))?;
    let end = End::Terminator(after);
    check.edge(
        (end, End::Region(0)),
        check.types_of(op.yielded(body)),
        args(before),
    )
}

pub(super) fn verify_parallel(check: &Check) -> Checked {
    let (ctx, body, op) = (check.ctx(), check.body(), ParallelOp(check.op));
    let steps = op.steps(ctx, body);
    check.ensure(
        !steps.is_empty(),
        "needs at least one tuple element for lowerBound, upperBound and step",
    )?;
    for &step in steps {
        let constant = constant_int(ctx, body, step);
        let positive = constant.is_none_or(|step| step > 0);
        check.ensure(positive, "constant step operand must be positive")?;
    }
    let block = check.require_block(0, "region")?;
    let args = &body[block].args;
    check.ensure(
        [
            args.len(),
            op.lower(ctx, body).len(),
            op.upper(ctx, body).len(),
        ] == [steps.len(); 3],
        format_args!(
            "expects the same number of induction variables: {} as bound and step values: {}",
            args.len(),
            steps.len()
        ),
    )?;
    check.ensure(
        args.iter().all(|&arg| body.ty(arg).is_index(ctx)),
        "expects arguments for the induction variable to be of index type",
    )?;
    if !ends_with(check, block, super::REDUCE) {
        let error = check.error("expects body to terminate with 'scf.reduce'");
        return Err(match check.terminator(block) {
            Some(last) => error.with_note(last.data().loc, "terminator here"),
            None => error,
        });
    }
    let results = check.data().num_results();
    let reductions = check
        .terminator(block)
        .map_or(0, |last| last.data().inline_regions().len());
    check.ensure(
        results == reductions,
        format_args!("expects number of results: {results} to be the same as number of reductions: {reductions}"),
    )?;
    let inits = op.inits(ctx, body).len();
    check.ensure(
        results == inits,
        format_args!("expects number of results: {results} to be the same as number of initial values: {inits}"),
    )
}

pub(super) fn verify_reduce(check: &Check) -> Checked {
    late(verify_reductions(check))
}

fn verify_reductions(check: &Check) -> Checked {
    let body = check.body();
    let operands = check.data().operands.len();
    let regions = check.data().inline_regions().len();
    check.ensure(
        operands == regions,
        format_args!("expects number of reduction regions: {regions} to be the same as number of reduction operands: {operands}"),
    )?;
    let parent = check.parent();
    let results = parent.map_or(0, |parent| parent.data().num_results());
    for (index, ty) in check.operand_types().enumerate() {
        let block = check.require_block(index, "reductions")?;
        if let Some(parent) = parent
            && index < results
            && parent.result_type(index) != ty
        {
            return Err(check.error(format!(
                "expects type of {index}-th reduction operand: '{}' to be the same as the {index}-th result type: '{}'",
                check.show(ty),
                check.show(parent.result_type(index))
            )));
        }
        let args = &body[block].args;
        check.ensure(
            args.len() == 2 && args.iter().all(|&arg| body.ty(arg) == ty),
            format_args!(
                "expected two block arguments with type '{}' in the {index}-th reduction region",
                check.show(ty)
            ),
        )?;
        check.ensure(
            ends_with(check, block, super::REDUCE_RETURN),
            "reduction bodies must be terminated with an 'scf.reduce.return' op",
        )?;
        let Some(last) = check.terminator(block) else {
            continue;
        };
        if last.operand_types().next() != Some(ty) {
            return Err(last.error(format!(
                "must have type '{}' (the type of the reduction inputs)",
                check.show(ty)
            )));
        }
    }
    Ok(())
}
