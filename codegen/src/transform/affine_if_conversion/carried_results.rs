//! Results of a branch that stores: values that a loop carries become selects in front of it.
//!
//! ```text
//! %m, %n = scf.if %c {                      %k = arith.addi %b, %one
//!   memref.store %a, %out[%i]               %m = arith.select %c, %x, %a
//!   scf.yield %x, %zero               ⇒     %n = arith.select %c, %zero, %k
//! } else {                                  scf.if %c {
//!   %k = arith.addi %b, %one                  memref.store %a, %out[%i]
//!   scf.yield %a, %k                        }
//! }
//! affine.yield %m, %n
//! ```
//!
//! What each iteration hands on is then known without the branch: lengths of runs are segmented scans, and the value of a
//! run is that of the iteration before.
//!
//! Legal where what a result is computed from is pure and defined for any operands. Done where all results become selects
//! and are handed on, and are not all reductions as they stand.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::arith::select;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Builder, Context, IrMapping, OpId, Value};

use super::counter::erase_unused;
use super::update::with_results;
use super::{Finder, MAX_OPS};
use crate::analysis::alias::Globals;
use crate::analysis::load_store::is_store;
use crate::analysis::reduction::reduction_at;
use crate::transform::loop_invariant_code_motion::is_speculatable;
use crate::versions::Draft;

/// Converts the counters that a branch advances, and its other results that a loop carries. Returns whether that relies on
/// disjoint arguments, and whether there was one.
pub(super) fn convert_carried(
    ctx: &Context,
    body: &mut Draft,
    op: OpId,
    globals: &Globals,
    has_arguments: bool,
) -> (bool, bool) {
    let (mut relied, mut changed) = (false, false);
    let mut left = Some(op);
    while let Some(op) = left {
        let finder = Finder::new(ctx, body, has_arguments);
        if let Some(plan) = finder.counter(op, globals) {
            relied |= plan.relies_on_arguments;
            left = plan.apply(ctx, body.edit());
        } else if let Some(plan) = finder.carried_results(op) {
            plan.apply(ctx, body.edit());
            left = None;
        } else {
            break;
        }
        changed = true;
    }
    (relied, changed)
}

/// Branch whose results become selects.
pub(super) struct CarriedResults {
    op: OpId,
    /// Operations of the branch that compute the results, in order.
    computed: Vec<OpId>,
    /// Yielded values of each branch.
    arms: [Vec<Value>; 2],
}

impl Finder<'_> {
    /// Matches a branch of a loop that stores, whose results the loop carries.
    pub(super) fn carried_results(&self, op: OpId) -> Option<CarriedResults> {
        let body = self.body;
        let l: ForOp = self.loop_around(op)?;
        let below = body.walk_op(op);
        let count = body[op].num_results();
        if count == 0 || below.len() > MAX_OPS || !below.iter().any(|&op| is_store(body, op)) {
            return None;
        }
        let (yielded, uses) = (l.yielded(body), body.uses());
        let places = body[op].results();
        let places = places.map(|result| yielded.iter().position(|&next| next == result));
        let places: Vec<usize> = places.collect::<Option<_>>()?;
        let reduces = |&k: &usize| reduction_at(self.ctx, body, &uses, l, k, true).is_ok();
        if places.iter().all(reduces) {
            return None;
        }
        let arms = [0, 1].map(|region| {
            let end = body[body.region_block(op, region)?].last()?;
            Some(body[end].operands.to_vec())
        });
        let [Some(yes), Some(no)] = arms else {
            return None;
        };
        let computed = self.computed_below(op, &[&yes[..], &no].concat())?;
        Some(CarriedResults {
            op,
            computed,
            arms: [yes, no],
        })
    }

    /// Backward slice of values in a branch; `None` if an operation of it may not run elsewhere.
    fn computed_below(&self, op: OpId, values: &[Value]) -> Option<Vec<OpId>> {
        let (ctx, body) = (self.ctx, self.body);
        let mut found: Vec<OpId> = Vec::new();
        let mut open = values.to_vec();
        while let Some(value) = open.pop() {
            let def = body.defining_op(value);
            let def = def.filter(|&def| def != op && body.is_ancestor(op, def));
            let Some(def) = def.filter(|def| !found.contains(def)) else {
                continue;
            };
            let is_pure = body[def].name.has(Traits::PURE)
                && body[def].inline_regions().is_empty()
                && is_speculatable(ctx, body, def);
            if !is_pure {
                return None;
            }
            found.push(def);
            open.extend(body[def].operands.iter().copied());
        }
        let below = body.walk_op(op).into_iter();
        Some(below.filter(|op| found.contains(op)).collect())
    }
}

impl CarriedResults {
    /// Converts the branch.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let op = self.op;
        let condition = body[op].operands[0];
        let results: Vec<Value> = body[op].results().collect();
        let mut b = Builder::before(ctx, body, op);
        let mut names = IrMapping::new();
        b.insert_copies(&self.computed, &mut names);
        let [yes, no] = &self.arms;
        for ((&yes, &no), result) in yes.iter().zip(no).zip(results) {
            let value = select(&mut b, condition, names.value(yes), names.value(no));
            b.body.replace_uses(result, value);
        }
        let mut has_else = false;
        for region in [0, 1] {
            let Some(block) = body.region_block(op, region) else {
                continue;
            };
            has_else = region == 1 && body.ops(block).count() > 1;
            if let Some(end) = body[block].last() {
                body[end].operands.clear();
            }
        }
        let new = with_results(ctx, body, op, &[], has_else);
        body.erase(op);
        erase_unused(body, new.0);
    }
}
