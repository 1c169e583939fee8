//! Live-in loads: loads of elements that later iterations overwrite, as rows of a knapsack's table have them.
//!
//! ```text
//! for %k = %w to %n {                               %t = a copy of %x
//!   %old = memref.load %x[%n - %k]                  parallel %k = %w to %n {
//!   memref.store f(%old), %x[%n - %k + %w]    ⇒       %old = memref.load %t[%n - %k]
//! }                                                   memref.store f(%old), %x[%n - %k + %w]
//!                                                   }
//! ```
//!
//! With the factor `f` of the counter in both subscripts, iteration `k` stores what iteration `k'` loads where
//! `f · (k' - k)` is the distance from the load's subscript to the store's. No earlier iteration does so
//! if the distance has the sign of `-f`, or is nought: a condition on run-time values, tested in front of the loop. The loads then
//! read a copy of the memref ([node splitting](crate::transform::affine_node_splitting), for loops outside of the
//! affine domain).

use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::{affine, arith, gridloom, memref, scf};
use gridloom_ir::{Builder, Context, InsertPoint, OpId, Value};

use super::band::{Access, Band, RuntimeCondition};
use super::form::{SubscriptForm, Variable};
use super::test::differ_at;
use crate::transform::emit_loops::go_behind;

/// Loads of a memref that read a copy of it.
pub(super) struct LiveIn {
    memref: Value,
    loads: Vec<OpId>,
}

/// A copy costs at most as much as this many iterations of the loop for each element.
const MAX_ELEMENTS_PER_ITERATION: i64 = 16;

/// The loads of a memref in a single loop that have to read a copy of it, so that iterations are independent, and
/// the conditions for that; `None` where nothing shows it.
pub(super) fn live_in(band: &Band, memref: Value) -> Option<(LiveIn, Vec<RuntimeCondition>)> {
    let (&[root], 1) = (&band.loops[..], band.levels.len()) else {
        return None;
    };
    let own = || {
        band.accesses
            .iter()
            .filter(|access| access.memref == memref)
    };
    let stores: Vec<&Access> = own().filter(|access| access.is_write).collect();
    let mut conditions = band.conditions.clone();
    for (at, first) in stores.iter().enumerate() {
        for second in &stores[at..] {
            conditions.extend(differ_at(band, first, second)?);
        }
    }
    let mut loads = Vec::new();
    for (at, load) in (band.accesses.iter().enumerate())
        .filter(|(_, access)| access.memref == memref && !access.is_write)
    {
        for store in &stores {
            if let Some(found) = differ_at(band, load, store) {
                conditions.extend(found);
                continue;
            }
            // In an iteration, the load has to come first.
            let is_first = band.accesses[at..]
                .iter()
                .any(|access| access.op == store.op);
            let is_once = [load.op, store.op]
                .iter()
                .all(|&op| runs_once(band, root, op));
            if !is_first || !is_once {
                return None;
            }
            let pairs = load.subscripts.iter().zip(&store.subscripts);
            let found =
                { pairs }.find_map(|(load, store)| unreached(load.as_ref()?, store.as_ref()?));
            conditions.push(found?);
            if !loads.contains(&load.op) {
                loads.push(load.op);
            }
        }
    }
    Some((LiveIn { memref, loads }, conditions))
}

/// Whether an iteration of the loop runs an operation once at most.
fn runs_once(band: &Band, root: OpId, op: OpId) -> bool {
    let around = band.body.ancestors(op).take_while(|&op| op != root);
    { around }.all(|op| matches!(band.body[op].name, scf::IF | affine::IF))
}

/// The condition under which no iteration loads what an earlier one stored, in this subscript; [`None`] where it
/// hardly ever holds.
fn unreached(load: &SubscriptForm, store: &SubscriptForm) -> Option<RuntimeCondition> {
    let variable = Variable::Level(0);
    let only = |form: &SubscriptForm| form.terms.keys().all(|&term| term == variable);
    let factor = load.factor(variable).as_constant()?;
    if factor == 0
        || store.factor(variable).as_constant() != Some(factor)
        || !only(load)
        || !only(store)
    {
        return None;
    }
    let distance = match factor > 0 {
        true => load.rest.minus(&store.rest)?,
        false => store.rest.minus(&load.rest)?,
    };
    // The numbers of a run are seldom negative: a way that falls with all of them is likely to be.
    let is_likely = distance
        .as_constant()
        .map_or(!distance.is_falling(), |distance| distance >= 0);
    is_likely.then_some(RuntimeCondition::Natural(distance))
}

impl LiveIn {
    /// Emits the test whether the copy costs little beside the loop.
    pub(super) fn is_worth_a_copy(&self, b: &mut Builder, trips: Value) -> Value {
        let rank = { b.body.ty(self.memref).memref(b.ctx) }.map_or(0, |ty| ty.rank());
        let mut elements = b.index_constant(1);
        for dim in 0..rank {
            let dim = b.index_constant(dim as i64);
            let extent = memref::DimOp::create(b, self.memref, dim);
            elements = b.binary(arith::MULI, elements, extent);
        }
        let most = b.index_constant(MAX_ELEMENTS_PER_ITERATION);
        let most = b.binary(arith::MULI, trips, most);
        CmpIOp::create(b, CmpIPredicate::Sle, elements, most)
    }

    /// Copies the memref in front of the loop and has the loads read the copy.
    pub(super) fn apply(&self, ctx: &Context, b: &mut Builder, root: OpId) {
        let Some(ty) = b.body.ty(self.memref).memref(ctx) else {
            return;
        };
        let (shape, element) = (ty.shape.to_vec(), ty.element);
        b.set(InsertPoint::Before(root));
        let open = memref::open_extents(b, self.memref, &shape);
        let copy = memref::AllocOp::create(b, ctx.memref_type(&shape, element), &open);
        // Remarks on the loops around then name the load.
        let loc = self.loads.first().map_or(b.loc, |&load| b.body[load].loc);
        let loc = std::mem::replace(&mut b.loc, loc);
        memref::CopyOp::create(b, self.memref, copy);
        b.loc = loc;
        for &load in &self.loads {
            b.body[load].operands[0] = copy;
            gridloom::set_in_bounds(ctx, &mut b.body[load], false);
        }
        go_behind(b, root);
        b.create(b.state(memref::DEALLOC).operands(&[copy]));
        b.set(InsertPoint::Before(root));
    }
}
