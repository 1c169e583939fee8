//! `affine-loop-invariant-code-motion`: hoists invariant operations out of loops, loads and stores
//! included.
//!
//! ```text
//! affine.for %i = 0 to 8 {                   %x = affine.load %a[%k]
//!   %x = affine.load %a[%k]                  affine.store %x, %b[%k]
//!   affine.store %x, %b[%k]            ⇒     affine.for %i = 0 to 8 {
//!   S(%i, %x)                                  S(%i, %x)
//! }                                          }
//! ```
//!
//! Legal for an operation in the block of an `affine.for` whose operands come from outside: a pure
//! one as in [`loop_invariant_code_motion`](super::loop_invariant_code_motion); a load where the loop
//! is known to run and nothing in it may write the element; a store where the loop is known to run
//! and nothing else in it may access the element. So nothing comes out of a loop without iterations,
//! and no store out of a condition. An access that stays for a dependence gets a remark.

use std::collections::HashSet;

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::{affine, memref};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, Diagnostics, Module, OpId, Value};

use super::loop_invariant_code_motion::{is_known_to_run, is_speculatable};
use super::plans::{Plans, change_with_remarks};
use crate::analysis::access::{Access, accesses_below};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::{Dependence, Dependences, Scope};
use crate::analysis::effects::{Effect, effect_of};
use crate::analysis::parallel::{MAX_ACCESSES, dependence_notes};
use crate::analysis::system::Statements;

/// Limit of the nested loops that an operation is hoisted out of.
const MAX_ROUNDS: usize = 16;

/// Moves operations out of the loops of the host functions of a module. Returns whether anything
/// changed, and which accesses stay for a dependence.
pub fn hoist_module(ctx: &Context, module: &mut Module) -> (bool, Diagnostics) {
    change_with_remarks(
        ctx,
        module,
        MAX_ROUNDS,
        |body, globals| plan_body(ctx, body, globals),
        |&(l, op), body| {
            body.detach(op);
            body.insert_before(l, op);
        },
    )
}

/// Beginning of a remark on an access that stays, and of the note on what it depends on.
const STAYS: [&str; 2] = [
    "this access is not moved out of its loop",
    "it is ordered by",
];

/// Plans the operations to hoist, each with its loop, in the order in which they are moved.
fn plan_body(ctx: &Context, body: &Body, globals: &Globals) -> (Plans<(OpId, OpId)>, Diagnostics) {
    let mut deps = Dependences::new(ctx, body, globals);
    let mut plans = Vec::new();
    let mut remarks = Diagnostics::new();
    for op in body.walk() {
        let Some(l) = ForOp::cast(body, op) else {
            continue;
        };
        let runs = is_known_to_run(ctx, body, op);
        // Values of this loop that are available outside once their operations are hoisted.
        let mut free: HashSet<Value> = HashSet::new();
        let mut accesses: Option<Vec<Access>> = None;
        let block = l.block(body);
        for inner in body.ops(block) {
            let data = &body[inner];
            let is_candidate =
                data.inline_regions().is_empty() && !data.name.has(Traits::TERMINATOR);
            let is_outside =
                |value: &Value| body.value_block(*value) != Some(block) || free.contains(value);
            if !is_candidate || !data.operands.iter().all(is_outside) {
                continue;
            }
            let may_leave = match effect_of(body, inner) {
                Effect::None => {
                    data.num_results() > 0 && (runs || is_speculatable(ctx, body, inner))
                }
                _ if runs && is_element_access(body, inner) => {
                    let all = accesses.get_or_insert_with(|| accesses_below(&mut deps.values, op));
                    let conflict = conflict_of(&mut deps, l, inner, all);
                    if let Some(Some((accesses, found))) = &conflict {
                        remarks.push(dependence_notes(body, data.loc, STAYS, accesses, found));
                    }
                    conflict.is_none()
                }
                _ => false,
            };
            if may_leave {
                free.extend(data.results());
                plans.push((op, inner));
            }
        }
    }
    let relied = deps.aliases.relied_on_arguments();
    ((plans, relied), remarks)
}

fn is_element_access(body: &Body, op: OpId) -> bool {
    matches!(
        body[op].name,
        affine::LOAD | affine::STORE | memref::LOAD | memref::STORE
    )
}

/// A conflict: two accesses and their dependence; `None` where there are too many to compare.
type Conflict = Option<(Box<[Access; 2]>, Dependence)>;

/// The conflict that keeps an access in its loop, if there is one.
fn conflict_of(
    deps: &mut Dependences,
    l: ForOp,
    op: OpId,
    accesses: &[Access],
) -> Option<Conflict> {
    if accesses.len() > MAX_ACCESSES {
        return Some(None);
    }
    let Some(own) = accesses.iter().find(|access| access.op == op) else {
        return Some(None);
    };
    for other in accesses.iter().filter(|other| other.op != op) {
        let scope = Scope::AnyIterations(l.0);
        let found = deps.test_where(scope, &Statements::new(), own, other);
        if !found.is_independent() {
            let pair = Box::new([own.clone(), other.clone()]);
            return Some(Some((pair, found)));
        }
    }
    None
}
