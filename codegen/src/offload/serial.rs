//! Serial clones: what runs when arguments overlap after all.
//!
//! The dependence analysis takes distinct memref arguments for disjoint. A
//! function whose kernels rely on that keeps its original body as a private
//! function, named by its discardable attribute [`SERIAL_ATTR`]; the executor
//! checks every call and runs that one when two arguments share memory.

use std::collections::HashMap;

use gridloom_ir::body::Regions;
use gridloom_ir::dialect::func;
use gridloom_ir::{Body, Context, Module, OpId, OpState};

use crate::transform::gpu_kernel_outlining::free_name;

/// Discardable attribute of a function that names its serial clone.
pub const SERIAL_ATTR: &str = "gridloom.serial";

/// The bodies of functions that have two memref parameters or more, as they
/// were before anything was done to them.
#[derive(Debug, Default)]
pub struct Originals {
    bodies: HashMap<OpId, Body>,
}

impl Originals {
    /// Keeps the bodies of a module's functions.
    pub fn of(ctx: &Context, module: &Module) -> Self {
        let mut bodies = HashMap::new();
        for (id, op) in module.ops() {
            let Some(body) = op.isolated().filter(|_| op.name == func::FUNC) else {
                continue;
            };
            let Some(entry) = body.entry() else { continue };
            let args = body[entry].args.iter();
            let memrefs = args.filter(|&&arg| body.ty(arg).memref(ctx).is_some());
            if memrefs.count() > 1 {
                bodies.insert(id, body.clone());
            }
        }
        Originals { bodies }
    }

    /// Adds the serial clone of a function to the module, right behind it.
    pub fn keep(&self, ctx: &Context, module: &mut Module, function: OpId) {
        let Some(original) = self.bodies.get(&function) else {
            return;
        };
        let Some(name) = module.body()[function].symbol_name(ctx) else {
            return;
        };
        let wanted = format!("{}__serial", ctx.str(name));
        let clone_name = free_name(ctx, &module.symbols(ctx), &wanted);
        let body = module.body_mut();
        let data = &body[function];
        let mut state = OpState::new(func::FUNC, data.loc);
        let name_attr = ctx.string_attr(ctx.str(clone_name));
        state.properties = data.properties.with(ctx, ctx.ident("sym_name"), name_attr);
        state.attributes = data.attributes;
        let private = ctx.string_attr("private");
        state = state.property(ctx, "sym_visibility", private);
        let clone = body.create_op(state);
        body[clone].regions = Regions::Isolated(Box::new(original.clone()));
        body.insert_after(function, clone);
        body[function].set_attribute(ctx, SERIAL_ATTR, ctx.symbol_attr(clone_name));
    }
}
