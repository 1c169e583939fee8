//! Conditional flags: turns a store of one value to one element, which branches of a loop's iterations
//! make, into a disjunction of their conditions.
//!
//! ```text
//!                                            affine.store %c0, %any[]
//! affine.for %i = 0 to %n {                  affine.for %i = 0 to %n {
//!   scf.if %c {                                scf.if %c {
//!     affine.store %one, %changed[0]   ⇒         %any[] |= 1
//!   }                                          }
//! }                                          }
//!                                            %t = arith.cmpi ne, %any[], %c0
//!                                            %s = arith.select %t, %one, %changed[0]
//!                                            affine.store %s, %changed[0]
//! ```
//!
//! All iterations store the same, so that their order does not matter, and `%any` is an [update](super::update),
//! a reduction. Legal where the value is computed in front of the loop, nothing else in the loop touches
//! the element, and the element is there and holds something whether an iteration stores or not. Of a nest
//! it is the outermost loop of which this holds. An element that moves with a loop around is left: that
//! loop may be parallel as it is.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate, select};
use gridloom_dialects::scf;
use gridloom_ir::{Body, Builder, Context, OpId, Value};

use super::Finder;
use crate::analysis::alias::Globals;
use crate::analysis::reduction::int_attr;
use crate::transform::auxiliary_arrays::allocate;
use crate::transform::element::{Element, can_be_kept};

/// Conditional flag: a store of a loop's branches.
pub(super) struct Flag {
    store: OpId,
    around: ForOp,
    element: Element,
    value: Value,
    /// Whether the plan relies on disjoint arguments.
    pub(super) relies_on_arguments: bool,
}

impl Finder<'_> {
    /// Matches a store of a value from outside of a loop by a branch in it, and plans its conversion.
    pub(super) fn flag(&self, store: OpId, globals: &Globals) -> Option<Flag> {
        let (ctx, body) = (self.ctx, self.body);
        if body[store].name != affine::STORE {
            return None;
        }
        let branch = body.parent_op(store)?;
        if body[branch].name != scf::IF {
            return None;
        }
        let loops = self.loops_beyond_branches(branch);
        let element = Element::of(ctx, body, store)?;
        let value = body[store].operands[0];
        if !can_be_kept(ctx, body.ty(value)) || !self.is_kept(*loops.last()?, &element) {
            return None;
        }
        let found = loops.into_iter().rev().find_map(|around| {
            let is_flag = !body.is_defined_in(value, around.0) && self.is_there(around, &element);
            let relies_on_arguments =
                is_flag.then(|| self.is_alone(around.0, &[store, store], around, globals))??;
            Some(Flag {
                store,
                around,
                element: element.clone(),
                value,
                relies_on_arguments,
            })
        });
        // What a branch stores beside a payload comes from the same iteration.
        found.filter(|_| !self.keeps_payload(branch, globals))
    }
}

impl Flag {
    /// Converts the store. The update that it becomes is that of a branch.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let ty = ctx.int_type(32);
        let (Some(zero), Some(one)) = (int_attr(ctx, ty, 0), int_attr(ctx, ty, 1)) else {
            return;
        };
        let any = allocate(ctx, body, self.around.0, &[ty], &[])[0];
        let only = Element::only(ctx, any);
        let mut b = Builder::before(ctx, body, self.around.0);
        let start = b.constant(zero, ty);
        only.store(&mut b, start);

        let mut b = Builder::before(ctx, body, self.store);
        let set = b.constant(one, ty);
        let held = only.load(&mut b);
        let next = b.binary(arith::ORI, held, set);
        only.store(&mut b, next);
        body.erase(self.store);

        // In front of the deallocation behind the loop.
        let Some(behind) = body[self.around.0].next() else {
            return;
        };
        let mut b = Builder::before(ctx, body, behind);
        let zero = b.constant(zero, ty);
        let reached = only.load(&mut b);
        let is_set = CmpIOp::create(&mut b, CmpIPredicate::Ne, reached, zero);
        let old = self.element.load(&mut b);
        let new = select(&mut b, is_set, self.value, old);
        self.element.store(&mut b, new);
    }
}
