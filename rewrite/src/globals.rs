//! Constant globals of a module, with their elements.

use std::collections::HashMap;

use gridloom_dialects::memref::GlobalOp;
use gridloom_ir::fold::{Constant, scalar_attr};
use gridloom_ir::{Attr, Body, Context, Ident, Type};

/// Contents of constant globals, by name.
#[derive(Clone, Default, Debug)]
pub struct ConstantGlobals {
    known: HashMap<Ident, Attr>,
}

impl ConstantGlobals {
    /// Gathers the constant globals defined directly in a module with this body.
    pub fn of(ctx: &Context, module: &Body) -> Self {
        let Some(entry) = module.entry() else {
            return ConstantGlobals::default();
        };
        let globals = module
            .ops(entry)
            .filter_map(|op| GlobalOp::cast(module, op));
        let known = globals.filter_map(|global| {
            // One that is not initialised has the unit attribute, which is no
            // constant.
            let value = global.initial_value(ctx, module)?;
            let known = global.is_constant(ctx, module) && Constant::of(ctx, value).is_some();
            known.then(|| (global.name(ctx, module), value))
        });
        ConstantGlobals {
            known: known.collect(),
        }
    }

    /// The element of a constant global at a position, with its type. `None` where the global is
    /// unknown or the position out of bounds.
    pub fn element(
        &self,
        ctx: &Context,
        name: Ident,
        ty: Type,
        position: &[i64],
    ) -> Option<(Attr, Type)> {
        let value = *self.known.get(&name)?;
        let memref = ty.memref(ctx)?;
        if memref.shape.len() != position.len() {
            return None;
        }
        let mut number = 0usize;
        for (&extent, &index) in memref.shape.iter().zip(position) {
            let extent = usize::try_from(extent).ok()?;
            let index = usize::try_from(index)
                .ok()
                .filter(|&index| index < extent)?;
            number = number.checked_mul(extent)?.checked_add(index)?;
        }
        let bits = Constant::of(ctx, value)?.element(number)?;
        let attr = scalar_attr(ctx, memref.element, bits)?;
        Some((attr, memref.element))
    }
}
