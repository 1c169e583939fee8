//! Escape analysis of globals.

use gridloom_dialects::{func, inherent, memref};
use gridloom_ir::hash::FxHashSet;
use gridloom_ir::{Attr, Body, Context, Module, OpId, Value};

use super::{MAX_STEPS, Root, is_view, separated_from};
use crate::analysis::access::is_memref;
use crate::analysis::callee::Callees;
use crate::analysis::load_store::{is_direct_access, is_store};

/// Escape summary of a module, for the alias analysis of a function: the globals that never escape,
/// since they are only loaded from, stored to and copied; and the accesses that declarations of
/// functions state.
#[derive(Clone, Default, Debug)]
pub struct Globals {
    kept_apart: FxHashSet<Attr>,
    callees: Callees,
}

impl Globals {
    /// Summarizes all functions of a module, if it declares a global.
    pub fn of(ctx: &Context, module: &Module) -> Self {
        let declares = module.ops().any(|(_, op)| op.name == memref::GLOBAL);
        let mut met = FxHashSet::default();
        let mut passed_on = FxHashSet::default();
        for (_, op) in module.ops().filter(|_| declares) {
            let Some(body) = op.isolated() else { continue };
            if op.name != func::FUNC || !body.may_hold(memref::GET_GLOBAL) {
                continue;
            }
            for op in body.walk() {
                for (position, &operand) in body[op].operands.iter().enumerate() {
                    let Some(Root::Global(name)) = global_root(ctx, body, operand) else {
                        continue;
                    };
                    met.insert(name);
                    if !stays_put(body, op, position) {
                        passed_on.insert(name);
                    }
                }
            }
        }
        Globals {
            kept_apart: met.difference(&passed_on).copied().collect(),
            callees: Callees::of(ctx, module),
        }
    }

    /// Declared effects of the module's functions without a body.
    pub fn callees(&self) -> &Callees {
        &self.callees
    }

    pub(super) fn is_kept_apart(&self, name: Attr) -> bool {
        self.kept_apart.contains(&name)
    }
}

fn global_root(ctx: &Context, body: &Body, value: Value) -> Option<Root> {
    if !is_memref(ctx, body, value) {
        return None;
    }
    let mut value = value;
    for _ in 0..MAX_STEPS {
        let op = body.defining_op(value)?;
        value = match body[op].name {
            memref::GET_GLOBAL => return body[op].attr(ctx, inherent::NAME).map(Root::Global),
            _ if is_view(body, op) => *body[op].operands.first()?,
            _ => separated_from(body, value)?,
        };
    }
    None
}

/// Whether a use of a memref as operand `position` creates no alias of it. Storing the memref
/// itself does create one.
fn stays_put(body: &Body, op: OpId, position: usize) -> bool {
    if position == 0 && is_store(body, op) {
        return false;
    }
    let name = body[op].name;
    is_view(body, op) || name == memref::DISTINCT_OBJECTS || is_direct_access(name)
}
