//! Remarks on loops that stay in `scf`.

use gridloom_dialects::scf;
use gridloom_ir::{Body, Context, Diagnostic, Diagnostics, OpId, Value};

use super::host_ops;
use super::loops::{Obstacle, is_candidate, plan};
use super::operands::Raised;
use crate::analysis::values::AffineValues;

/// Makes a remark on each remaining `scf` loop, in program order.
pub(super) fn of_loops(ctx: &Context, body: &Body) -> Diagnostics {
    let mut values = AffineValues::new(ctx, body);
    let mut remarks = Diagnostics::new();
    for op in host_ops(body) {
        if !is_candidate(body, op) {
            continue;
        }
        let name = ctx.op_name_str(body[op].name).to_owned();
        let start = format!("this {name} is not raised to an affine loop");
        if let Some(remark) = remark_on(&mut values, op, &start) {
            remarks.push(remark);
        }
    }
    remarks
}

/// Remark that begins with `start` and states why a loop stays in `scf`; `None` where nothing keeps
/// it from being raised.
pub(crate) fn remark_on(values: &mut AffineValues, op: OpId, start: &str) -> Option<Diagnostic> {
    let (ctx, body) = (values.ctx, values.body);
    let obstacle = plan(values, &Raised::new(), op).err()?;
    let message = format!("{start}: {}", reason(&obstacle));
    let remark = Diagnostic::remark(body[op].loc, message);
    Some(with_source(ctx, body, remark, culprit(&obstacle)))
}

fn reason(obstacle: &Obstacle) -> String {
    match obstacle {
        Obstacle::Step(_) => "its step is not a positive constant".to_owned(),
        Obstacle::Unsigned => {
            "its counter is compared as unsigned, and a bound may be negative as a signed \
             number"
                .to_owned()
        }
        Obstacle::Type => "its counter is not of type index".to_owned(),
        Obstacle::Results => "it has results, which are reductions or tensors".to_owned(),
        Obstacle::Bound(which, _) => format!(
            "its {which} bound is not a sum of multiples, quotients and remainders of constants, sizes, arguments and counters of affine loops"
        ),
    }
}

fn culprit(obstacle: &Obstacle) -> Option<Value> {
    match obstacle {
        Obstacle::Step(value) => Some(*value),
        Obstacle::Bound(_, culprit) => *culprit,
        _ => None,
    }
}

/// Adds a note that points to the definition of a value.
fn with_source(
    ctx: &Context,
    body: &Body,
    remark: Diagnostic,
    culprit: Option<Value>,
) -> Diagnostic {
    let Some(value) = culprit else { return remark };
    if let Some(op) = body.defining_op(value) {
        let name = ctx.op_name_str(body[op].name);
        return remark.with_note(body[op].loc, format!("the number is made by '{name}' here"));
    }
    let owner = body
        .value_block(value)
        .and_then(|b| body.block_parent_op(b));
    match owner {
        Some(op) if matches!(body[op].name, scf::FOR | scf::PARALLEL | scf::FORALL) => remark
            .with_note(
                body[op].loc,
                "the number is the counter or a carried value (iter_args) of this loop",
            ),
        Some(op) => remark.with_note(body[op].loc, "the number is an argument of a block in here"),
        None => remark,
    }
}
