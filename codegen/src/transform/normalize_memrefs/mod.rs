//! `normalize-memrefs`: turns memrefs with a layout map into row-major ones, and applies the map in
//! their accesses.
//!
//! ```text
//! #tile = affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>
//! %a = memref.alloc() : memref<10xf32, #tile>           %a = memref.alloc() : memref<3x4xf32>
//! %x = affine.load %a[%i]                          ⇒    %x = affine.load %a[%i floordiv 4, %i mod 4]
//! call @f(%a) : (memref<10xf32, #tile>) -> ()           call @f(%a) : (memref<3x4xf32>) -> ()
//! ```
//!
//! Values that have to keep one type, through calls, returns, loops and branches, are a *web*.
//! Legal for a web whose uses are all known: its memory is allocated in the module or comes through
//! parameters of private functions that are only called, and its only uses are element accesses,
//! deallocations and queries of extents that its type gives. The layout has no symbols, and its
//! results are never negative. Each element keeps its place in memory, so that even layouts that
//! map several elements to one place keep their meaning. A web that stays gets a remark.

mod layout;
mod webs;

use std::collections::HashMap;

use gridloom_dialects::affine::{Access, Bound};
use gridloom_dialects::{affine, func, gridloom, inherent, memref};
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{
    AffineExpr, Attr, AttrKind, Body, Builder, Context, Diagnostics, Module, OpId, Type, Value,
};

use self::layout::{Normal, normal_type};
use self::webs::Webs;
use super::index_values::index_values;

/// Normalizes the memrefs of a module. Returns whether there were any, and which stay.
pub fn normalize_memrefs(ctx: &Context, module: &mut Module) -> (bool, Diagnostics) {
    let mut webs = Webs::of(ctx, module);
    let types = webs.normal_types(|ty| normal_type(ctx, ty));
    let remarks = webs.remarks();
    if types.is_empty() {
        return (false, remarks);
    }
    let functions: Vec<OpId> = module.ops().map(|(op, _)| op).collect();
    for function in functions {
        if module.body()[function].name != func::FUNC {
            continue;
        }
        let changes = Changes {
            ctx,
            normal: types.get(&function).cloned().unwrap_or_default(),
        };
        change_signature(
            ctx,
            module,
            function,
            &webs.results_of(function, &changes.normal),
        );
        if let Some(body) = module.body_mut()[function].isolated_mut() {
            changes.apply(body);
        }
    }
    (true, remarks)
}

/// Changes the types of a function's parameters, also in its body, and of its results.
fn change_signature(
    ctx: &Context,
    module: &mut Module,
    function: OpId,
    (inputs, results): &(HashMap<usize, Type>, HashMap<usize, Type>),
) {
    if inputs.is_empty() && results.is_empty() {
        return;
    }
    let op = func::FuncOp(function);
    let (old_inputs, old_results) = op.signature(ctx, module.body());
    let changed = |old: &[Type], new: &HashMap<usize, Type>| -> Vec<Type> {
        let types = old.iter().enumerate();
        types.map(|(n, ty)| *new.get(&n).unwrap_or(ty)).collect()
    };
    let ty = ctx.function_type(&changed(old_inputs, inputs), &changed(old_results, results));
    module.body_mut()[function].set_property(ctx, inherent::FUNCTION_TYPE, ctx.type_attr(ty));
}

/// Changes of a body: the normal type of each value.
struct Changes<'a> {
    ctx: &'a Context,
    normal: HashMap<Value, Normal>,
}

