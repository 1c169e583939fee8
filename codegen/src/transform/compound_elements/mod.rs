//! Compound elements: turns complex, wide or vector elements of memrefs into innermost dimensions.
//!
//! ```text
//! memref<AxBxcomplex<T>>    ⇒  memref<AxBx2xT>
//! memref<Axi128>            ⇒  memref<Ax2xi64>
//! memref<Axvector<4x8xT>>   ⇒  memref<Ax4x8xT>
//! ```
//!
//! Memory keeps its bytes. `convert-complex-to-standard`, `arith-emulate-wide-int` and `lower-vector-elements` share this
//! lowering of types, views, transfers and globals.

mod accesses;
mod memory;
mod pairs;
mod signature;
mod transfers;
mod types;

use std::cell::RefCell;
use std::collections::HashMap;

use gridloom_dialects::{func, gpu, inherent, memref};
use gridloom_ir::body::OpData;
use gridloom_ir::hash::FxHashSet;
use gridloom_ir::text::type_string;
use gridloom_ir::{
    BlockId, Body, Context, Diagnostic, Diagnostics, Loc, Module, OpId, Type, Value,
};

use super::value_splitting::Replacements;
pub use memory::{UNCHANGED, expand_global};
pub use pairs::{Lowered, Pairs, Rules, select};
pub use types::{Compound, part, with_indices};

/// Lowers every body of a module by `lower`, which returns its errors. Returns whether the module
/// has compound elements of that kind at all; a module with errors is not changed.
///
/// # Errors
/// The operations and types that have no counterpart.
pub fn lower_module(
    ctx: &Context,
    module: &mut Module,
    compound: Compound,
    lower: impl FnMut(&mut Body) -> Diagnostics,
) -> Result<bool, Diagnostics> {
    let needed = holds_type(ctx, module.body(), |ty| compound.is_in(ctx, ty));
    if needed {
        lower_bodies(module, lower)?;
    }
    Ok(needed)
}

/// Lowers every body of a module by `lower`, which returns its errors; a module with errors is left as
/// it was.
///
/// # Errors
/// Those of `lower`.
pub fn lower_bodies(
    module: &mut Module,
    mut lower: impl FnMut(&mut Body) -> Diagnostics,
) -> Result<(), Diagnostics> {
    let mut lowered = module.clone();
    let mut errors = Diagnostics::new();
    let mut bodies = vec![lowered.body_mut()];
    while let Some(body) = bodies.pop() {
        errors.append(lower(body));
        let owners = body.owners_mut().into_iter();
        bodies.extend(owners.filter_map(|(_, op)| op.isolated_mut()));
    }
    if errors.has_errors() {
        return Err(errors);
    }
    *module = lowered;
    Ok(())
}

/// Whether a body, or one inside of it, meets a test.
pub fn any_body(body: &Body, test: impl Fn(&Body) -> bool) -> bool {
    let mut bodies = vec![body];
    while let Some(body) = bodies.pop() {
        if test(body) {
            return true;
        }
        bodies.extend(body.arena().filter_map(OpData::isolated));
    }
    false
}

/// Whether an operation of a body, or of one inside of it, has a result or an operand of such a type, or declares a function
/// or a global of it; a detached one may count as well. A type is asked about once.
pub fn holds_type(ctx: &Context, body: &Body, is_meant: impl Fn(Type) -> bool) -> bool {
    if !ctx.may_hold_type(&is_meant) {
        return false;
    }
    let mut asked: FxHashSet<Type> = FxHashSet::default();
    let mut last = None;
    let is_found = |ty: Type| last.replace(ty) != Some(ty) && asked.insert(ty) && is_meant(ty);
    let is_found = RefCell::new(is_found);
    any_body(body, |body| {
        let is_found = &mut *is_found.borrow_mut();
        body.arena().any(|op| {
            let mut values = op.results().chain(op.operands.iter().copied());
            values.any(|value| is_found(body.ty(value)))
                || declared(ctx, op).is_some_and(&mut *is_found)
        })
    })
}

