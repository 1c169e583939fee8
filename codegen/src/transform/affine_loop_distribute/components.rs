//! Distribution of a loop that carries values over its connected components: values that it carries, and stores, that have
//! to do with each other.
//!
//! ```text
//! %r = affine.for %i = 0 to %n                     affine.for %i = 0 to %n {
//!     iter_args(%s = %z) {                           %x = affine.load %a[%i]
//!   %x = affine.load %a[%i]                          %h[%x] += 1
//!   %h[%x] += 1                            ⇒       }
//!   %t = arith.addi %s, %x                         %r = affine.for %i = 0 to %n iter_args(%s = %z) {
//!   affine.yield %t                                  %x = affine.load %a[%i]
//! }                                                  %t = arith.addi %s, %x
//!                                                    affine.yield %t
//!                                                  }
//! ```
//!
//! Each then has the form of its own that other passes know: updates that may be atomic, a reduction, the stream
//! compactions of a partition (`if (c) a[m++] = x; else b[k++] = x;`).
//!
//! Two belong together where one uses the other, or where both access an element that one of them writes, in any two
//! iterations. What only computes is computed in each loop that needs it. Components that stores of different iterations do
//! not tie stay in one loop, with the values that stores have nothing to do with: a map that also reduces is one
//! kernel. Done in loops of many iterations, which no parallel loop is around.
//!
//! A loop that carries nothing, but updates elements in which its iterations meet and others in which they do not, both
//! under conditions, becomes two: `if (near) { f[i] += g; f[j] -= g; }`.

use std::collections::HashSet;

use gridloom_dialects::affine::{self, ForOp, yield_values};
use gridloom_dialects::scf;
use gridloom_ir::{Body, Builder, Context, IrMapping, OpId, Value};

use super::is_in_parallel_loop;
use crate::analysis::access::{Access, Place, accesses_of};
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::load_store::is_store;
use crate::analysis::parallel::conflict_in_memory;
use crate::transform::affine_parallelize_scans::only_computes;
use crate::transform::emit_loops::open_like;

/// Least trip count of a loop that is worth several passes over its iterations, where it is known.
const MIN_TRIPS: u64 = 512;

/// Limit of the components before they are merged.
const MAX_PARTS: usize = 16;

/// Limit of the accesses that are compared with each other.
const MAX_ACCESSES: usize = 48;

/// A loop that carries values, and the parts that become loops.
pub(super) struct Components {
    op: ForOp,
    parts: Vec<Part>,
}

/// Part of a loop.
#[derive(Clone, Default)]
struct Part {
    /// Positions of the values that it carries.
    carried: Vec<usize>,
    /// The operations with effects: stores, or statements as a whole.
    effects: Vec<OpId>,
    /// All operations that it needs, at any depth, but for the terminators of what is kept.
    needed: HashSet<OpId>,
    accesses: Vec<Access>,
}

