//! Masks: `vector.constant_mask`, `vector.create_mask`, and `vector.mask`,
//! which masks an operation.

use super::types::{ANY_MASK, MASK as MASK_TYPE, VectorShape, parts};
use super::{contraction, transfer};
use crate::verified::required_i64s;
use gridloom_ir::body::{Body, OpId, OpState, RegionId};
use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::location::Loc;
use gridloom_ir::op::{AttrSyntax, OpDef, RowTraits, Traits};
use gridloom_ir::text::{OpParser, OpPrinter, ParseFailed, Tok};
use gridloom_ir::types::Type;
use gridloom_ir::verify::{Check, Checked};

/// A mask that is set below `mask_dim_sizes` in every dimension.
pub(super) const CONSTANT_MASK: OpDef = OpDef::new("vector.constant_mask")
    .with(Traits::PURE)
    .results(&[one("result", ANY_MASK)])
    .attrs(&[attr("mask_dim_sizes", I64_ARRAY).spelled(AttrSyntax::DenseArray(|c| c.int_type(64)))])
    .format("$mask_dim_sizes attr-dict `:` type(results)")
    .verify_kind(verify_constant);

/// A mask that is set below the operands in every dimension.
pub(super) const CREATE_MASK: OpDef = OpDef::new("vector.create_mask")
    .with(Traits::PURE)
    .operands(&[many("operands", INDEX)])
    .results(&[one("result", ANY_MASK)])
    .format("$operands attr-dict `:` type(results)")
    .verify_kind(verify_create);

/// Runs the nested operation for the lanes that are set; other lanes are those
/// of `passthru`, or unspecified.
pub(super) const MASK: OpDef = OpDef::new("vector.mask")
    .with(Traits::RECURSIVE_EFFECTS)
    .with_row(RowTraits::NO_REGION_ARGUMENTS)
    .operands(&[one("mask", MASK_TYPE), maybe("passthru", ANY)])
    .results(&[many("results", ANY)])
    .regions(1)
    .terminator("vector.yield")
    .custom(parse, print)
    .printed_if(custom_form_is_lossless)
    .looking_inside()
    .verify(verify);

fn verify_constant(check: &Check) -> Checked {
    let result = parts(check, check.result_type(0));
    let sizes = required_i64s(check.ctx(), check.data(), "mask_dim_sizes");
    let plain = |message: &str| Err(Diagnostic::error(check.data().loc, message));
    if result.rank() == 0 {
        return match sizes[..] {
            [0 | 1] => Ok(()),
            [_] => plain("mask dim size must be either 0 or 1 for 0-D vectors"),
            _ => plain("array attr must have length 1 for 0-D vectors"),
        };
    }
    check.ensure(
        sizes.len() == result.rank(),
        "must specify array attr of size equal vector result rank",
    )?;
    for (index, &size) in sizes.iter().enumerate() {
        let extent = result.shape[index];
        check.ensure(
            (0..=extent).contains(&size),
            "array attr of size out of bounds of vector result dimension size",
        )?;
        check.ensure(
            !result.scalable[index] || size == 0 || size == extent,
            "only supports 'none set' or 'all set' scalable dimensions",
        )?;
    }
    let zeros = sizes.iter().filter(|&&size| size == 0).count();
    check.ensure(
        zeros == 0 || zeros == sizes.len(),
        "expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim",
    )
}

fn verify_create(check: &Check) -> Checked {
    let rank = parts(check, check.result_type(0)).rank();
    let operands = check.data().operands.len();
    if rank == 0 {
        let message = "must specify exactly one operand for 0-D create_mask";
        return check.ensure(operands == 1, message);
    }
    check.ensure(
        operands == rank,
        "must specify an operand for each result vector dimension",
    )
}

/// `%mask, %passthru { operation } {…} : type -> types`
fn parse(p: &mut OpParser<'_, '_>) -> Result<(), ParseFailed> {
    let mask = p.operand()?;
    let passthru = match p.eat(Tok::Comma) {
        true => Some(p.operand()?),
        false => None,
    };
    p.region(&[])?;
    let loc = p.loc();
    if let Some((body, region)) = p.region_body(0) {
        yield_results(body, region, loc);
    }
    p.ensure_terminator(0, super::YIELD);
    p.attr_dict()?;
    let mask_type = p.colon_type()?;
    let results = p.optional_arrow_types()?;
    p.add_operand(mask, mask_type)?;
    if let Some(passthru) = passthru {
        let Some(&first) = results.first() else {
            let message = "expects a result if passthru operand is provided";
            return Err(p.error_at(p.op_place(), message));
        };
        p.add_operand(passthru, first)?;
    }
    p.add_results(&results);
    Ok(())
}

/// Terminates a region of one operation by yielding its results.
fn yield_results(body: &mut Body, region: RegionId, loc: Loc) {
    let Some(block) = body[region].entry() else {
        return;
    };
    let (first, last) = (body[block].first(), body[block].last());
    let (Some(masked), true) = (first, first == last) else {
        return;
    };
    if body[masked].name != super::YIELD {
        let results: Vec<_> = body[masked].results().collect();
        let end = body.create_op(OpState::new(super::YIELD, loc).operands(&results));
        body.append(block, end);
    }
}

