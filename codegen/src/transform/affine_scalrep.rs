//! `affine-scalrep`: elements of memory kept in values.
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
//! - a load is replaced by what was stored, or loaded, before in its block;
//! - a store that is overwritten in its block before anything reads it goes;
//! - an element that every iteration of a loop reads and then writes is
//!   carried in a value, loaded before the loop and stored after it. If the
//!   loop may have no iterations, the three are put under the condition that
//!   it has one, lest a store touch what another thread owns; that leaves the loops
//!   around as far as it can ([`unswitch`](super::unswitch)), so that the element is
//!   carried through them as well.
//!
//! Allocations that nobody reads then go, with what is stored there.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::hash::{FxHashMap, FxHashSet};
use gridloom_ir::{BlockId, Body, Context, Module, OpId, Value};

use crate::analysis::access::{Access, Place, accesses_below, accesses_of};
use crate::analysis::alias::Globals;
use crate::analysis::budget::Budgets;
use crate::analysis::dependence::{Dependences, Scope};
use crate::transform::affine_privatize::erase_unread;
use crate::transform::unswitch::unswitch;
use crate::versions::change_functions;
use promotion::find_promotion;

mod promotion;

/// Keeps elements in values in the host functions of a module (see
/// [`change_functions`]). Returns whether anything changed.
pub fn scalrep_module(ctx: &Context, module: &mut Module) -> bool {
    let globals = Globals::of(ctx, module);
    let changed = change_functions(ctx, module, &globals, |body| {
        let body = body.edit();
        let mut done = scalrep(ctx, body, &globals);
        // Stores whose last load is gone would still count as a dependence.
        done.changed |= erase_unread(ctx, body);
        (done.changed && done.relied_on_arguments, done.changed)
    });
    changed.contains(&true)
}

/// Keeps elements in values all over a body. Returns whether anything
/// changed, and whether the rewrites took distinct arguments for disjoint.
pub fn scalrep(ctx: &Context, body: &mut Body, globals: &Globals) -> Scalrep {
    let mut done = Scalrep::default();
    let mut budgets = Budgets::default();
    forward_all(ctx, body, globals, &mut done);
    // Inner loops first: what they load and store then stands in the loop around.
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

/// Outcome of [`scalrep`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Scalrep {
    /// Whether the body is another one now.
    pub changed: bool,
    /// Whether it is right only if distinct arguments are disjoint.
    pub relied_on_arguments: bool,
}

fn forward_all(ctx: &Context, body: &mut Body, globals: &Globals, done: &mut Scalrep) {
    let mut forwarding = Forwarding {
        deps: Dependences::new(ctx, body, globals),
        replaced: FxHashMap::default(),
        dead: FxHashSet::default(),
    };
    let mut blocks: Vec<BlockId> = Vec::new();
    for &region in body.regions() {
        blocks.extend(body[region].blocks.iter().copied());
    }
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

/// Elements whose values are known at a time; the oldest is forgotten. Each access
/// is held against all of them.
const MAX_KNOWN: usize = 96;

/// Available value of an element in a block, and whether the store
/// that gave it has been read since.
struct Known {
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
        let mut known: Vec<Known> = Vec::new();
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
                    for access in &accesses {
                        self.disturb(block, &mut known, access);
                    }
                }
            }
        }
    }

    fn load(&mut self, block: BlockId, known: &mut Vec<Known>, op: OpId, access: Access) {
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
        if known.len() >= MAX_KNOWN {
            known.remove(0);
        }
        known.push(Known {
            access,
            value: result,
            pending_store: None,
        });
    }

    fn store(&mut self, block: BlockId, known: &mut Vec<Known>, op: OpId, access: Access) {
        let value = affine::StoreOp(op).value(self.deps.values.body);
        let position = known.iter().position(|k| k.access.place == access.place);
        if let Some(position) = position {
            let before = known.remove(position);
            self.dead.extend(before.pending_store);
        }
        self.disturb(block, known, &access);
        if known.len() >= MAX_KNOWN {
            known.remove(0);
        }
        known.push(Known {
            access,
            value,
            pending_store: Some(op),
        });
    }

    /// Forgets what an access may change; what it may read is needed.
    fn disturb(&mut self, block: BlockId, known: &mut Vec<Known>, access: &Access) {
        let scope = Scope::Block(block);
        known.retain_mut(|entry| {
            if !self.deps.may_meet(scope, &entry.access, access) {
                return true;
            }
            entry.pending_store = None;
            !access.is_write
        });
    }
}

/// Whether an access is of one element that can be named. One out of range is
/// a fault, whose effects on values are not kept.
fn is_element(access: &Access) -> bool {
    matches!(access.place, Place::Element { .. })
}
