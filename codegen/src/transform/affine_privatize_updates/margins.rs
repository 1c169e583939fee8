//! Margins: elements of private copies behind the last one of a dimension, for updates under a mask
//! or out of range.
//!
//! ```text
//! affine.for %i = … {                    %in = affine.for %i = … iter_args(%good = true) {
//!   %b = …                                 %b = …
//!   scf.if %c {                            %at = arith.select %c, (arith.minui %b, 256), 256
//!     update of %own[%g, %l, %b]     ⇒     update of %own[%g, %l, %at]
//!   }                                      affine.yield %good and (not %c or %b <u 256)
//! }                                      }
//!                                        scf.if not %in {
//!                                          affine.for %i = … {
//!                                            %b = …
//!                                            scf.if %c and not %b <u 256 {
//!                                              memref.store %zero, %h[%b]
//!                                        } } }
//! ```
//!
//! An update under a mask or a bounds guard is a branch: it costs a driver that runs threads in lockstep a
//! fifth of the loop, and several times the loop where the branch is hard to predict. An update of an
//! element of the margin, which nobody adds up, needs none. A thread that had an update out of range goes
//! over its iterations again, with an access of the array itself for each of these: its guard reports the
//! fault, as often and in the order as before, and drops the store.
//!
//! Legal where an update runs at most once in each iteration, and its subscripts can be computed again:
//! by pure operations, and by loads in range of memory that the loop does not write. A branch becomes a
//! mask where it has no other effects and all that it computes is defined, and all that it loads there,
//! whether the condition holds or not ([`predication`](super::predication)). Updates to which that does
//! not apply stay as they are; if one of them may be out of range, there are no margins.