/// The operation that the custom form spells: the masked one, if the terminator
/// yields just its results, or an only terminator.
fn spelled(body: &Body, op: OpId) -> Option<OpId> {
    let &[region] = body[op].inline_regions() else {
        return None;
    };
    let &[block] = &body[region].blocks[..] else {
        return None;
    };
    let first = body[block].first()?;
    let Some(end) = body[first].next() else {
        return (body[first].name == super::YIELD).then_some(first);
    };
    let end = &body[end];
    let passed = end.operands.iter().copied().eq(body[first].results());
    let plain = end.name == super::YIELD && end.next().is_none() && end.attributes.is_empty();
    (passed && plain && body[block].args.is_empty()).then_some(first)
}

/// Whether the custom form is lossless: it spells the first result type only,
/// so `passthru` must have it. The verifier demands this only of a maskable
/// operation.
fn custom_form_is_lossless(_: &Context, body: &Body, op: OpId) -> bool {
    let data = &body[op];
    let passthru = data.operands.get(1).map(|&value| body.ty(value));
    let result = data.results().next().map(|result| body.ty(result));
    passthru.is_none() || passthru == result
}

fn print(p: &mut OpPrinter<'_>, _ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    p.text(" ");
    p.values(&data.operands);
    p.text(" ");
    match spelled(body, op) {
        Some(masked) => {
            p.text("{ ");
            p.visit_loc(body[masked].loc, true);
            p.form(body, masked);
            p.text(" }");
        }
        None => p.region(body, op, 0, true, true),
    }
    p.attr_dict(body, op, &[]);
    p.text(" : ");
    p.types_of(body, &data.operands[..data.operands.len().min(1)]);
    let results: Vec<Type> = data.results().map(|value| body.ty(value)).collect();
    p.optional_arrow_types(&results);
}

/// The mask type that an operation needs: [`Err`] if it is not maskable, `None`
/// if it is invalid and its own verifier reports that.
fn expected_mask(ctx: &Context, body: &Body, op: OpId) -> Result<Option<Type>, ()> {
    let data = &body[op];
    let operand = |index: usize| {
        let ty = body.ty(*data.operands.get(index)?);
        VectorShape::of(ctx, ty)
    };
    let result = || {
        let ty = body.ty(data.results().next()?);
        VectorShape::of(ctx, ty)
    };
    let transfer = |vector: Option<VectorShape>| {
        let map = data.attr(ctx, "permutation_map")?.as_map(ctx)?;
        transfer::mask_type(ctx, &vector?, map)
    };
    Ok(match data.name {
        super::CONTRACT => contraction::expected_mask(ctx, body, op),
        super::REDUCTION | super::MULTI_REDUCTION => operand(0).map(|vector| vector.mask(ctx)),
        super::OUTERPRODUCT => result().map(|vector| vector.mask(ctx)),
        super::TRANSFER_READ => transfer(result()),
        super::TRANSFER_WRITE => transfer(operand(0)),
        super::GATHER => {
            let index = data.operands.len().checked_sub(3);
            index.and_then(operand).map(|vector| vector.mask(ctx))
        }
        _ => return Err(()),
    })
}

fn verify(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (body, data) = (check.body(), check.data());
    let Some(block) = body.region_block(check.op, 0) else {
        let message = "region #0 ('maskRegion') failed to verify constraint: region with 1 blocks";
        return Err(check.error(message));
    };
    let ops: Vec<OpId> = body.ops(block).take(3).collect();
    check.ensure(ops.len() <= 2, "expects only one operation to mask")?;
    let yields = |op: &&OpId| body[**op].name == super::YIELD;
    let Some(&last) = ops.last().filter(yields) else {
        return Err(check.error("expects a terminator within the mask region"));
    };
    let yielded = &body[last].operands;
    check.ensure(
        yielded.len() == data.num_results(),
        "expects number of results to match mask region yielded values",
    )?;
    let &[masked, _] = &ops[..] else {
        return Ok(());
    };
    let Ok(mask) = expected_mask(ctx, body, masked) else {
        return Err(check.error("expects a MaskableOpInterface within the mask region"));
    };
    let inner = &body[masked];
    check.ensure(
        inner.num_results() == data.num_results(),
        "expects number of results to match maskable operation number of results",
    )?;
    check.ensure(
        inner.results().eq(yielded.iter().copied()),
        "expects all the results from the MaskableOpInterface to match all the values \
         returned by the terminator",
    )?;
    let types: Vec<Type> = inner.results().map(|value| body.ty(value)).collect();
    check.ensure(
        check.result_types().eq(types.iter().copied()),
        "expects result type to match maskable operation result type",
    )?;
    if let Some(mask) = mask {
        check.ensure(
            check.operand_type(0) == mask,
            format_args!(
                "expects a '{}' mask for the maskable operation",
                check.show(mask)
            ),
        )?;
    }
    verify_passthru(check, inner.name == super::TRANSFER_READ, &types)
}

fn verify_passthru(check: &Check, supported: bool, results: &[Type]) -> Checked {
    let Some(passthru) = check.operand_types().nth(1) else {
        return Ok(());
    };
    check.ensure(
        supported,
        "doesn't expect a passthru argument for this maskable operation",
    )?;
    check.ensure(
        results.len() == 1,
        "expects result when passthru argument is provided",
    )?;
    check.ensure(
        results == [passthru],
        "expects passthru type to match result type",
    )
}
