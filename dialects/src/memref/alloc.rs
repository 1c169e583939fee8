//! Allocation, globals, copies and sizes: typed views and folds.

use crate::verified::required;
use gridloom_ir::attr::Attr;
use gridloom_ir::body::{Body, OpId, Value};
use gridloom_ir::builder::Builder;
use gridloom_ir::context::{Context, Ident};
use gridloom_ir::fold::{FoldCx, Folded};
use gridloom_ir::op::OpName;
use gridloom_ir::types::{DYNAMIC, Type};

use super::view::{Mixed, SubViewOp};

op_view! {
    /// `memref.alloc`
    AllocOp = super::ALLOC
}

impl AllocOp {
    /// Allocates a memref; `sizes` has a value for each `?` of the type.
    pub fn create(b: &mut Builder, ty: Type, sizes: &[Value]) -> Value {
        create(b, super::ALLOC, ty, sizes)
    }
}

op_view! {
    /// `memref.alloca`
    AllocaOp = super::ALLOCA
}

impl AllocaOp {
    /// Allocates a memref on the stack of the enclosing scope; `sizes` has a
    /// value for each `?` of the type.
    pub fn create(b: &mut Builder, ty: Type, sizes: &[Value]) -> Value {
        create(b, super::ALLOCA, ty, sizes)
    }
}

fn create(b: &mut Builder, name: OpName, ty: Type, sizes: &[Value]) -> Value {
    let segments = b.ctx.i32_array_attr(&[sizes.len() as i32, 0]);
    let state = b.state(name).operands(sizes).results(&[ty]).property(
        b.ctx,
        "operandSegmentSizes",
        segments,
    );
    let op = b.create(state);
    b.body[op].result(0)
}

/// The size operands of a `memref.alloc` or `memref.alloca`, one for each `?`.
pub fn dynamic_sizes<'b>(ctx: &Context, body: &'b Body, op: OpId) -> &'b [Value] {
    body[op].operand_segment(ctx, 0)
}

/// Emits the extents of `memref` in the dimensions that are `?` in `shape`: the sizes of an allocation of this shape.
pub fn open_extents(b: &mut Builder, memref: Value, shape: &[i64]) -> Vec<Value> {
    let mut extents = Vec::new();
    for (dim, _) in (0..).zip(shape).filter(|&(_, &extent)| extent == DYNAMIC) {
        let dim = b.index_constant(dim);
        extents.push(DimOp::create(b, memref, dim));
    }
    extents
}

op_view! {
    /// `memref.global`
    GlobalOp = super::GLOBAL
}

impl GlobalOp {
    /// The global's symbol name.
    pub fn name(self, ctx: &Context, module: &Body) -> Ident {
        let name = module[self.0].symbol_name(ctx);
        name.expect("a verified global has a name")
    }

    /// The global's memref type.
    pub fn ty(self, ctx: &Context, module: &Body) -> Type {
        let ty = required(ctx, &module[self.0], "type").as_type(ctx);
        ty.expect("a verified global has a type")
    }

    /// The initial elements: `None` for an external global, `unit` for an
    /// uninitialised one.
    pub fn initial_value(self, ctx: &Context, module: &Body) -> Option<Attr> {
        module[self.0].attr(ctx, "initial_value")
    }

    /// Whether other modules cannot see the global.
    pub fn is_private(self, ctx: &Context, module: &Body) -> bool {
        let visibility = module[self.0].attr(ctx, "sym_visibility");
        visibility.and_then(|v| v.as_str(ctx)) == Some("private")
    }

    /// Whether the global is constant: no store may write it.
    pub fn is_constant(self, ctx: &Context, module: &Body) -> bool {
        module[self.0].attr(ctx, "constant").is_some()
    }
}

op_view! {
    /// `memref.get_global`
    GetGlobalOp = super::GET_GLOBAL
}

impl GetGlobalOp {
    /// The reference to the global.
    pub fn global(self, ctx: &Context, body: &Body) -> Attr {
        required(ctx, &body[self.0], "name")
    }
}

op_view! {
    /// `memref.copy`
    CopyOp = super::COPY
}

impl CopyOp {
    /// Copies all elements.
    pub fn create(b: &mut Builder, source: Value, target: Value) -> CopyOp {
        CopyOp(b.create(b.state(super::COPY).operands(&[source, target])))
    }

    /// The source.
    pub fn source(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }

    /// The destination.
    pub fn target(self, body: &Body) -> Value {
        body[self.0].operands[1]
    }
}

op_view! {
    /// `memref.dim`
    DimOp = super::DIM
}

impl DimOp {
    /// Creates a `memref.dim`: the extent of `memref` in dimension `index`.
    pub fn create(b: &mut Builder, memref: Value, index: Value) -> Value {
        b.unary(super::DIM, &[memref, index], b.ctx.index_type())
    }

    /// The memref.
    pub fn source(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }

    /// The dimension.
    pub fn index(self, body: &Body) -> Value {
        body[self.0].operands[1]
    }

    /// The dimension, if it is constant.
    pub fn constant_index(self, ctx: &Context, body: &Body) -> Option<i64> {
        crate::arith::constant_int(ctx, body, self.index(body))
    }
}

/// Folds `memref.dim` to a static extent, or to a size operand of the defining
/// operation.
pub(super) fn fold_dim(cx: &FoldCx) -> Option<Folded> {
    let (ctx, body) = (cx.ctx, cx.body);
    let [source, index] = cx.operands()?;
    let dim = usize::try_from(cx.int(index)?).ok()?;
    let shape = &cx.ty(source).memref(ctx)?.shape;
    let extent = *shape.get(dim)?;
    if extent != DYNAMIC {
        return cx.splat(extent as u64);
    }
    let position = shape[..dim].iter().filter(|&&d| d == DYNAMIC).count();
    let maker = body.defining_op(source)?;
    let sizes: &[Value] = match body[maker].name {
        super::ALLOC | super::ALLOCA => dynamic_sizes(ctx, body, maker),
        crate::gpu::ALLOC => body[maker].operand_segment(ctx, 1),
        // The sizes follow buffer and byte shift.
        super::VIEW => body[maker].operands.get(2..)?,
        super::SUBVIEW => return fold_dim_of_subview(cx, SubViewOp(maker), position),
        _ => return None,
    };
    cx.value(*sizes.get(position)?)
}

/// A subview drops only unit dimensions, so its dynamic extents are its size
/// operands, in order.
fn fold_dim_of_subview(cx: &FoldCx, op: SubViewOp, position: usize) -> Option<Folded> {
    let sizes = op.sizes(cx.ctx, cx.body).into_iter();
    let mut values = sizes.filter_map(|size| match size {
        Mixed::Value(size) => Some(size),
        Mixed::Constant(_) => None,
    });
    cx.value(values.nth(position)?)
}