impl Changes<'_> {
    fn apply(&self, body: &mut Body) {
        for op in body.walk() {
            match body[op].name {
                memref::ALLOC | memref::ALLOCA => self.allocate(body, op),
                memref::DIM => self.extent(body, op),
                memref::LOAD | memref::STORE => self.access(body, op),
                memref::PREFETCH | memref::GENERIC_ATOMIC_RMW => self.values_at(body, op, 0),
                memref::ATOMIC_RMW => self.values_at(body, op, 1),
                affine::LOAD | affine::STORE => self.affine_access(body, op),
                affine::PREFETCH => self.map_at(body, op, 0),
                _ => {}
            }
        }
        for (&value, normal) in &self.normal {
            body.set_type(value, normal.ty);
        }
    }

    fn access(&self, body: &mut Body, op: OpId) {
        let memref = usize::from(body[op].name == memref::STORE);
        self.values_at(body, op, memref);
    }

    fn affine_access(&self, body: &mut Body, op: OpId) {
        if let Some(access) = Access::cast(body, op) {
            self.map_at(body, op, usize::from(access.is_store));
        }
    }

    /// Rewrites an affine access: composes its map with the layout.
    fn map_at(&self, body: &mut Body, op: OpId, memref: usize) {
        let ctx = self.ctx;
        let Some(normal) = self.normal.get(&body[op].operands[memref]) else {
            return;
        };
        let Some(map) = body[op].get(ctx, inherent::MAP) else {
            return;
        };
        let data = map.data(ctx);
        let results: Vec<_> = (normal.exprs.iter())
            .map(|expr| expr.replace(ctx, &data.results, &[]))
            .collect();
        let map = ctx.affine_map(data.dims, data.symbols, &results);
        body[op].set_property(ctx, inherent::MAP, ctx.map_attr(map));
        // The in-bounds flag was proved for the original indices.
        gridloom::set_in_bounds(ctx, &mut body[op], false);
    }

    /// Rewrites an access by values: applies the layout to them.
    fn values_at(&self, body: &mut Body, op: OpId, memref: usize) {
        let ctx = self.ctx;
        let memory = body[op].operands[memref];
        let Some(normal) = self.normal.get(&memory) else {
            return;
        };
        let old = normal.rank;
        let indices = body[op].operands[memref + 1..memref + 1 + old].to_vec();
        let map = ctx.affine_map(old as u32, 0, &normal.exprs);
        let operands = &indices;
        let mut b = Builder::before(ctx, body, op);
        let new = index_values(&mut b, Bound { map, operands });
        let all = &body[op].operands;
        let all = [&all[..memref + 1], &new, &all[memref + 1 + old..]].concat();
        body[op].operands = all.into_iter().collect();
        gridloom::set_in_bounds(ctx, &mut body[op], false);
    }

    /// Rewrites an allocation: computes the dynamic extents of the normal type.
    fn allocate(&self, body: &mut Body, op: OpId) {
        let ctx = self.ctx;
        let memory = body[op].result(0);
        let Some(normal) = self.normal.get(&memory) else {
            return;
        };
        let sizes = memref::dynamic_sizes(ctx, body, op).to_vec();
        let mut b = Builder::before(ctx, body, op);
        let new = normal.open_extents(&mut b, &sizes);
        body[op].set_operand_segment(ctx, 0, &new);
    }

    /// Folds a `memref.dim`, whose extent the old type gives.
    fn extent(&self, body: &mut Body, op: OpId) {
        let memory = body[op].operands[0];
        let Some(normal) = self.normal.get(&memory) else {
            return;
        };
        let Some(extent) = webs::known_extent(self.ctx, body, op, &normal.old) else {
            return;
        };
        let mut b = Builder::before(self.ctx, body, op);
        let new = b.index_constant(extent);
        body.replace_op(op, &[new]);
    }
}

/// The layout map of a memref type, also for a static `strided<…>`.
fn layout_map(ctx: &Context, layout: Attr, rank: usize) -> Option<Vec<AffineExpr>> {
    match layout.kind(ctx) {
        AttrKind::Map(map) => {
            let is_plain = map.num_symbols(ctx) == 0 && map.num_dims(ctx) == rank;
            is_plain.then(|| map.results(ctx).to_vec())
        }
        AttrKind::Strided { offset, strides } => {
            if *offset == DYNAMIC || strides.contains(&DYNAMIC) {
                return None;
            }
            let terms = (0..).zip(strides.iter());
            let sum = terms.fold(ctx.affine_const(0), |sum, (dim, &stride)| {
                let term = ctx.affine_mul(ctx.affine_dim(dim), ctx.affine_const(stride));
                ctx.affine_add(sum, term)
            });
            Some(vec![ctx.affine_add(sum, ctx.affine_const(*offset))])
        }
        _ => None,
    }
}

/// Whether an expression is one dimension.
fn is_dim(ctx: &Context, expr: AffineExpr) -> bool {
    matches!(expr.kind(ctx), AffineExprKind::Dim(_))
}
