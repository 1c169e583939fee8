//! `async-execute-in-order`: runs `async.execute` regions synchronously, in program order.
//!
//! ```text
//! %t, %v = async.execute [%before] (%a as %x: !async.value<f32>)      %y = arith.negf %a
//!     -> !async.value<f32> {                                          … %y …
//!   %y = arith.negf %x                                          ⇒
//!   async.yield %y : f32
//! }
//! %r = async.await %v : !async.value<f32>
//! ```
//!
//! Always legal: the dependencies of a region are complete when control reaches it, and a program
//! that may run it later may run it then. Tokens become `true`, async values their contents; a
//! group counts its members where the program uses their positions. Loops in the regions become
//! kernels like all others.

use std::cell::RefCell;

use gridloom_dialects::{arith, r#async, inherent, memref};
use gridloom_ir::body::OpData;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{Body, Builder, Context, Module, OpId, OpName, Type, TypeKind, Value};

/// Inlines the regions of a module's `async.execute` in program order. Returns whether there was
/// anything of the dialect.
pub fn execute_in_order(ctx: &Context, module: &mut Module) -> bool {
    if !ctx.may_hold_type(|ty| r#async::is_type(ctx, ty)) {
        return false;
    }
    let types = Types {
        ctx,
        counts: module.ops().any(|(_, op)| asks_for_places(op)),
        known: RefCell::default(),
    };
    let mut changed = false;
    for (_, function) in module.body_mut().owners_mut() {
        if let Some(ty) = function.get(ctx, inherent::FUNCTION_TYPE) {
            let new = types.lowered(ty);
            if new != ty {
                function.set_property(ctx, inherent::FUNCTION_TYPE, ctx.type_attr(new));
                changed = true;
            }
        }
        if let Some(body) = function.isolated_mut() {
            changed |= types.lower(body);
        }
    }
    changed
}

/// Whether a function uses the position of a member in its group.
fn asks_for_places(function: &OpData) -> bool {
    let body = function.isolated();
    body.filter(|body| body.may_hold(r#async::ADD_TO_GROUP))
        .is_some_and(|body| {
            let uses = body.uses();
            body.walk().into_iter().any(|op| {
                let is_member = body[op].name == r#async::ADD_TO_GROUP;
                is_member && !uses.of(body[op].result(0)).is_empty()
            })
        })
}

fn is_async(name: OpName) -> bool {
    matches!(
        name,
        r#async::ADD_TO_GROUP
            | r#async::AWAIT
            | r#async::AWAIT_ALL
            | r#async::CREATE_GROUP
            | r#async::EXECUTE
    )
}

/// Type conversion: the replacements of the dialect's types.
struct Types<'c> {
    ctx: &'c Context,
    /// Whether groups count their members.
    counts: bool,
    /// Types that were converted before.
    known: RefCell<FxHashMap<Type, Type>>,
}

impl Types<'_> {
    fn lowered(&self, ty: Type) -> Type {
        let known = self.known.borrow().get(&ty).copied();
        known.unwrap_or_else(|| {
            let new = self.convert(ty);
            self.known.borrow_mut().insert(ty, new);
            new
        })
    }

    fn convert(&self, ty: Type) -> Type {
        let ctx = self.ctx;
        if let Some(held) = r#async::value_type(ctx, ty) {
            return self.lowered(held);
        }
        if ty == r#async::token(ctx) {
            return ctx.bool_type();
        }
        if ty == r#async::group(ctx) {
            return match self.counts {
                true => ctx.memref_type(&[], ctx.index_type()),
                false => ctx.bool_type(),
            };
        }
        match ty.kind(ctx) {
            TypeKind::Function { inputs, results } => {
                let all = |types: &[Type]| -> Vec<Type> {
                    types.iter().map(|&ty| self.lowered(ty)).collect()
                };
                ctx.function_type(&all(inputs), &all(results))
            }
            _ => ty,
        }
    }

    /// Lowers the operations and values of a body. Returns whether there were any.
    fn lower(&self, body: &mut Body) -> bool {
        let mut changed = body.retype_values(|ty| self.lowered(ty));
        for op in body.walk_named(is_async) {
            self.lower_op(body, op);
            changed = true;
        }
        changed
    }

    fn lower_op(&self, body: &mut Body, op: OpId) {
        let ctx = self.ctx;
        let operands = body[op].operands.to_vec();
        let results: Vec<Value> = body[op].results().collect();
        let new = match (body[op].name, &operands[..]) {
            (r#async::EXECUTE, _) => self.inline(body, op),
            // The value is available already.
            (r#async::AWAIT, _) => operands,
            (r#async::CREATE_GROUP, _) => vec![self.create_group(body, op)],
            (r#async::ADD_TO_GROUP, &[_, group]) => {
                let mut b = Builder::before(ctx, body, op);
                let place = match self.counts {
                    true => {
                        let place = memref::LoadOp::create(&mut b, group, &[]);
                        let one = b.index_constant(1);
                        let next = b.binary(arith::ADDI, place, one);
                        memref::StoreOp::create(&mut b, next, group, &[]);
                        place
                    }
                    // Without users of positions, any number will do.
                    false => b.index_constant(0),
                };
                vec![place]
            }
            _ => Vec::new(),
        };
        for (old, new) in results.into_iter().zip(new) {
            body.replace_uses(old, new);
        }
        body.erase(op);
    }

    /// Inlines the region of an `async.execute` in front of it. Returns the replacements of its
    /// results.
    fn inline(&self, body: &mut Body, op: OpId) -> Vec<Value> {
        let ctx = self.ctx;
        let mut given = vec![constant_true(&mut Builder::before(ctx, body, op))];
        let Some(block) = body.region_block(op, 0) else {
            return given;
        };
        let held = body[op].operand_segment(ctx, 1).to_vec();
        let args = body[block].args.to_vec();
        for (arg, value) in args.into_iter().zip(held) {
            body.replace_uses(arg, value);
        }
        let ops: Vec<OpId> = body.ops(block).collect();
        for inner in ops {
            if body[inner].name == r#async::YIELD {
                given.extend_from_slice(&body[inner].operands);
                continue;
            }
            body.detach(inner);
            body.insert_before(op, inner);
        }
        given
    }

    fn create_group(&self, body: &mut Body, op: OpId) -> Value {
        let mut b = Builder::before(self.ctx, body, op);
        if !self.counts {
            return constant_true(&mut b);
        }
        let ty = self.ctx.memref_type(&[], self.ctx.index_type());
        let group = memref::AllocaOp::create(&mut b, ty, &[]);
        let zero = b.index_constant(0);
        memref::StoreOp::create(&mut b, zero, group, &[]);
        group
    }
}

/// Emits the stand-in of a token, true: the work it waits for is complete.
fn constant_true(b: &mut Builder) -> Value {
    let ty = b.ctx.bool_type();
    b.constant(b.ctx.int_attr(ty, 1), ty)
}
