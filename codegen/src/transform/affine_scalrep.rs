//! `affine-scalrep`: scalar replacement of memory elements by SSA values.
//!
//! ```text
//! affine.store %z, %c[%i]                   %s = affine.for %k … iter_args(%acc = %z) {
//! affine.for %k = 0 to 8 {                    …
//!   %x = affine.load %c[%i]            ⇒      %y = arith.addf %acc, %p
//!   …                                         affine.yield %y
//!   %y = arith.addf %x, %p                  }
//!   affine.store %y, %c[%i]                 affine.store %s, %c[%i]
//! }
//! ```
//!
//! Three rewrites, each legal when no other access in between, or in the loop,
//! may touch the element:
//!
//! - a load is replaced by what was stored, or loaded, before in its block, or, in an iteration of
//!   a parallel loop, in a block around it: elsewhere the load may be in a kernel, and the value
//!   would have to travel through the host;
//! - a store that is overwritten in its block before anything reads it goes;
//! - an element that every iteration of a loop reads and then writes is
//!   carried in a value, loaded before the loop and stored after it. In a loop
//!   within an iteration of a parallel one, branches may read and write it as well:
//!   those that write get one more result. If the loop may have no iterations, the
//!   three are put under the condition that it has one, lest a store touch what
//!   another thread owns, unless the block around stores the element in any case;
//!   that leaves the loops around as far as it can ([`unswitch`](super::unswitch)),
//!   so that the element is carried through them as well.
//!
//! Allocations without a load then go, with the stores to them.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::scf;
use gridloom_ir::hash::{FxHashMap, FxHashSet};
use gridloom_ir::{BlockId, Body, Context, Module, OpId, Value};

use crate::analysis::access::{Access, Place, accesses_below, accesses_of};
use crate::analysis::alias::Globals;
use crate::analysis::budget::Budgets;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::parallel::verdict;
use crate::transform::affine_privatize::erase_unread;
use crate::transform::unswitch::unswitch;
use crate::versions::change_functions;
use promotion::find_promotion;

mod promotion;

/// Replaces memory elements by values in the host functions of a module (see [`change_functions`]).
/// Returns whether anything changed.
pub fn scalrep_module(ctx: &Context, module: &mut Module) -> bool {
    let globals = Globals::of(ctx, module);
    let changed = change_functions(ctx, module, &globals, |body| {
        let body = body.edit();
        let mut done = scalrep(ctx, body, &globals);
        // Stores whose last load is gone would still count as dependences.
        done.changed |= erase_unread(ctx, body);
        (done.changed && done.relied_on_arguments, done.changed)
    });
    changed.contains(&true)
}

/// Replaces memory elements by values in a body. Returns whether anything changed, and whether the
/// rewrites took distinct arguments for disjoint.
pub fn scalrep(ctx: &Context, body: &mut Body, globals: &Globals) -> Scalrep {
    let mut done = Scalrep::default();
    let mut budgets = Budgets::default();
    forward_all(ctx, body, globals, &mut done);
    // Inner loops first: their promoted loads and stores then stand in the loop around.
    let loops: Vec<OpId> = body.walk();
    for op in loops.into_iter().rev() {
        let Some(mut op) = ForOp::cast(body, op) else {
            continue;
        };
        while let Some(promotion) = find_promotion(ctx, body, globals, op, &mut budgets, &mut done)
        {
            op = promotion.apply(ctx, body);
            if promotion.is_guarded()
                && let Some(branch) = body.parent_op(op.0)
            {
                unswitch(ctx, body, branch);
            }
            done.changed = true;
        }
    }
    if done.changed {
        forward_all(ctx, body, globals, &mut done);
    }
    done
}

/// Result of [`scalrep`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Scalrep {
    /// Whether the body changed.
    pub changed: bool,
    /// Whether the changes rely on disjoint arguments.
    pub relied_on_arguments: bool,
}

fn forward_all(ctx: &Context, body: &mut Body, globals: &Globals, done: &mut Scalrep) {
    let mut forwarding = Forwarding {
        deps: Dependences::new(ctx, body, globals),
        replaced: FxHashMap::default(),
        dead: FxHashSet::default(),
    };
    let mut blocks: Vec<BlockId> = body.top_blocks().collect();
    for op in body.walk() {
        for &region in body[op].inline_regions() {
            blocks.extend(body[region].blocks.iter().copied());
        }
    }
    for block in blocks {
        forwarding.block(block);
    }
    let Forwarding {
        deps,
        replaced,
        dead,
    } = forwarding;
    if replaced.is_empty() && dead.is_empty() {
        return;
    }
    done.changed = true;
    done.relied_on_arguments |= deps.aliases.relied_on_arguments();
    drop(deps);
    body.replace_values(|mut value| {
        while let Some(&new) = replaced.get(&value) {
            value = new;
        }
        value
    });
    for op in dead {
        body.erase(op);
    }
}

/// Limit of the available elements at a time; the oldest one is dropped. Each access is compared
/// with all of them.
const MAX_AVAILABLE: usize = 96;

/// Available element of a block: its value, and whether the store that gave it has been read since.
struct AvailableElement {
    access: Access,
    value: Value,
    pending_store: Option<OpId>,
}

