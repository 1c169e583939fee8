//! `affine-super-vectorize`: vectorizes loops, one iteration for each lane.
//!
//! ```text
//!                                            affine.for %i = 0 to %n - %n mod 4 step 4 {
//! affine.for %i = 0 to %n {                    %x = vector.transfer_read %a[%i] : vector<4xf32>
//!   %x = affine.load %a[%i]                    %y = arith.addf %x, %x : vector<4xf32>
//!   %y = arith.addf %x, %x : f32       ⇒       vector.transfer_write %y, %b[%i]
//!   affine.store %y, %b[%i]                  }
//! }                                          affine.for %i = %n - %n mod 4 to %n { … }
//! ```
//!
//! With one size, a loop and its body become one-dimensional vectors, outer loops before inner
//! ones; iterations that fill no vector remain in a loop of their own. With several sizes, as many
//! loops nested perfectly become the dimensions of vectors, the last of them an innermost one;
//! their numbers of iterations are constant multiples of the sizes.
//!
//! Legal where the loops have no dependence from one iteration to another, count by 1, and each
//! access goes along one dimension of its memory by 1 for each of them, or stays where it is and
//! only reads. With one size that is the last dimension; `test-fastest-varying` says otherwise,
//! counting from the last. All computations have to be element-wise. With `vectorize-reductions` a
//! loop that reduces has partial results as lanes, which the reduction has to permit: sums of
//! floats need `fastmath<reassoc>`. Other loops stay, with a remark for innermost nests.

mod apply;
mod judge;

use std::collections::HashSet;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::{Body, Context, Diagnostic, Diagnostics, Module, OpId};

use self::judge::{Judge, Plan};
use super::affine_loop_fusion::legality::perfectly_nested;
use super::plans::{Plans, change_with_remarks, is_inside};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::parallel::{conflict_in_memory, verdict};
use crate::analysis::reduction::{Reduction, reductions_of};

/// Options of vectorization, under MLIR's names.
#[derive(Clone, Debug)]
pub struct VectorizeOptions {
    /// `virtual-vector-size`: lanes along each dimension of the vectors.
    pub sizes: Vec<i64>,
    /// `test-fastest-varying`: for each size the dimension of the memory, counted from the last.
    pub varying: Option<Vec<i64>>,
    /// `vectorize-reductions`: whether loops that reduce become vectors too.
    pub reductions: bool,
}

/// Vectorizes the loops of the host functions of a module. Returns whether there were any, and which
/// innermost ones stay.
pub fn vectorize_module(
    ctx: &Context,
    module: &mut Module,
    options: &VectorizeOptions,
) -> (bool, Diagnostics) {
    change_with_remarks(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals, options),
        |plan: &Plan, body| plan.apply(ctx, body),
    )
}

fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &VectorizeOptions,
) -> (Plans<Plan>, Diagnostics) {
    let mut deps = Dependences::new(ctx, body, globals);
    let mut plans = Vec::new();
    let mut remarks = Diagnostics::new();
    let mut planned: HashSet<OpId> = HashSet::new();
    for op in body.walk() {
        let Some(l) = ForOp::cast(body, op) else {
            continue;
        };
        if is_inside(body, op, &planned) {
            continue;
        }
        let is_told = is_told(body, op, options.sizes.len());
        match plan_nest(&mut deps, l, options) {
            Ok(plan) => {
                planned.insert(op);
                plans.push(plan);
            }
            Err((at, why)) if is_told => {
                let message = format!("this loop is not vectorized: {why}");
                remarks.push(Diagnostic::remark(body[at.unwrap_or(op)].loc, message));
            }
            Err(_) => {}
        }
    }
    let relied = deps.aliases.relied_on_arguments();
    ((plans, relied), remarks)
}

/// Whether a loop that is not vectorized gets a remark: the outermost of as many loops as there are
/// sizes, or an innermost one.
fn is_told(body: &Body, l: OpId, sizes: usize) -> bool {
    let loops = body.walk_op(l).into_iter();
    let count = loops.filter(|&op| body[op].name == affine::FOR).count();
    let is_alone = body
        .parent_op(l)
        .is_none_or(|around| body[around].name != affine::FOR);
    count == sizes || count == 1 && is_alone
}

/// Refusal to vectorize: the operation, if any, and the reason.
type Refusal = (Option<OpId>, String);

/// Plans the vectorization of a loop's nest.
fn plan_nest(
    deps: &mut Dependences,
    root: ForOp,
    options: &VectorizeOptions,
) -> Result<Plan, Refusal> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let refused = |why: &str| (None, why.to_owned());
    let mut nest = vec![root];
    while nest.len() < options.sizes.len() {
        let inner = nest.last().and_then(|&l| perfectly_nested(body, l));
        nest.push(inner.ok_or_else(|| {
            refused("there are more vector sizes than loops in the perfect nest")
        })?);
    }
    let has_loops = |l: ForOp| {
        body.walk_op(l.0)[1..]
            .iter()
            .any(|&op| body[op].name == affine::FOR)
    };
    if nest.len() > 1 && nest.last().is_some_and(|&l| has_loops(l)) {
        return Err(refused("there are more loops inside"));
    }
    if nest.iter().any(|l| l.step(ctx, body) != 1) {
        return Err(refused("it counts by another step than 1"));
    }
    // Reductions are cheaper to test than dependences.
    let reductions = reductions(deps, root, &nest, options)?;
    let mut judge = Judge::new(&mut deps.values, &nest, options);
    judge.statements(root, &reductions)?;
    let plan = judge.finish(root, &nest, reductions)?;
    for l in &nest {
        let is_parallel = match body[l.0].num_results() {
            0 => verdict(deps, l.0).is_parallel(),
            _ => conflict_in_memory(deps, l.0).is_none(),
        };
        if !is_parallel {
            return Err(refused("an iteration may depend on one before"));
        }
    }
    Ok(plan)
}

/// The reductions of the vectorized loop.
fn reductions(
    deps: &Dependences,
    root: ForOp,
    nest: &[ForOp],
    options: &VectorizeOptions,
) -> Result<Vec<Reduction>, Refusal> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let refused = |why: &str| (None, why.to_owned());
    if nest.iter().all(|l| body[l.0].num_results() == 0) {
        return Ok(Vec::new());
    }
    if !options.reductions || nest.len() > 1 {
        return Err(refused("it carries values from one iteration to the next"));
    }
    let found = reductions_of(ctx, body, &deps.values.uses(), root, false);
    found.map_err(|_| refused("the value it carries is no reduction that may be regrouped"))
}
