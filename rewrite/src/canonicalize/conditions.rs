//! Replaces the condition of an `scf.if` by a constant inside its branches.
//!
//! ```text
//! scf.if %c {                    scf.if %c {
//!   use %c               ⇒         use %true
//! } else {                       } else {
//!   use %c                         use %false
//! ```
//!
//! One walk over the body carries the conditions of the branches that it is in.

use gridloom_dialects::scf;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{OpId, RegionId, Value};

use crate::rewriter::Rewriter;

enum Step {
    Op(OpId),
    Region(RegionId),
    /// Enters a branch in which the condition has this value.
    Open(Value, bool),
    Close(Value, Option<bool>),
}

/// Replaces conditions by constants in the branches of `scf.if`.
pub(super) fn propagate(rw: &mut Rewriter) {
    let mut known: FxHashMap<Value, bool> = FxHashMap::default();
    let mut steps: Vec<Step> = rw
        .body()
        .regions()
        .iter()
        .map(|&r| Step::Region(r))
        .collect();
    while let Some(step) = steps.pop() {
        match step {
            Step::Op(op) => {
                replace_known(rw, op, &known);
                push_regions(rw, op, &known, &mut steps);
            }
            Step::Region(region) => {
                let body = rw.body();
                let from = steps.len();
                for &block in &body[region].blocks {
                    steps.extend(body.ops(block).map(Step::Op));
                }
                steps[from..].reverse();
            }
            Step::Open(condition, value) => {
                known.insert(condition, value);
            }
            Step::Close(condition, before) => {
                match before {
                    Some(value) => known.insert(condition, value),
                    None => known.remove(&condition),
                };
            }
        }
    }
}

fn push_regions(rw: &Rewriter, op: OpId, known: &FxHashMap<Value, bool>, steps: &mut Vec<Step>) {
    let body = rw.body();
    let regions = body[op].inline_regions();
    let Some(branch) = scf::IfOp::cast(body, op) else {
        steps.extend(regions.iter().rev().map(|&region| Step::Region(region)));
        return;
    };
    let condition = branch.condition(body);
    for (&region, value) in regions.iter().zip([true, false]) {
        steps.push(Step::Close(condition, known.get(&condition).copied()));
        steps.push(Step::Region(region));
        steps.push(Step::Open(condition, value));
    }
}

fn replace_known(rw: &mut Rewriter, op: OpId, known: &FxHashMap<Value, bool>) {
    if known.is_empty() {
        return;
    }
    let is_known = |operand: &Value| known.contains_key(operand);
    if !rw.body()[op].operands.iter().any(is_known) {
        return;
    }
    let mut operands = rw.body()[op].operands.to_vec();
    let mut changed = false;
    for operand in &mut operands {
        if let Some(&value) = known.get(operand)
            && let Some(constant) = rw.splat(value.into(), rw.ctx.bool_type(), op)
        {
            *operand = constant;
            changed = true;
        }
    }
    if changed {
        rw.set_operands(op, &operands);
    }
}
