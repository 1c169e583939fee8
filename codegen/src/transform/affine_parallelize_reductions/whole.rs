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
//! of 2,003 rows of 1,003 a twelfth less, but products of a matrix of 301 rows and a vector a quarter less. Rows of several loops
//! that the threads of a workgroup would share ([`super::row_sharing`]) are left whole where there are many with few elements in all.

use gridloom_dialects::affine::{self, ForOp, IfOp};
use gridloom_ir::affine::AffineConstraint;
use gridloom_ir::{AffineExpr, Body, Builder, Context, InsertPoint, IntegerSet, IrMapping, Value};

use super::Policy;
use super::band_policy::{ELEMENTS_OF_PAGE, MAX_UNUSED, MOST_PAGES, Walk};
use crate::analysis::load_store::is_load;
use crate::analysis::loop_kind::is_affine_loop;
use crate::transform::map_inputs::Inputs;

/// Limit of the number of rows and of their length, where both are open, for threads to have rows of their own: those of 2^18 elements.
const MOST_OPEN: i64 = 1 << 9;

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
            || inside.iter().any(|&op| is_affine_loop(body, op))
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
        Some(Whole::of(ctx, inputs, &[room]))
    }

    /// The condition under which threads have rows of their own ([`Policy::has_rows_for_threads`]) where sizes are open: one on the
    /// upper bounds of the loop around the rows, `root`, and of the loops in a row, known in front of the nest.
    pub(super) fn whole_rows(&mut self, root: ForOp) -> Option<Whole> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let (band, loops) = self.rows_for_threads(root)?;
        let mut inputs = Inputs::new(ctx);
        let (mut rooms, mut tested) = (Vec::new(), Vec::new());
        for l in [root].into_iter().chain(loops) {
            let upper = l.upper(ctx, body);
            let low = l.constant_lower(ctx, body)?;
            let is_known = upper.map.results(ctx).len() == 1
                && (upper.operands.iter()).all(|&v| !body.is_defined_in(v, root.0));
            let is_nest = l != root && self.levels_of(l).len() > 1;
            if band.len() > 1 || !is_known || is_nest || !(0..=MAX_UNUSED).contains(&low) {
                return None;
            }
            let step = l.step(ctx, body);
            let ends = (l == root, low, step, upper.map, upper.operands);
            if tested.contains(&ends) {
                continue;
            }
            tested.push(ends);
            let end = *inputs.import(upper, &IrMapping::new()).first()?;
            let after =
                |trips: i64| Some(ctx.affine_const(trips.checked_mul(step)?.checked_add(low)?));
            let mut found = vec![ctx.affine_sub(after(MOST_OPEN)?, end)];
            if l == root {
                found.push(ctx.affine_sub(end, after(self.rows_of_threads())?));
            }
            for room in found {
                match room.as_constant(ctx) {
                    Some(..0) => return None,
                    Some(_) => {}
                    None => rooms.push(room),
                }
            }
        }
        (!rooms.is_empty()).then(|| Whole::of(ctx, inputs, &rooms))
    }

    /// Whether a nest stands where its reduction is to be left whole, in the first branch of a test that [`part`] wrote.
    pub(super) fn is_whole(&self, root: ForOp, reduction: ForOp, walk: Walk) -> bool {
        let holds = self.condition_of(root);
        holds.is_some() && self.whole(root, reduction, walk) == holds
    }

    /// Whether a nest stands where its rows are to be left whole, in the first branch of such a test.
    pub(super) fn has_whole_rows(&mut self, root: ForOp) -> bool {
        let holds = self.condition_of(root);
        holds.is_some() && self.whole_rows(root) == holds
    }

    /// The condition of the `affine.if` in whose first branch a nest stands.
    fn condition_of(&self, root: ForOp) -> Option<Whole> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let test = IfOp::cast(body, body.parent_op(root.0)?)?;
        let holds = Whole {
            set: test.set(ctx, body),
            operands: body[test.0].operands.to_vec(),
        };
        (body[root.0].parent() == Some(test.then_block(body))).then_some(holds)
    }
}

impl Whole {
    /// The condition that none of some expressions over `inputs` is negative.
    fn of(ctx: &Context, inputs: Inputs, rooms: &[AffineExpr]) -> Whole {
        let (map, operands) = inputs.finish(rooms);
        let data = map.data(ctx);
        let test = |&expr: &AffineExpr| AffineConstraint { expr, is_eq: false };
        let tests: Vec<AffineConstraint> = rooms.iter().map(test).collect();
        let set = ctx.integer_set(data.dims, data.symbols, &tests);
        Whole { set, operands }
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