/// Plans the distribution of a loop over its connected components: of one that carries values, over all of them, else over
/// those that tie its iterations and those that do not.
pub(super) fn plan_components(deps: &mut Dependences, op: ForOp) -> Option<Components> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let trips = op.constant_trip_count(ctx, body);
    let carries = body[op.0].num_results() > 0;
    let least = if carries { MIN_TRIPS } else { super::MIN_TRIPS };
    if trips.is_some_and(|trips| trips < least) {
        return None;
    }
    let effects = effects(body, op)?;
    if effects.is_empty()
        || is_in_parallel_loop(deps, op.0)
        || conflict_in_memory(deps, op.0).is_none()
    {
        return None;
    }
    let mut parts = Vec::new();
    for at in 0..body[op.0].num_results() {
        let mut part = Part {
            carried: vec![at],
            ..Part::default()
        };
        part.slice(body, op, &[op.yielded(body)[at]])?;
        parts.push(part);
    }
    for effect in effects {
        let mut part = Part {
            effects: vec![effect],
            ..Part::default()
        };
        part.take(body, op, effect)?;
        parts.push(part);
    }
    if parts.len() > MAX_PARTS {
        return None;
    }
    let below = body.walk_op(op.0);
    for part in &mut parts {
        for &needed in below.iter().filter(|op| part.needed.contains(op)) {
            accesses_of(&mut deps.values, needed, &mut part.accesses);
        }
    }
    let count: usize = parts.iter().map(|part| part.accesses.len()).sum();
    let is_known = |access: &Access| access.place != Place::Anything;
    if count > MAX_ACCESSES || !parts.iter().flat_map(|part| &part.accesses).all(is_known) {
        return None;
    }
    let connected = connected(deps, op, parts);
    let (tied, mut free): (Vec<Part>, Vec<Part>) = connected
        .into_iter()
        .partition(|part| part.is_tied(deps, op));
    let plain = free.drain(..).reduce(Part::joined);
    let parts: Vec<Part> = match carries {
        true => tied.into_iter().chain(plain).collect(),
        false => vec![tied.into_iter().reduce(Part::joined)?, plain?],
    };
    (parts.len() > 1).then_some(Components { op, parts })
}

/// The operations with effects of a loop: stores of it and of conditionals without results in it, and other statements
/// as a whole. [`None`] where it calls or does what is not known.
fn effects(body: &Body, op: ForOp) -> Option<Vec<OpId>> {
    let block = op.block(body);
    let mut found = Vec::new();
    for statement in body.ops(block) {
        let below = body.walk_op(statement);
        if Some(statement) == body[block].last() || below.iter().all(|&op| only_computes(body, op))
        {
            continue;
        }
        let is_branch =
            |op: OpId| matches!(body[op].name, affine::IF | scf::IF) && body[op].num_results() == 0;
        let is_branch_of_stores = below
            .iter()
            .all(|&op| is_store(body, op) || is_branch(op) || is_computed_alone(body, op));
        match is_branch_of_stores {
            true => found.extend(below.into_iter().filter(|&op| is_store(body, op))),
            false => found.push(statement),
        }
    }
    Some(found)
}

/// Whether an operation only computes, and has no regions.
fn is_computed_alone(body: &Body, op: OpId) -> bool {
    body[op].inline_regions().is_empty() && only_computes(body, op)
}

impl Part {
    /// Adds an operation, the conditionals around it, and what they need.
    fn take(&mut self, body: &Body, op: ForOp, effect: OpId) -> Option<()> {
        let around = body.ancestors(effect).take_while(|&around| around != op.0);
        let around: Vec<OpId> = around.collect();
        for &branch in &around {
            self.needed.insert(branch);
            let operands = body[branch].operands.to_vec();
            self.slice(body, op, &operands)?;
        }
        for below in body.walk_op(effect) {
            self.needed.insert(below);
            let operands = body[below].operands.to_vec();
            self.slice(body, op, &operands)?;
        }
        Some(())
    }

    /// Adds what values are computed from. [`None`] where that is more than computations.
    fn slice(&mut self, body: &Body, op: ForOp, values: &[Value]) -> Option<()> {
        let mut open = values.to_vec();
        while let Some(value) = open.pop() {
            if let Some(at) = op.iter_args(body).iter().position(|&arg| arg == value) {
                if !self.carried.contains(&at) {
                    self.carried.push(at);
                }
                continue;
            }
            let def = body
                .defining_op(value)
                .filter(|&def| def != op.0 && body.is_ancestor(op.0, def));
            let Some(def) = def.filter(|def| !self.needed.contains(def)) else {
                continue;
            };
            for below in body.walk_op(def) {
                if !only_computes(body, below) {
                    return None;
                }
                self.needed.insert(below);
                open.extend(body[below].operands.iter().copied());
            }
        }
        Some(())
    }

    fn joined(mut self, other: Part) -> Part {
        for at in other.carried {
            if !self.carried.contains(&at) {
                self.carried.push(at);
            }
        }
        self.effects.extend(other.effects);
        self.needed.extend(other.needed);
        self.accesses.extend(other.accesses);
        self
    }

