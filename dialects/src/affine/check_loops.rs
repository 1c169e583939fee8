//! Verifiers of affine loops and of the `affine.yield` that ends their bodies.

use super::loops::{Bound, ForOp, ParallelOp};
use super::validity::verify_operands;
use crate::verified::required_map;
use gridloom_ir::body::{BlockId, Value};
use gridloom_ir::context::Context;
use gridloom_ir::types::{Signedness, Type, TypeKind};
use gridloom_ir::verify::{Check, Checked, late};

/// Checks that the bound of a loop fits its operands and has results.
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

/// Checks an `affine.for`. Refuses loops that upstream accepts and could not run too: with a step
/// that is not positive, or with a map of more or fewer operands than inputs.
pub(super) fn verify_for(check: &Check) -> Checked {
    let block = check.require_block(0, "region")?;
    let parts = ForOp(check.op).parts(check.ctx(), check.body());
    verify_bound(check, parts.lower, "lower")?;
    verify_bound(check, parts.upper, "upper")?;
    let step = parts.step.unwrap_or(0);
    check.ensure(
        step > 0,
        format_args!("expected step to be positive, but got {step}"),
    )?;
    verify_iteration(check, block, parts.inits)
}

/// Checks for each `affine.for` what its kind does not decide: operands and block.
pub(super) fn verify_for_each(check: &Check) -> Checked {
    let block = check.require_block(0, "region")?;
    if check.data().operands.is_empty() {
        return verify_iteration(check, block, &[]);
    }
    let parts = ForOp(check.op).parts(check.ctx(), check.body());
    for bound in [parts.lower, parts.upper] {
        let dims = bound.map.num_dims(check.ctx());
        verify_operands(check, bound.operands, dims)?;
    }
    verify_iteration(check, block, parts.inits)
}

/// Checks that the arguments of a loop's body are an index and the iteration arguments.
fn verify_iteration(check: &Check, block: BlockId, inits: &[Value]) -> Checked {
    let (ctx, body) = (check.ctx(), check.body());
    let args = &body[block].args;
    let induction = args.first().is_some_and(|&arg| body.ty(arg).is_index(ctx));
    late(check.ensure(
        induction,
        "expected body to have a single index argument for the induction variable",
    ))?;
    // `affine.yield` checks the yielded values itself.
    let carried = args.get(1..).unwrap_or(&[]);
    late(verify_carried(check, inits, carried, &[]))
}

/// Checks that inits, iteration arguments, yielded values and results of a loop agree in number and
/// types.
pub(crate) fn verify_carried(
    check: &Check,
    inits: &[Value],
    args: &[Value],
    yielded: &[Value],
) -> Checked {
    // Fast path: most loops carry nothing.
    if inits.len() + args.len() + yielded.len() + check.data().num_results() == 0 {
        return Ok(());
    }
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
            can_reduce(ctx, *kind, ty),
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

/// Whether a reduction of `arith`'s `AtomicRMWKind` combines values of a type: kinds with an `f`
/// combine floats, the others integers, assignment anything. Maxima and minima need a sign, and
/// kinds that upstream does not list combine nothing.
pub fn can_reduce(ctx: &Context, kind: i64, ty: Type) -> bool {
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
