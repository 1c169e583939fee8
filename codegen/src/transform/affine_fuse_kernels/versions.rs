//! Versions of nests that agree in their bounds only for some sizes, as a part of `affine-fuse-kernels`.
//!
//! ```text
//!                                               %same = arith.cmpi eq, dim(%y, 0), dim(%x, 0)
//! affine.for %i = 0 to dim(%y, 0) {             scf.if %same {
//!   affine.store %z, %y[%i]                       affine.for %i = 0 to dim(%y, 0) { affine.store %z, %y[%i] }
//! }                                       ⇒       affine.for %i = 0 to dim(%y, 0) { … %y[%i] += … %x[%i, %k] }
//! affine.for %i = 0 to dim(%x, 0) {             }
//!   … %y[%i] += … %x[%i, %k]                    scf.if not %same {
//! }                                               …                               // as it was
//!                                               }
//! ```
//!
//! Libraries of whole-array operations fill a result, by its sizes, before they reduce an operand, by the operand's. Where
//! sizes are open, only the run finds that both are the same.
//!
//! Always legal: both copies do what the operations did, and exactly one runs. Bounds are numbers from outside that the
//! machine computes without wrapping around; in the first copy, loops with either of two equal bounds get the same one, so that
//! the next round fuses the nests. A pair is chosen where that round will: its legality is asked of the nests as they are,
//! whose iterations are those of the copy. Where it relies on distinct arguments, so does the version, for which the function for
//! overlapping ones has no use. What follows the two nests is copied with them, up to a limit, so that it can still be fused with
//! them.

use std::collections::HashSet;

use gridloom_dialects::affine::{Bound, ForOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineExpr, BlockId, Body, Builder, Context, Module, OpId, Value};

use super::{FusionPolicy, Planner};
use crate::analysis::dependence::Dependences;
use crate::analysis::effects::{Effect, effect_of};
use crate::analysis::values::Atom;
use crate::target::OffloadOptions;
use crate::transform::affine_loop_fusion::legality::{agreeing_nests_where, same_range_start};
use crate::transform::affine_number_selections::rewrite::negated;
use crate::transform::affine_scope::is_of_affine;
use crate::transform::atom_value::atom_value;
use crate::transform::emit_loops::{MapWithOperands, bound, owned};
use crate::transform::loop_invariant_code_motion::is_speculatable;
use crate::transform::lower_affine::expand;
use crate::transform::nest_versions::part_ops;
use crate::transform::plans::change_by_plans;

/// Limit of the operations that are copied.
const MAX_OPERATIONS: usize = 400;

/// Puts nests that could be fused if their bounds were equal in two versions, at most one pair of nests in each function.
/// Returns whether there was one.
pub(super) fn add_versions(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| {
            let mut planner = Planner::new(ctx, body, globals, options, FusionPolicy::Kernels);
            planner.assumes = true;
            planner.plan_body();
            let relies =
                planner.version.is_some() && planner.reductions.deps.aliases.relied_on_arguments();
            (planner.version.into_iter().collect(), relies)
        },
        |version, body| version.apply(ctx, body),
    )
}

/// Two upper bounds that the run may find equal, as expressions over atoms, and that of the first loop as it stands.
struct Equality {
    first: ForOp,
    sides: [AffineExpr; 2],
    upper: MapWithOperands,
}

/// Operations to be copied, and what is equal in the first copy.
pub(super) struct Version {
    /// Pure operations among the others, which move in front of the test.
    lead: Vec<OpId>,
    operations: Vec<OpId>,
    /// Pairs of equal expressions over the atoms.
    equalities: Vec<[AffineExpr; 2]>,
    atoms: Vec<Atom>,
    /// Loops whose upper bound has another name in the first copy.
    renamed: Vec<(ForOp, MapWithOperands)>,
}

