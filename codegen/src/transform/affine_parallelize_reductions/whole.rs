//! Whole reductions: one inside parallel loops whose number of iterations is open is left whole where that turns out to be small.
//!
//! ```text
//! affine.for %i = 0 to %m {                     affine.if (2048 - %n >= 0) {
//!   %s = affine.for %j = 0 to %n iter_args …      the nest as it was
//!   …                                     ⇒     } else {
//! }                                               the nest, to be cut
//!                                               }
//! ```
//!
//! Always legal: both branches do the same. Chunks cost launches and partial results. Across rows they gain nothing as long as
//! the processor keeps the addresses of the pages that a thread comes by ([`MOST_PAGES`]): columns that occupy all threads need no
//! chunks, and fewer are done as fast as the launches. Along rows they gain little as long as a row is no longer than
//! a page ([`ELEMENTS_OF_PAGE`]) and one load is all of an iteration: sums of 301 rows of 703 took a quarter more time in chunks, those
//! of 2,003 rows of 1,003 a twelfth less, but products of a matrix of 301 rows and a vector a quarter less.

use gridloom_dialects::affine::{self, ForOp, IfOp};
use gridloom_ir::affine::AffineConstraint;
use gridloom_ir::{Body, Builder, Context, InsertPoint, IntegerSet, IrMapping, Value};

use super::Policy;
use super::band_policy::{ELEMENTS_OF_PAGE, MAX_UNUSED, MOST_PAGES, Walk};
use crate::analysis::counter::is_loop;
use crate::analysis::load_store::is_load;
use crate::transform::map_inputs::Inputs;

/// Condition under which a nest is better left whole.
#[derive(PartialEq, Eq)]
pub(super) struct Whole {
    set: IntegerSet,
    operands: Vec<Value>,
}

impl Policy<'_> {
    /// The condition under which a reduction in one loop, which streams as `walk` says, is left whole: one on its upper bound,
    /// which is known in front of the nest `root`. `None` where its length is constant, or where the target wants chunks anyway.
    pub(super) fn whole(&self, root: ForOp, reduction: ForOp, walk: Walk) -> Option<Whole> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let inside = &body.walk_op(reduction.0)[1..];
        let upper = reduction.upper(ctx, body);
        let is_open = reduction.constant_trip_count(ctx, body).is_none()
            && upper.map.results(ctx).len() == 1
            && (upper.operands.iter()).all(|&v| !body.is_defined_in(v, root.0));
        let low = reduction.constant_lower(ctx, body)?;
        if self.options.reduction.shares
            || !is_open
            || !(0..=MAX_UNUSED).contains(&low)
            || inside.iter().any(|&op| is_loop(body, op))
        {
            return None;
        }
        let loads = inside.iter().filter(|&&op| is_load(body, op)).count();
        let most = match walk {
            Walk::Columns => MOST_PAGES,
            Walk::Rows if loads == 1 => ELEMENTS_OF_PAGE,
            Walk::Rows => return None,
        };
        let most = most.checked_mul(reduction.step(ctx, body))?;
        let mut inputs = Inputs::new(ctx);
        let end = *inputs.import(upper, &IrMapping::new()).first()?;
        let room = ctx.affine_sub(ctx.affine_const(most), end);
        let (map, operands) = inputs.finish(&[room]);
        let data = map.data(ctx);
        let test = AffineConstraint {
            expr: room,
            is_eq: false,
        };
        let set = ctx.integer_set(data.dims, data.symbols, &[test]);
        Some(Whole { set, operands })
    }

    /// Whether a nest stands where its reduction is to be left whole, in the first branch of a test that [`part`] wrote.
    pub(super) fn is_whole(&self, root: ForOp, reduction: ForOp, walk: Walk) -> bool {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let around = body.parent_op(root.0);
        let Some(test) = around.and_then(|op| IfOp::cast(body, op)) else {
            return false;
        };
        let holds = Whole {
            set: test.set(ctx, body),
            operands: body[test.0].operands.to_vec(),
        };
        body[root.0].parent() == Some(test.then_block(body))
            && self.whole(root, reduction, walk) == Some(holds)
    }
}

/// Puts a copy of a nest under the condition that it is better left whole, and the nest under the opposite.
pub(super) fn part(ctx: &Context, body: &mut Body, root: ForOp, whole: &Whole) {
    let copy = body.clone_op(root.0, &mut IrMapping::new());
    let mut b = Builder::before(ctx, body, root.0);
    let test = IfOp::create(&mut b, whole.set, &whole.operands, &[], true);
    b.body.detach(root.0);
    let branches = [Some(test.then_block(b.body)), test.else_block(b.body)];
    for (branch, nest) in branches.into_iter().zip([copy, root.0]) {
        let Some(branch) = branch else { continue };
        affine::yield_values(&mut b, branch, &[]);
        b.set(InsertPoint::Start(branch));
        b.insert(nest);
    }
}