use std::collections::HashSet;

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::{affine, memref, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::predication::{Masked, statements_of};
use super::{Array, MAX_ELEMENTS};
use crate::analysis::access::{Access, accesses_below};
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::load_store::is_load;
use crate::transform::affine_atomic_updates::{Update, is_known};
use crate::transform::emit_loops::go_behind;
use crate::transform::speculation::open_dimensions;

/// Plan of an iteration whose updates go to margins where they do not apply.
pub(super) struct Margins {
    /// The statements of the iteration in order, those of masked branches in place of the branch.
    pub(super) statements: Vec<OpId>,
    predicated: Vec<Predicated>,
    /// The operations that compute subscripts and masks of updates that may be out of range, in order.
    tests: Vec<OpId>,
}

/// Update that may go to a margin.
struct Predicated {
    load: OpId,
    store: OpId,
    memref: Value,
    /// Conditions of the branches around.
    masks: Vec<Value>,
    /// Dimensions in which the subscript may leave the array where the mask is not looked at.
    clamped: Vec<usize>,
    /// Dimensions in which it may where the mask holds.
    open: Vec<usize>,
}

/// Tests of an iteration so far.
pub(super) struct Tested {
    /// Whether all updates were in range.
    pub(super) good: Option<Value>,
    /// Subscripts within the margins, by the update's load.
    within: Vec<(OpId, Vec<Value>)>,
}

/// Plans margins for the updates of a loop, and enters them in the arrays; `None` where no update needs
/// one, or where one that stays as it is may be out of range.
pub(super) fn margins_of(
    deps: &mut Dependences,
    root: affine::ForOp,
    iteration: BlockId,
    updates: &[Update],
    arrays: &mut [Array],
    vector: i64,
) -> Option<Margins> {
    let statements = statements_of(deps, iteration, updates);
    let mut predicated = Vec::new();
    for update in updates {
        let memref = memref::StoreOp(update.store).memref(deps.values.body);
        let open = open_dimensions(deps, update.store, update.store, memref);
        let place = statements.iter().find(|masked| masked.op == update.store);
        let Some(Masked { masks, branch, .. }) = place else {
            if !open.is_empty() {
                return None;
            }
            continue;
        };
        let at = branch.unwrap_or(update.store);
        let clamped = open_dimensions(deps, update.store, at, memref);
        if !masks.is_empty() || !clamped.is_empty() {
            predicated.push(Predicated {
                load: update.load,
                store: update.store,
                memref,
                masks: masks.clone(),
                clamped,
                open,
            });
        }
    }
    let statements: Vec<OpId> = statements.iter().map(|masked| masked.op).collect();
    let tests = tests_of(deps, root, &statements, &predicated)?;
    enter_margins(arrays, &predicated, vector)?;
    (!predicated.is_empty()).then_some(Margins {
        statements,
        predicated,
        tests,
    })
}

/// Enters the margins of updates in the arrays; `None` where copies would become too large.
fn enter_margins(arrays: &mut [Array], predicated: &[Predicated], vector: i64) -> Option<()> {
    let mut margins: Vec<Vec<i64>> = arrays.iter().map(|array| array.margins.clone()).collect();
    for update in predicated {
        let number = arrays.iter().position(|a| a.memref == update.memref)?;
        let shape = &arrays[number].shape;
        for dim in update.margin_dims(shape.len()) {
            // Rows stay aligned.
            let is_last = dim + 1 == shape.len();
            let unit = if is_last { vector.max(1) } else { 1 };
            margins[number][dim] = unit - shape[dim] % unit;
        }
    }
    for (array, margins) in arrays.iter().zip(&margins) {
        let mut extents = array.shape.iter().zip(margins);
        let size = extents.try_fold(1i64, |size, (extent, margin)| {
            size.checked_mul(extent + margin)
        });
        size.filter(|&size| size <= 2 * MAX_ELEMENTS)?;
    }
    for (array, margins) in arrays.iter_mut().zip(margins) {
        array.margins = margins;
    }
    Some(())
}

/// The statements that compute subscripts and masks of updates that may be out of range; `None` where
/// computing them again might give other values or faults.
fn tests_of(
    deps: &mut Dependences,
    root: affine::ForOp,
    statements: &[OpId],
    predicated: &[Predicated],
) -> Option<Vec<OpId>> {
    let body = deps.values.body;
    let mut needed: HashSet<OpId> = HashSet::new();
    let mut stack: Vec<Value> = Vec::new();
    for update in predicated.iter().filter(|update| !update.open.is_empty()) {
        stack.extend(memref::StoreOp(update.store).indices(body));
        stack.extend(&update.masks);
    }
    let mut loads = Vec::new();
    while let Some(value) = stack.pop() {
        // Block arguments are counters of the loops around.
        let Some(op) = body.defining_op(value) else {
            continue;
        };
        if !body.is_ancestor(root.0, op) || !needed.insert(op) {
            continue;
        }
        let is_load = is_load(body, op);
        let is_plain = is_load || body[op].name.has(Traits::PURE);
        if !is_plain || !statements.contains(&op) || !body[op].inline_regions().is_empty() {
            return None;
        }
        if is_load {
            loads.push(op);
        }
        stack.extend(&body[op].operands);
    }
    if !loads.iter().all(|&load| is_repeatable(deps, root, load)) {
        return None;
    }
    let needed = statements.iter().copied().filter(|op| needed.contains(op));
    Some(needed.collect())
}

/// Whether a load is in range and gives the same value behind the loop, which writes nothing there.
fn is_repeatable(deps: &mut Dependences, root: affine::ForOp, load: OpId) -> bool {
    let Some(&memref) = deps.values.body[load].operands.first() else {
        return false;
    };
    if !open_dimensions(deps, load, load, memref).is_empty() {
        return false;
    }
    let accesses = accesses_below(&mut deps.values, root.0);
    let of_load = |access: &&Access| access.op == load;
    let Some(read) = accesses.iter().find(of_load) else {
        return false;
    };
    is_known(read)
        && accesses
            .iter()
            .filter(|access| access.is_write)
            .all(|write| {
                let scope = Scope::AnyIterations(root.0);
                is_known(write) && !deps.may_overlap(scope, read, write)
            })
}

impl Margins {
    /// The value that the loop carries at first, if an update may be out of range.
    pub(super) fn inits(&self, b: &mut Builder) -> Vec<Value> {
        let is_open = self.predicated.iter().any(|update| !update.open.is_empty());
        is_open.then(|| yes(b)).into_iter().collect()
    }

    /// The tests at the start of an iteration.
    pub(super) fn tested(&self, carried: &[Value]) -> Tested {
        Tested {
            good: carried.first().copied(),
            within: Vec::new(),
        }
    }

    /// Moves the clone of an update's load or store to subscripts within the margins, and adds the test
    /// of the given ones to `tested`. `names` maps the values of the iteration.
    pub(super) fn clamp(
        &self,
        ctx: &Context,
        body: &mut Body,
        (old, new): (OpId, OpId),
        (arrays, names): (&[Array], &IrMapping),
        tested: &mut Tested,
    ) {
        let by_store = |update: &&Predicated| update.store == old;
        if let Some(update) = self.predicated.iter().find(by_store) {
            let within = tested.within.iter().find(|(of, _)| *of == update.load);
            if let Some((_, indices)) = within {
                body[new].operands.truncate(2);
                body[new].operands.extend(indices.iter().copied());
            }
            return;
        }
        let by_load = |update: &&Predicated| update.load == old;
        let Some(update) = self.predicated.iter().find(by_load) else {
            return;
        };
        let mut indices = body[new].operands[1..].to_vec();
        let mut b = Builder::before(ctx, body, new);
        let mask = update.mask(&mut b, names);
        if let Some(good) = &mut tested.good
            && let Some(inside) = update.inside(&mut b, arrays, &indices)
        {
            let fine = match mask {
                Some(mask) => {
                    let out = not(&mut b, mask);
                    b.binary(arith::ORI, inside, out)
                }
                None => inside,
            };
            *good = b.binary(arith::ANDI, *good, fine);
        }
        for &dim in &update.clamped {
            let extent = update.extent(&mut b, arrays, dim);
            indices[dim] = b.binary(arith::MINUI, indices[dim], extent);
        }
        if let (Some(mask), Some(&dim)) = (mask, update.margin_dims(indices.len()).first()) {
            let margin = update.extent(&mut b, arrays, dim);
            indices[dim] = arith::select(&mut b, mask, indices[dim], margin);
        }
        body[new].operands.truncate(1);
        body[new].operands.extend(indices.iter().copied());
        tested.within.push((old, indices));
    }

    /// Emits the accesses of an iteration that are out of range, whose guards report them. `names` maps
    /// the counters.
    pub(super) fn report(&self, b: &mut Builder, arrays: &[Array], mut names: IrMapping) {
        b.insert_copies(&self.tests, &mut names);
        for update in &self.predicated {
            let store = memref::StoreOp(update.store);
            let indices: Vec<Value> = (store.indices(b.body).iter())
                .map(|&index| names.value(index))
                .collect();
            let array = arrays.iter().find(|array| array.memref == update.memref);
            let inside = update.inside(b, arrays, &indices);
            let (Some(array), Some(inside)) = (array, inside) else {
                continue;
            };
            let out = not(b, inside);
            let runs = match update.mask(b, &names) {
                Some(mask) => b.binary(arith::ANDI, mask, out),
                None => out,
            };
            let test = open_test(b, runs);
            let loc = std::mem::replace(&mut b.loc, b.body[update.load].loc);
            let neutral = b.constant(array.neutral, array.element);
            memref::StoreOp::create(b, neutral, array.memref, &indices);
            b.loc = loc;
            close_test(b, test);
        }
    }
}

impl Predicated {
    /// The dimensions that have a margin for the update: the last one where only a mask needs it.
    fn margin_dims(&self, rank: usize) -> Vec<usize> {
        match self.clamped.is_empty() {
            true => vec![rank - 1],
            false => self.clamped.clone(),
        }
    }

    /// The extent of a dimension as a value.
    fn extent(&self, b: &mut Builder, arrays: &[Array], dim: usize) -> Value {
        let array = arrays.iter().find(|array| array.memref == self.memref);
        b.index_constant(array.map_or(0, |array| array.shape[dim]))
    }

    /// Whether subscripts are in range; `None` where they always are.
    fn inside(&self, b: &mut Builder, arrays: &[Array], indices: &[Value]) -> Option<Value> {
        let mut inside: Option<Value> = None;
        for &dim in &self.open {
            let extent = self.extent(b, arrays, dim);
            let test = CmpIOp::create(b, CmpIPredicate::Ult, indices[dim], extent);
            inside = Some(match inside {
                Some(inside) => b.binary(arith::ANDI, inside, test),
                None => test,
            });
        }
        inside
    }

    /// The conjunction of the masks; `None` of an update that always runs.
    fn mask(&self, b: &mut Builder, names: &IrMapping) -> Option<Value> {
        let masks = self.masks.iter().map(|&mask| names.value(mask));
        masks.reduce(|all, mask| b.binary(arith::ANDI, all, mask))
    }
}

fn yes(b: &mut Builder) -> Value {
    b.constant(b.ctx.bool_attr(true), b.ctx.bool_type())
}

pub(super) fn not(b: &mut Builder, condition: Value) -> Value {
    let yes = yes(b);
    b.binary(arith::XORI, condition, yes)
}

/// Emits a branch, and moves the builder inside.
pub(super) fn open_test(b: &mut Builder, condition: Value) -> scf::IfOp {
    let test = scf::IfOp::create(b, condition, &[], false);
    b.set(InsertPoint::End(test.then_block(b.body)));
    test
}

/// Terminates the block of a branch, and moves the builder behind it.
pub(super) fn close_test(b: &mut Builder, test: scf::IfOp) {
    let block = test.then_block(b.body);
    scf::yield_values(b, block, &[]);
    go_behind(b, test.0);
}