impl Planner<'_> {
    /// Plans versions for two nests of a block, of which `rest` are the operations behind the first one.
    pub(super) fn plan_version(
        &mut self,
        block: BlockId,
        pair: [ForOp; 2],
        rest: &[OpId],
    ) -> Option<Version> {
        let mut equalities = Vec::new();
        let nests = agreeing_nests_where(self.deps(), pair, |deps, loops| {
            let equality = equality_of(deps, pair[0], loops)?;
            equalities.push(equality);
            Some(())
        });
        let behind = rest.iter().position(|&op| op == pair[1].0)?;
        let plan = self.plan_nests(block, pair, nests, &rest[..behind])?;
        equalities.retain(|equality| plan.nests[0].contains(&equality.first));
        if equalities.is_empty() || !plan.frees.is_empty() {
            return None;
        }
        let (lead, operations) = self.part(pair[0].0, rest, behind)?;
        let body = self.body();
        let known = |value: Value| {
            let is_made = |op: OpId| rest.contains(&op) && !lead.contains(&op);
            !pair.iter().any(|l| body.is_defined_in(value, l.0))
                && !body.defining_op(value).is_some_and(is_made)
        };
        let deps = self.deps();
        let sides: Vec<AffineExpr> = equalities.iter().flat_map(|e| e.sides).collect();
        let (exprs, atoms) = deps.values.compact(&sides);
        let are_known = atoms.iter().all(|atom| atom.anchor().is_some_and(known));
        let bounds = equalities.iter().flat_map(|e| &e.upper.1);
        if !are_known || !bounds.copied().all(known) {
            return None;
        }
        let renamed = renamed(deps, &operations, &equalities);
        Some(Version {
            lead,
            operations,
            equalities: exprs.chunks(2).map(|pair| [pair[0], pair[1]]).collect(),
            atoms,
            renamed,
        })
    }

    /// Parts the operations from `first` on, at least up to number `least` of those behind it: pure operations, which may move
    /// in front, and the others. What remains behind uses none of the others' results.
    fn part(&mut self, first: OpId, rest: &[OpId], least: usize) -> Option<(Vec<OpId>, Vec<OpId>)> {
        let (ctx, body) = (self.deps().values.ctx, self.body());
        let uses = self.deps().values.uses();
        let mut lead: Vec<OpId> = Vec::new();
        let mut stay = vec![first];
        let mut made: HashSet<Value> = body[first].results().collect();
        let mut size = body.walk_op(first).len();
        let mut found = None;
        // Results of operations that stay and are used further behind.
        let mut last_use = 0;
        for (at, &op) in rest.iter().enumerate() {
            size += body.walk_op(op).len();
            let is_affine_of = |op: OpId| {
                let is_made = |value: &Value| body.ty(*value).is_index(ctx) && made.contains(value);
                is_of_affine(ctx, body[op].name) && body[op].operands.iter().any(is_made)
            };
            // Below the test, results are neither dimensions nor symbols.
            let leaves_scope = body.walk_op(op).into_iter().any(is_affine_of);
            if body[op].name.has(Traits::TERMINATOR) || size > MAX_OPERATIONS || leaves_scope {
                break;
            }
            let is_pure = body[op].inline_regions().is_empty()
                && effect_of(body, op) == Effect::None
                && is_speculatable(ctx, body, op);
            if is_pure && !body[op].operands.iter().any(|v| made.contains(v)) {
                lead.push(op);
            } else {
                stay.push(op);
                for result in body[op].results() {
                    made.insert(result);
                    for user in uses.of(result) {
                        let top = rest.iter().position(|&op| body.is_ancestor(op, user.op));
                        last_use = last_use.max(top.unwrap_or(usize::MAX));
                    }
                }
            }
            if at >= least && last_use <= at {
                found = Some((lead.clone(), stay.clone()));
            }
        }
        found
    }
}

/// The equality under which two loops have the same iterations; `None` where they have not, or where the bounds
/// are not from outside of the nests.
fn equality_of(
    deps: &mut Dependences,
    root: ForOp,
    [first, second]: [ForOp; 2],
) -> Option<Equality> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    if !same_range_start(deps, [first, second]) {
        return None;
    }
    let mut single = |l: ForOp| single_bound(deps, l.0, l.upper(ctx, body), root.0);
    let sides = [single(first)?, single(second)?];
    let difference = ctx.affine_sub(sides[0], sides[1]);
    let is_open = difference.as_constant(ctx).is_none();
    let upper = owned(first.upper(ctx, body));
    is_open.then_some(Equality {
        first,
        sides,
        upper,
    })
}

/// The only expression of a bound, where the machine computes it, at the loop as well as in front of `root`, without
/// wrapping around.
fn single_bound(deps: &mut Dependences, op: OpId, bound: Bound, root: OpId) -> Option<AffineExpr> {
    let values = &mut deps.values;
    let expr = values.exact_bound(op, bound)?;
    let there = values.environment_at(root);
    values.fits(expr, there).then_some(expr)
}

/// The loops below some operations that get another name for their upper bound.
fn renamed(
    deps: &mut Dependences,
    operations: &[OpId],
    equalities: &[Equality],
) -> Vec<(ForOp, MapWithOperands)> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let below = operations.iter().flat_map(|&op| body.walk_op(op));
    let loops: Vec<ForOp> = below.filter_map(|op| ForOp::cast(body, op)).collect();
    let renamed = loops.into_iter().filter_map(|l| {
        let root = operations[0];
        let expr = single_bound(deps, l.0, l.upper(ctx, body), root)?;
        let equality = equalities.iter().find(|e| e.sides[1] == expr)?;
        Some((l, equality.upper.clone()))
    });
    renamed.collect()
}

impl Version {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let first = self.operations[0];
        for &op in &self.lead {
            body.detach(op);
            body.insert_before(first, op);
        }
        let mut b = Builder::before(ctx, body, first);
        let atoms = self.atoms.iter().map(|&atom| atom_value(&mut b, atom));
        let Some(atoms) = atoms.collect::<Option<Vec<Value>>>() else {
            // The atoms of bounds have values.
            return;
        };
        let mut test = |sides: &[AffineExpr; 2]| {
            let sides = expand(&mut b, sides, &atoms, &[]);
            CmpIOp::create(&mut b, CmpIPredicate::Eq, sides[0], sides[1])
        };
        let tests: Vec<Value> = self.equalities.iter().map(&mut test).collect();
        let all = tests
            .into_iter()
            .reduce(|all, one| b.binary(arith::ANDI, all, one));
        let Some(same) = all else {
            return;
        };
        let other = negated(&mut b, same);
        part_ops(&mut b, &self.operations, [other, same]);
        for (l, upper) in &self.renamed {
            l.set_upper(ctx, body, bound(upper));
        }
    }
}