/// The declared type of a function or a global.
fn declared(ctx: &Context, op: &OpData) -> Option<Type> {
    let stated = match op.name {
        func::FUNC | gpu::FUNC => inherent::FUNCTION_TYPE,
        memref::GLOBAL => inherent::TYPE,
        _ => return None,
    };
    op.get(ctx, stated)
}

/// Whether the declared type of a function or a global has compound elements.
pub fn states_compound(ctx: &Context, body: &Body, op: OpId, compound: Compound) -> bool {
    declared(ctx, &body[op]).is_some_and(|ty| compound.is_in(ctx, ty))
}

/// The blocks of a body, those of nested operations included.
pub fn blocks(body: &Body, ops: &[OpId]) -> Vec<BlockId> {
    let regions = ops.iter().flat_map(|&op| body[op].inline_regions());
    (body.regions().iter().chain(regions))
        .flat_map(|&region| body[region].blocks.iter().copied())
        .collect()
}

/// Body being expanded, with the old types of its memrefs.
pub struct Expansion<'c> {
    pub ctx: &'c Context,
    pub compound: Compound,
    /// Old types of values whose type has changed.
    old: HashMap<Value, Type>,
    pub replaced: Replacements,
    /// Tag arrays of transfers of compound elements, each with the number of scalars in an element.
    tags: HashMap<Value, i64>,
    pub errors: Diagnostics,
}

impl<'c> Expansion<'c> {
    pub fn new(ctx: &'c Context, compound: Compound) -> Self {
        Expansion {
            ctx,
            compound,
            old: HashMap::new(),
            replaced: Replacements::default(),
            tags: HashMap::new(),
            errors: Diagnostics::new(),
        }
    }

    /// Retypes the values of a body, except those that become several. `false` where a type has no
    /// counterpart.
    pub fn retype_all(&mut self, body: &mut Body, ops: &[OpId], blocks: &[BlockId]) -> bool {
        for &op in ops {
            let loc = body[op].loc;
            for value in body[op].results() {
                self.retype(body, value, loc);
            }
        }
        for &block in blocks {
            let args = body[block].args.to_vec();
            for value in args {
                let loc = body[value].loc;
                self.retype(body, value, loc);
            }
        }
        !self.errors.has_errors()
    }

    fn retype(&mut self, body: &mut Body, value: Value, loc: Loc) {
        let ty = body.ty(value);
        if !self.compound.is_in(self.ctx, ty) || self.compound.parts(self.ctx, ty).is_some() {
            return;
        }
        match self.compound.expanded(self.ctx, ty) {
            Some(new) => {
                body.set_type(value, new);
                self.old.insert(value, ty);
            }
            None => {
                let ty = type_string(self.ctx, ty);
                let noun = self.compound.noun();
                let message = format!("{noun} inside '{ty}' cannot be lowered");
                let help = "keep them in memrefs of static or strided layout: bufferize tensors, \
                            and rank what is unranked";
                self.errors
                    .push(Diagnostic::error(loc, message).with_help(help));
            }
        }
    }

    /// Schedules the replacement of `value` by `new`. Until then its uses name `value`, whose old
    /// type says what they mean.
    pub fn replace(&mut self, value: Value, new: Value) {
        self.replaced.replace(value, new);
    }

    /// Whether a value's type has changed.
    pub fn is_changed(&self, value: Value) -> bool {
        self.old.contains_key(&value)
    }

    /// The type of a value before the change.
    pub fn old_type(&self, body: &Body, value: Value) -> Type {
        self.old.get(&value).copied().unwrap_or(body.ty(value))
    }

    /// The dimensions that an element of a memref has become; empty for an unchanged memref.
    pub fn dims(&self, value: Value) -> Vec<i64> {
        let element = (self.old.get(&value)).and_then(|ty| ty.element(self.ctx));
        let dims = element.and_then(|element| self.compound.dims(self.ctx, element));
        dims.map_or_else(Vec::new, |(dims, _)| dims)
    }

    /// Applies all replacements, unless there are errors.
    pub fn finish(&mut self, body: &mut Body) {
        if !self.errors.has_errors()
            && let Err(circular) = self.replaced.carry_out(body)
        {
            self.errors.push(circular);
        }
    }
}
