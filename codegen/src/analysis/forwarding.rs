//! Forwarding: the values that loops, branches and selects pass on under another name.
//!
//! ```text
//! %r = scf.if %c -> (index) { scf.yield %x } else { scf.yield %y }        %r is %x or %y
//! affine.for … iter_args(%a = %z) { … affine.yield %n }                   %a is %z or %n
//! ```
//!
//! Analyses follow a value to the values that it may be, and stop at one that is computed, loaded or an argument.

use gridloom_dialects::{affine, arith, scf};
use gridloom_ir::body::ValueDef;
use gridloom_ir::{BlockId, Body, Context, OpId, Value};

/// The values of which `value` is one at run time: what a loop starts with and what its iterations
/// yield, what the branches of a condition yield, the operands of a select. `None` for a value that
/// is not forwarded by structured control flow.
pub(crate) fn incoming(ctx: &Context, body: &Body, value: Value) -> Option<Vec<Value>> {
    match body[value].def() {
        ValueDef::Result(op, index) => incoming_of_result(ctx, body, op, index as usize),
        ValueDef::Argument(block, index) => {
            let op = body.block_parent_op(block)?;
            let index = index as usize;
            match body[op].name {
                affine::FOR | scf::FOR => {
                    carried(ctx, body, op, index.checked_sub(1)?).map(Vec::from)
                }
                scf::WHILE => {
                    let op = scf::WhileOp(op);
                    if block == op.after(body) {
                        return Some(vec![*op.condition(body).1.get(index)?]);
                    }
                    let yielded = *op.yielded(body).get(index)?;
                    Some(vec![*op.inits(body).get(index)?, yielded])
                }
                _ => None,
            }
        }
    }
}

fn incoming_of_result(ctx: &Context, body: &Body, op: OpId, index: usize) -> Option<Vec<Value>> {
    match body[op].name {
        arith::SELECT => Some(body[op].operands[1..].to_vec()),
        affine::FOR | scf::FOR => carried(ctx, body, op, index).map(Vec::from),
        scf::WHILE => Some(vec![*scf::WhileOp(op).condition(body).1.get(index)?]),
        affine::IF | scf::IF | scf::INDEX_SWITCH => {
            let regions = 0..body[op].inline_regions().len();
            let yielded = regions.map(|region| {
                let last = body[body.region_block(op, region)?].last()?;
                body[last].operands.get(index).copied()
            });
            yielded.collect()
        }
        _ => None,
    }
}

/// Limit of the values among which selects and conditionals choose one.
const MAX_CHOICES: usize = 16;

/// The values among which selects and conditionals choose `value`; itself where nothing is chosen. `None` past
/// [`MAX_CHOICES`].
///
/// ```text
/// %a = arith.select %c, %x, %y
/// %v = scf.if %d -> (index) { scf.yield %a } else { scf.yield %z }        %v: %x, %y and %z
/// ```
pub(super) fn choices(ctx: &Context, body: &Body, value: Value) -> Option<Vec<Value>> {
    let is_choice = |op: OpId| matches!(body[op].name, arith::SELECT | scf::IF | affine::IF);
    let (mut open, mut found) = (vec![value], Vec::new());
    while let Some(value) = open.pop() {
        match body.defining_op(value).is_some_and(is_choice) {
            true => open.extend(incoming(ctx, body, value)?),
            false => found.push(value),
        }
        if open.len() + found.len() > MAX_CHOICES {
            return None;
        }
    }
    Some(found)
}

/// Initial and yielded value of the `index`-th value that a counted loop carries.
pub(super) fn carried(ctx: &Context, body: &Body, op: OpId, index: usize) -> Option<[Value; 2]> {
    let inits = match body[op].name {
        affine::FOR => affine::ForOp(op).inits(ctx, body),
        _ => scf::ForOp(op).inits(body),
    };
    let block = body.region_block(op, 0)?;
    let last = body[block].last()?;
    Some([*inits.get(index)?, *body[last].operands.get(index)?])
}

/// Hand-over at the end of a block of a loop.
pub(super) struct Handover<'a> {
    /// Values that the terminator passes on.
    pub passed: &'a [Value],
    /// Carried values that are arguments of the block.
    pub args: &'a [Value],
}

/// Values that a loop carries: those it starts with, and the hand-over of each of its blocks.
pub(super) struct Handovers<'a> {
    pub inits: &'a [Value],
    pub steps: Vec<Handover<'a>>,
}

/// The values that a loop carries; `None` for another operation.
pub(super) fn handovers<'a>(ctx: &Context, body: &'a Body, op: OpId) -> Option<Handovers<'a>> {
    let step = |block: BlockId, args: usize, operands: usize| {
        let last = body[block].last()?;
        Some(Handover {
            passed: body[last].operands.get(operands..)?,
            args: body[block].args.get(args..)?,
        })
    };
    match body[op].name {
        affine::FOR => Some(Handovers {
            inits: affine::ForOp(op).inits(ctx, body),
            steps: vec![step(body.region_block(op, 0)?, 1, 0)?],
        }),
        scf::FOR => Some(Handovers {
            inits: scf::ForOp(op).inits(body),
            steps: vec![step(body.region_block(op, 0)?, 1, 0)?],
        }),
        scf::WHILE => {
            let op = scf::WhileOp(op);
            Some(Handovers {
                inits: op.inits(body),
                steps: vec![step(op.before(body), 0, 1)?, step(op.after(body), 0, 0)?],
            })
        }
        _ => None,
    }
}

/// The conditions that all have the value `outcome` where `value` has it: those of a short-circuit
/// conjunction (`true`) or disjunction (`false`), as front ends for C emit them.
///
/// ```text
/// %v = scf.if %c -> (i1) { … scf.yield %d } else { scf.yield %false }     %v: %c and %d
/// %v = scf.if %c -> (i1) { scf.yield %true } else { … scf.yield %d }      not %v: neither
/// ```
pub(super) fn short_circuit(ctx: &Context, body: &Body, value: Value, outcome: bool) -> Vec<Value> {
    let find = || {
        let op = body
            .defining_op(value)
            .filter(|&op| body[op].name == scf::IF)?;
        let condition = *body[op].operands.first()?;
        let [then, other] = incoming(ctx, body, value)?.try_into().ok()?;
        let [open, fixed] = if outcome {
            [then, other]
        } else {
            [other, then]
        };
        let is_opposite = (arith::constant_int(ctx, body, fixed)? != 0) != outcome;
        is_opposite.then(|| vec![condition, open])
    };
    find().unwrap_or_default()
}
