//! Parallel loops inside of one between numbers that only the run knows, such as a row of a sparse matrix: they come out.
//!
//! ```text
//! affine.for %b = 0 to %n {                     affine.for %b = 0 to %n {
//!   scf.for %k = %off[%b] to %off[%b + 1] {       affine.for %d = 0 to %m {
//!     affine.for %d = 0 to %m {            ⇒        scf.for %k = %off[%b] to %off[%b + 1] {
//!       %o[%b, %d] += %a[%k, %d]                      %o[%b, %d] += …
//! ```
//!
//! Legal where the inner loop is free within the outer one, and its bounds are from outside of that. Done in parallel loops, where
//! the outer loop is sequential: the grid gains a dimension.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::scf;
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, Module, OpId};

use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::parallel::{MAX_ACCESSES, distinct_accesses, is_free, verdict};
use crate::analysis::repeatable::can_repeat;
use crate::transform::affine_loop_distribute::is_in_parallel_loop;
use crate::transform::emit_loops::copy_loop;
use crate::transform::plans::{Plans, change_by_plans};

/// Limit of the loops that come out of one.
const MAX_DEPTH: usize = 4;

/// Moves parallel loops out of loops of `scf` in the host functions of a module. Returns whether anything changed.
pub(super) fn move_out_of_open_loops(ctx: &Context, module: &mut Module) -> bool {
    change_by_plans(
        ctx,
        module,
        MAX_DEPTH,
        |body, globals| plan_body(ctx, body, globals),
        |plan, body| plan.apply(ctx, body),
    )
}

/// Interchange of a loop of `scf` with the one in it.
struct Interchange {
    outer: OpId,
    inner: ForOp,
}

fn plan_body(ctx: &Context, body: &Body, globals: &Globals) -> Plans<Interchange> {
    if !body.may_hold(scf::FOR) {
        return (Vec::new(), false);
    }
    let mut deps = Dependences::new(ctx, body, globals);
    let outer = body.walk().into_iter();
    let outer = outer.filter(|&op| body[op].name == scf::FOR);
    let plans = outer.filter_map(|op| plan(&mut deps, op)).collect();
    (plans, deps.aliases.relied_on_arguments())
}

/// Plans the interchange of a loop with the only one in it, where that is free and the loop itself is not.
fn plan(deps: &mut Dependences, outer: OpId) -> Option<Interchange> {
    let body = deps.values.body;
    let ops: Vec<OpId> = body.ops(body.region_block(outer, 0)?).collect();
    let [statements @ .., inner, _] = &ops[..] else {
        return None;
    };
    let inner = ForOp::cast(body, *inner)?;
    let is_plain = |op: OpId| body[op].num_results() == 0;
    let mut bounds = body[inner.0].operands.iter();
    if !is_plain(outer)
        || !is_plain(inner.0)
        || bounds.any(|&value| body.is_defined_in(value, outer))
        || !is_in_parallel_loop(deps, outer)
        || !can_repeat(deps, statements, inner.0)
    {
        return None;
    }
    let accesses = distinct_accesses(deps, outer);
    let pays = accesses.len() <= MAX_ACCESSES
        && is_free(deps, outer, inner.0, &accesses)
        && !verdict(deps, outer).is_parallel();
    pays.then_some(Interchange { outer, inner })
}

impl Interchange {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let (outer, inner) = (self.outer, self.inner);
        let mut b = Builder::before(ctx, body, outer);
        b.loc = b.body[inner.0].loc;
        let new = copy_loop(&mut b, inner, &IrMapping::new());
        let block = new.block(b.body);
        b.body.detach(outer);
        b.set(InsertPoint::Start(block));
        b.insert(outer);
        affine::yield_values(&mut b, block, &[]);
        let counters = [inner, new].map(|l| l.induction_var(body));
        let statements: Vec<OpId> = body.ops(inner.block(body)).collect();
        for &op in &statements[..statements.len().saturating_sub(1)] {
            body.detach(op);
            body.insert_before(inner.0, op);
        }
        body.replace_uses(counters[0], counters[1]);
        body.erase(inner.0);
    }
}