    /// Whether stores of different iterations are tied, by memory or by what the loop carries.
    fn is_tied(&self, deps: &mut Dependences, op: ForOp) -> bool {
        if self.effects.is_empty() {
            return false;
        }
        let mut pairs = self
            .accesses
            .iter()
            .flat_map(|a| self.accesses.iter().map(move |b| (a, b)));
        let scope = Scope::AcrossIterations(op.0);
        !self.carried.is_empty() || pairs.any(|(a, b)| !deps.test(scope, a, b).is_independent())
    }

    /// Whether two parts have to be one.
    fn meets(&self, deps: &mut Dependences, op: ForOp, other: &Part) -> bool {
        let shares = self.carried.iter().any(|at| other.carried.contains(at));
        let scope = Scope::AnyIterations(op.0);
        let mut pairs = self
            .accesses
            .iter()
            .flat_map(|a| other.accesses.iter().map(move |b| (a, b)));
        shares
            || pairs.any(|(a, b)| {
                (a.is_write || b.is_write)
                    && !(deps.test(scope, a, b).is_independent()
                        && deps.test(scope, b, a).is_independent())
            })
    }
}

/// The connected components of parts.
fn connected(deps: &mut Dependences, op: ForOp, parts: Vec<Part>) -> Vec<Part> {
    let mut found: Vec<Part> = Vec::new();
    for part in parts {
        let mut part = part;
        // What the part brings may meet others in turn.
        while let Some(at) = found.iter().position(|other| part.meets(deps, op, other)) {
            part = found.remove(at).joined(part);
        }
        found.push(part);
    }
    found
}

impl Components {
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let old = self.op;
        let inits = old.inits(ctx, body).to_vec();
        let (args, yielded) = (old.iter_args(body).to_vec(), old.yielded(body).to_vec());
        let statements = old.statements(body);
        for part in &self.parts {
            let mut carried = part.carried.clone();
            carried.sort_unstable();
            let own: Vec<Value> = carried.iter().map(|&at| inits[at]).collect();
            let mut b = Builder::before(ctx, body, old.0);
            let mut map = IrMapping::new();
            // No operation that stays uses these.
            for (&arg, &init) in args.iter().zip(&inits) {
                map.map(arg, init);
            }
            let new = open_like(&mut b, old, &mut map, &own);
            b.body[new.0].attributes = b.body[old.0].attributes;
            let new_args = new.iter_args(b.body).to_vec();
            for (&at, arg) in carried.iter().zip(new_args) {
                map.map(args[at], arg);
            }
            for &statement in statements.iter().filter(|op| part.needed.contains(op)) {
                let copy = b.insert_copy(statement, &mut map);
                keep(b.body, statement, copy, part);
            }
            let values: Vec<Value> = carried.iter().map(|&at| map.value(yielded[at])).collect();
            let block = new.block(b.body);
            yield_values(&mut b, block, &values);
            for (result, &at) in carried.iter().enumerate() {
                let (from, to) = (body[old.0].result(at), body[new.0].result(result));
                body.replace_uses(from, to);
            }
        }
        body.erase(old.0);
    }
}

/// Erases from the copy of a statement what its part does not need.
fn keep(body: &mut Body, statement: OpId, copy: OpId, part: &Part) {
    let [old, new] = [statement, copy].map(|op| body.walk_op(op));
    let pairs = old.into_iter().zip(new);
    let is_end = |op: OpId| matches!(body[op].name, affine::YIELD | scf::YIELD | scf::CONDITION);
    let foreign = pairs.filter(|&(op, _)| !part.needed.contains(&op) && !is_end(op));
    // Users stand behind what they use.
    let foreign: Vec<OpId> = foreign.map(|(_, copy)| copy).collect();
    for &op in foreign.iter().rev() {
        body.erase(op);
    }
}