struct Forwarding<'a> {
    deps: Dependences<'a>,
    replaced: FxHashMap<Value, Value>,
    dead: FxHashSet<OpId>,
}

impl Forwarding<'_> {
    fn block(&mut self, block: BlockId) {
        let body = self.deps.values.body;
        let mut known: Vec<AvailableElement> = Vec::new();
        for op in body.ops(block) {
            let mut accesses = Vec::new();
            if body[op].inline_regions().is_empty() {
                accesses_of(&mut self.deps.values, op, &mut accesses);
            } else {
                accesses = accesses_below(&mut self.deps.values, op);
            }
            match (body[op].name, accesses.pop()) {
                (_, None) => {}
                (affine::LOAD, Some(access)) if is_element(&access) => {
                    self.load(block, &mut known, op, access);
                }
                (affine::STORE, Some(access)) if is_element(&access) => {
                    self.store(block, &mut known, op, access);
                }
                (_, Some(last)) => {
                    accesses.push(last);
                    for access in &self.left_below(block, &known, op, accesses) {
                        self.disturb(block, &mut known, access);
                    }
                }
            }
        }
    }

    /// Forwards available elements to the loads inside of an operation, where it does not write
    /// them. Returns the operation's accesses that remain.
    fn left_below(
        &mut self,
        block: BlockId,
        known: &[AvailableElement],
        root: OpId,
        accesses: Vec<Access>,
    ) -> Vec<Access> {
        let body = self.deps.values.body;
        let is_control = matches!(
            body[root].name,
            affine::FOR | affine::IF | scf::FOR | scf::IF
        );
        let is_candidate = |access: &Access| {
            let load = &body[access.op];
            let same = |entry: &&AvailableElement| {
                entry.access.place == access.place
                    && body.ty(entry.value) == body.ty(load.result(0))
            };
            let is_load = load.name == affine::LOAD && is_element(access);
            is_load.then(|| known.iter().find(same)).flatten()
        };
        if !is_control
            || !accesses.iter().any(|access| is_candidate(access).is_some())
            || !self.is_in_parallel_loop(block)
        {
            return accesses;
        }
        let (mut left, mut gone) = (Vec::new(), Vec::new());
        for access in &accesses {
            let entry = is_candidate(access).filter(|entry| {
                let mut writes = accesses.iter().filter(|other| other.is_write);
                let scope = Scope::Block(block);
                writes.all(|write| !self.deps.may_overlap(scope, &entry.access, write))
            });
            match entry {
                Some(entry) => gone.push((access.op, entry.value)),
                None => left.push(access.clone()),
            }
        }
        for (op, value) in gone {
            self.replaced.insert(body[op].result(0), value);
            self.dead.insert(op);
        }
        left
    }

    /// Whether a block is in an iteration of a parallel loop.
    fn is_in_parallel_loop(&mut self, block: BlockId) -> bool {
        let body = self.deps.values.body;
        let around = body.block_parent_op(block);
        let parents = std::iter::successors(around, |&op| body.parent_op(op));
        let mut loops = parents.filter(|&op| body[op].name == affine::FOR);
        loops.any(|op| verdict(&mut self.deps, op).is_parallel())
    }

    fn load(
        &mut self,
        block: BlockId,
        known: &mut Vec<AvailableElement>,
        op: OpId,
        access: Access,
    ) {
        let body = self.deps.values.body;
        let result = body[op].result(0);
        let same = known.iter().find(|k| k.access.place == access.place);
        if let Some(entry) = same
            && body.ty(entry.value) == body.ty(result)
        {
            self.replaced.insert(result, entry.value);
            self.dead.insert(op);
            return;
        }
        self.disturb(block, known, &access);
        if known.len() >= MAX_AVAILABLE {
            known.remove(0);
        }
        known.push(AvailableElement {
            access,
            value: result,
            pending_store: None,
        });
    }

    fn store(
        &mut self,
        block: BlockId,
        known: &mut Vec<AvailableElement>,
        op: OpId,
        access: Access,
    ) {
        let value = affine::StoreOp(op).value(self.deps.values.body);
        let position = known.iter().position(|k| k.access.place == access.place);
        if let Some(position) = position {
            let before = known.remove(position);
            self.dead.extend(before.pending_store);
        }
        self.disturb(block, known, &access);
        if known.len() >= MAX_AVAILABLE {
            known.remove(0);
        }
        known.push(AvailableElement {
            access,
            value,
            pending_store: Some(op),
        });
    }

    /// Invalidates available elements that an access may write, and marks those that it may read as
    /// needed.
    fn disturb(&mut self, block: BlockId, known: &mut Vec<AvailableElement>, access: &Access) {
        let scope = Scope::Block(block);
        known.retain_mut(|entry| {
            if !self.deps.may_overlap(scope, &entry.access, access) {
                return true;
            }
            entry.pending_store = None;
            !access.is_write
        });
    }
}

/// Whether an access is of one element with known subscripts. An access out of range is a fault,
/// whose effects on values are not preserved.
fn is_element(access: &Access) -> bool {
    matches!(access.place, Place::Element { .. })
}
